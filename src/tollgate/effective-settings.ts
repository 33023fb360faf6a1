import type { CostAnalyzerOptions } from '../cost/settings/cost-analyzer-options.js';
import { defaultProfile, MINIMUM_COST, resolveProfile } from '../cost/settings/cost-profile.js';
import { documentCacheOption } from '../documents/document-cache-option.js';
import { DEFAULT_DOCUMENT_LIMITS, type DocumentLimits } from '../documents/measure-document.js';
import { ALLOW_UNREGISTERED } from '../documents/registered-documents.js';
import { identifyTimeoutOption } from '../identity/identify-timeout-option.js';
import { DENIAL_MEMORY } from '../limiter/denials/denial-memory-option.js';
import { LEASES } from '../limiter/lease/lease-options.js';
import { COUNTER_OPTIONS } from '../options/counter-options.js';
import type { NumberOption } from '../options/define-number.js';
import { AGENT_CLIENTS } from '../protection/create-client-of.js';
import { feeOption } from '../protection/fee-option.js';
import { identityDeadlineOption } from '../rules/live/identity-deadline-option.js';
import type { Setting } from '../services/setting.js';
import type { TollgateOptions } from './tollgate-options.js';

/**
 * Options of a Tollgate with any context. The context type changes only callbacks, which are never
 * shown.
 */
type Sources = Omit<TollgateOptions<never>, 'schema'>;

/**
 * Display of an option. The declaration of a number option determines its display, and a function
 * determines that of any other value. Secrets and code are not shown.
 */
type Shown<Value> = NumberOption | 'NOT_SHOWN' | ((given: Value | undefined, name: string, all: Sources) => Setting[]);

/**
 * Display of each option. A new option does not compile until its author decides how it is shown,
 * so that no secret is shown by accident.
 */
const SHOWN: { readonly [Name in keyof Sources]-?: Shown<Sources[Name]> } = {
  mode: (given = 'ENFORCE', name) => [setting(name, given)],
  service: (given, name) => [setting(name, given ?? null)],
  // The URLs contain passwords.
  redis: (given, name) => [setting(name, given !== undefined)],
  postgres: (given, name) => [setting(name, given !== undefined)],
  pools: (given = [], name) => [
    setting(
      name,
      given.map((pool) => pool.name),
    ),
  ],
  ...COUNTER_OPTIONS,
  tierPrecision: (given = 'EXACT', name) => [setting(name, given)],
  agentClients: (given = AGENT_CLIENTS, name) => [setting(name, given)],
  region: (given, name) =>
    given === undefined
      ? [setting(name, null)]
      : [
          setting(`${name}.name`, given.name),
          setting(
            `${name}.shares`,
            Object.entries(given.shares).map(([region, share]) => `${region}=${share}`),
          ),
          setting(`${name}.tierMode`, given.tierMode ?? 'CENTRAL'),
        ],
  leases: (given = {}, name) => numbersOf(name, LEASES, given),
  denialMemory(given = {}, name, { redis }) {
    const isOn = redis !== undefined && given !== false && given.maxAgeMs !== 0;
    return [setting(name, isOn), ...(isOn ? numbersOf(name, DENIAL_MEMORY, given) : [])];
  },
  usage: (given, name) => [setting(name, given !== false)],
  fee: feeOption,
  denialStatus: (given = 429, name) => [setting(name, given, 'HTTP status')],
  identifyTimeoutMs: identifyTimeoutOption,
  identityDeadlineMs: identityDeadlineOption,
  documentLimits: (given = {}, name) => documentLimitsOf(given, name),
  documents: (given, name) => {
    const { unregistered, bypassTiers } = { ...ALLOW_UNREGISTERED, ...given };
    return [setting(`${name}.unregistered`, unregistered), setting(`${name}.bypassTiers`, bypassTiers)];
  },
  documentCacheBytes: documentCacheOption,
  cost: (given = {}) => costSettingsOf(given),
  identity: 'NOT_SHOWN',
  identify: 'NOT_SHOWN',
  tiers: 'NOT_SHOWN',
  rules: 'NOT_SHOWN',
  snapshotPath: 'NOT_SHOWN',
  batchPlace: 'NOT_SHOWN',
  mayReportCost: 'NOT_SHOWN',
  abortSignal: 'NOT_SHOWN',
  metrics: 'NOT_SHOWN',
  onDecision: 'NOT_SHOWN',
  onSettled: 'NOT_SHOWN',
  observer: 'NOT_SHOWN',
  logger: 'NOT_SHOWN',
};

/** Returns the settings in force, including defaults. */
export function effectiveSettings(options: Sources): Setting[] {
  return (Object.entries(SHOWN) as [keyof Sources, Shown<unknown>][]).flatMap(([name, shown]) => {
    if (shown === 'NOT_SHOWN') return [];
    if (typeof shown === 'function') return shown(options[name], name, options);
    return [setting(name, (options[name] as number | undefined) ?? shown.default, shown.unit)];
  });
}

function setting(name: string, value: Setting['value'], unit: string | null = null): Setting {
  return { name, value, unit };
}

function numbersOf<Name extends string>(
  prefix: string,
  declared: Readonly<Record<Name, NumberOption>>,
  given: { readonly [Key in Name]?: number | undefined },
): Setting[] {
  return (Object.entries(declared) as [Name, NumberOption][]).map(([name, option]) =>
    setting(`${prefix}.${name}`, given[name] ?? option.default, option.unit),
  );
}

function documentLimitsOf(given: Partial<DocumentLimits>, prefix: string): Setting[] {
  return (Object.entries(DEFAULT_DOCUMENT_LIMITS) as [keyof DocumentLimits, number][]).map(([name, byDefault]) => {
    const limit = given[name] ?? byDefault;
    // JSON has no infinity.
    return setting(`${prefix}.${name}`, Number.isFinite(limit) ? limit : null, name === 'maxBytes' ? 'bytes' : null);
  });
}

function costSettingsOf(cost: CostAnalyzerOptions): Setting[] {
  const profile = cost.profile ?? defaultProfile(cost);
  const resolved = resolveProfile(profile);
  const { inferListSizes = resolved.inferListSizes, inferConnections = resolved.inferConnections } = cost;
  return [
    setting('cost.profile', typeof profile === 'string' ? profile : 'custom'),
    setting('cost.defaultListSize', cost.defaultListSize ?? resolved.defaultListSize, 'objects'),
    setting('cost.minimumCost', cost.minimumCost ?? MINIMUM_COST, 'tokens'),
    setting('cost.presets', cost.presets ?? []),
    // If some names are excluded, the setting lists the excluded names.
    setting(
      'cost.inferListSizes',
      typeof inferListSizes === 'boolean'
        ? inferListSizes
        : Object.entries(inferListSizes).flatMap(([name, infers]) => (infers === false ? [name] : [])),
    ),
    setting('cost.inferConnections', inferConnections),
  ];
}
