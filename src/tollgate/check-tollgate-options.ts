import { findSchemaMistakes } from '../cost/find-schema-mistakes.js';
import { COST_ANALYZER_OPTIONS } from '../cost/settings/cost-analyzer-options.js';
import { documentCacheOption } from '../documents/document-cache-option.js';
import { documentLimitsOption } from '../documents/document-limits-option.js';
import { documentPolicyOption } from '../documents/document-policy-option.js';
import { identifyTimeoutOption } from '../identity/identify-timeout-option.js';
import { identityOption } from '../identity/identity-option.js';
import { denialMemoryOption } from '../limiter/denials/denial-memory-option.js';
import { LEASES, type LeaseSettings } from '../limiter/lease/lease-options.js';
import { findPlaceMistakes } from '../limiter/limiter-options.js';
import { redisOption } from '../limiter/redis/redis-option.js';
import { PRECISIONS } from '../model/limit-parameters.js';
import type { Rule, Tier } from '../model/rule.js';
import type { MetricsRegistry } from '../observability/metrics-registry.js';
import { COUNTER_OPTIONS } from '../options/counter-options.js';
import { findMistakes, type OptionTable, type OtherNames, rejectMistakes } from '../options/find-mistakes.js';
import { loggerOption } from '../options/logger-option.js';
import {
  anything,
  callback,
  checkedBy,
  flag,
  listOf,
  objectWith,
  oneOf,
  optionsOf,
  required,
  text,
} from '../options/option-kinds.js';
import { regionOption } from '../options/region-option.js';
import { postgresOption } from '../postgres/postgres-option.js';
import { feeOption } from '../protection/fee-option.js';
import { identityDeadlineOption } from '../rules/live/identity-deadline-option.js';
import type { LiveRulesObserver } from '../rules/live/live-rules-observer.js';
import { findPoolMistakes } from '../rules/matching/pool-finder.js';
import { DEFAULT_TIERS } from '../rules/policy/default-tiers.js';
import { parsePolicy } from '../rules/policy/parse-policy.js';
import { serviceName } from '../services/service-name.js';
import { usageOption } from '../usage/record/usage-option.js';
import type { PoolOptions } from './connect-pools.js';
import type { TollgateOptions } from './tollgate-options.js';

/**
 * Checks the options of a Tollgate, which may be any value, and returns their tiers and rules.
 *
 * @throws TypeError that lists every mistake, before anything is opened
 */
export function checkTollgateOptions<Context extends object>(
  options: TollgateOptions<Context>,
): { tiers: Tier[]; rules: Rule[] } {
  if (typeof options !== 'object' || options === null)
    rejectMistakes('createTollgate', findMistakes(options, TOLLGATE_OPTIONS));
  const mistakes = [...findMistakes(options, TOLLGATE_OPTIONS, { otherNames: OTHER_NAMES })];
  const {
    tiers = DEFAULT_TIERS,
    rules = [],
    identity,
    service,
    postgres,
    pools = [],
    redis,
    snapshotPath,
    usage,
    documents,
  } = options;
  const policy = Array.isArray(tiers) && Array.isArray(rules) ? parsePolicy({ tiers, rules }) : undefined;
  mistakes.push(...(policy?.problems ?? []));
  if (identity?.apiKeys === true && postgres === undefined) {
    mistakes.push('identity.apiKeys: expected together with `postgres`, which stores the keys');
  }
  if (service !== undefined && postgres === undefined) {
    mistakes.push('service: expected together with `postgres`, which stores the published schema');
  }
  if (documents?.unregistered !== undefined && documents.unregistered !== 'ALLOW' && postgres === undefined) {
    mistakes.push('documents: expected together with `postgres`, which stores the registered documents');
  }
  if (snapshotPath !== undefined && postgres === undefined) {
    mistakes.push('snapshotPath: expected together with `postgres`, whose tiers and rules the file keeps');
  }
  if (usage !== undefined && usage !== false && postgres === undefined) {
    mistakes.push('usage: expected together with `postgres`, which stores usage');
  }
  // Pools and `redis` are compared with each other only if each of them is valid.
  if (!mistakes.some((mistake) => /^(pools|redis)\b/.test(mistake))) {
    const places = Object.fromEntries(pools.map((pool) => [pool.name, pool.redis]));
    mistakes.push(...findPoolMistakes(pools));
    mistakes.push(...findPlaceMistakes({ ...(redis !== undefined && { redis }), pools: places }));
  }
  rejectMistakes('createTollgate', mistakes);
  return policy as { tiers: Tier[]; rules: Rule[] };
}

const POOL: OptionTable<PoolOptions> = {
  name: required(text),
  redis: required(redisOption),
  operationTypes: listOf(oneOf('QUERY', 'MUTATION', 'SUBSCRIPTION')),
  operationNames: listOf(text),
  fields: listOf(text),
  users: listOf(text),
  tenants: listOf(text),
  tiers: listOf(text),
  anonymous: flag,
};

const OBSERVER: OptionTable<LiveRulesObserver> = {
  lookedUp: callback(),
  rulesetLoaded: callback(),
  rulesetInvalid: callback(),
  changeInForce: callback(),
  databaseAway: callback(),
  databaseWentBack: callback(),
  snapshotFailed: callback(),
  copyRepaired: callback(),
};

const TOLLGATE_OPTIONS: OptionTable<TollgateOptions> = {
  schema: required(checkedBy(findSchemaMistakes)),
  identity: identityOption,
  identify: callback('({ contextValue }) => ({ user: contextValue.user.id }), which identifies the caller'),
  identifyTimeoutMs: identifyTimeoutOption,
  redis: redisOption,
  pools: listOf(optionsOf(POOL)),
  ...COUNTER_OPTIONS,
  tierPrecision: oneOf(...PRECISIONS),
  agentClients: listOf(text),
  region: regionOption,
  leases: optionsOf<LeaseSettings>(LEASES),
  denialMemory: denialMemoryOption,
  postgres: postgresOption,
  service: serviceName,
  tiers: listOf(anything),
  rules: listOf(anything),
  snapshotPath: text,
  identityDeadlineMs: identityDeadlineOption,
  usage: usageOption,
  cost: optionsOf(COST_ANALYZER_OPTIONS),
  mode: oneOf('ENFORCE', 'SHADOW'),
  denialStatus: oneOf(429, 200),
  fee: feeOption,
  documentLimits: documentLimitsOption,
  documents: documentPolicyOption,
  documentCacheBytes: documentCacheOption,
  batchPlace: callback('(contextValue) => contextValue.batchPlace'),
  mayReportCost: callback('({ user }) => user === "ann"'),
  abortSignal: callback('(contextValue) => contextValue.signal'),
  metrics: objectWith<MetricsRegistry>(
    "a registry of prom-client's, such as its `register`",
    'metrics',
    'registerMetric',
    'getSingleMetric',
  ),
  onDecision: callback('(record) => {}'),
  onSettled: callback('(record, paidCost) => {}'),
  observer: optionsOf(OBSERVER),
  logger: loggerOption,
};

const OTHER_NAMES: OtherNames = {
  database: 'postgres',
  databaseUrl: 'postgres',
  db: 'postgres',
  pg: 'postgres',
  limits: 'rules',
  plans: 'tiers',
  shadow: "mode: 'SHADOW'",
  dryRun: "mode: 'SHADOW'",
  typeDefs: 'schema, made by makeExecutableSchema({ typeDefs, resolvers })',
  register: 'metrics',
  registry: 'metrics',
  prometheus: 'metrics',
};
