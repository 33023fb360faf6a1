import {
  type CostProfile,
  defaultProfile,
  MINIMUM_COST,
  type ProfileName,
  resolveProfile,
} from '../cost/settings/profile.js';

/** One setting as it is in force. */
export interface Setting {
  name: string;
  value: string | number | boolean | readonly string[] | null;
  /** What its number counts; null: nothing. */
  unit: string | null;
}

/** What of the options of a Tollgate an administrator may see. */
interface SettingSources {
  mode?: string | undefined;
  service?: string | undefined;
  fee?: number | undefined;
  denialStatus?: number | undefined;
  deadlineMs?: number | undefined;
  instances?: number | undefined;
  maxPartitions?: number | undefined;
  redis?: unknown;
  postgres?: unknown;
  pools?: readonly { readonly name: string }[] | undefined;
  denialMemory?: unknown;
  usage?: unknown;
  cost?:
    | {
        profile?: ProfileName | CostProfile | undefined;
        estimators?: readonly unknown[] | undefined;
        defaultListSize?: number | undefined;
        minimumCost?: number | undefined;
        presets?: readonly string[] | undefined;
        inferListSizes?: boolean | Readonly<Record<string, boolean | undefined>> | undefined;
        inferConnections?: boolean | undefined;
      }
    | undefined;
}

const UNITS: Readonly<Record<string, string>> = {
  deadlineMs: 'milliseconds',
  instances: 'processes',
  maxPartitions: 'counters',
  fee: 'tokens',
  denialStatus: 'HTTP status',
  'cost.defaultListSize': 'objects',
  'cost.minimumCost': 'tokens',
};

/**
 * The settings in force, defaults among them. Each is named here: a new option is not shown before an author has
 * decided that it is no secret. Of Redis and PostgreSQL only whether they are there: their URLs hold passwords.
 */
export function effectiveSettings(options: SettingSources): Setting[] {
  const { cost = {}, pools = [] } = options;
  const profile = cost.profile ?? defaultProfile(cost);
  const resolved = resolveProfile(profile);
  const { inferListSizes = resolved.inferListSizes, inferConnections = resolved.inferConnections } = cost;
  const settings: Record<string, Setting['value']> = {
    mode: options.mode ?? 'ENFORCE',
    service: options.service ?? null,
    redis: options.redis !== undefined,
    postgres: options.postgres !== undefined,
    pools: pools.map(({ name }) => name),
    deadlineMs: options.deadlineMs ?? 25,
    instances: options.instances ?? 1,
    maxPartitions: options.maxPartitions ?? 100_000,
    denialMemory: options.denialMemory !== false,
    usage: options.usage !== false,
    fee: options.fee ?? 1,
    denialStatus: options.denialStatus ?? 429,
    'cost.profile': typeof profile === 'string' ? profile : 'custom',
    'cost.defaultListSize': cost.defaultListSize ?? resolved.defaultListSize,
    'cost.minimumCost': cost.minimumCost ?? MINIMUM_COST,
    'cost.presets': cost.presets ?? [],
    // Of names that are left out one by one, the setting is those that are.
    'cost.inferListSizes':
      typeof inferListSizes === 'boolean'
        ? inferListSizes
        : Object.keys(inferListSizes).filter((name) => inferListSizes[name] === false),
    'cost.inferConnections': inferConnections,
  };
  return Object.entries(settings).map(([name, value]) => ({ name, value, unit: UNITS[name] ?? null }));
}
