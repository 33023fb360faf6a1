import type { Rule } from '../model/rule.js';
import type { LiveTraffic } from '../observability/live/live-traffic.js';
import type { Db } from '../postgres/db.js';
import { createRulesetOfService } from '../rules/matching/create-ruleset-of-service.js';
import type { RulesStore } from '../rules/store/rules-store.js';
import { type RunningInstance, readInstances } from '../services/instance-register.js';
import { createPolicyCatalog, type PolicyCatalog } from '../services/policy-catalog.js';
import type { TierInCode } from '../services/published-policy.js';
import type { PricedSchema } from '../services/published-schema.js';
import { createServiceCatalog, type ServiceCatalog } from '../services/service-catalog.js';
import type { Setting } from '../services/setting.js';
import type { TimeRange } from '../usage/query/time-range.js';
import type { UsageReader } from '../usage/query/usage-reader.js';
import { type DescribeApiOptions, type DescribedApi, describeApi } from './describe-api.js';

/** The API of this process, and what decides on its operations. */
export interface AdministerOptions extends Omit<DescribeApiOptions, 'decisions'> {
  /** The schema in force; another one once it has changed. */
  priced: () => PricedSchema;
  settings: readonly Setting[];
  service: string | undefined;
  /** As they were given, in force or not. */
  rulesInCode: readonly Rule[];
  /** As they were given; empty where none were. */
  tiersInCode: readonly TierInCode[];
}

/** What the administration works with. It may change with any version: use `tollgate/admin`. */
export interface Administration {
  readonly store: RulesStore;
  readonly usage: UsageReader;
  /** Those of the code of this process. */
  readonly rulesInCode: readonly Rule[];
  readonly declaredTiers: readonly TierInCode[];
  /** The name of what this process publishes; undefined: nothing. */
  readonly service: string | undefined;
  /** The rules and tiers in the code of servers that have published theirs. */
  readonly policies: PolicyCatalog;
  /** The processes that run on this database, at most so many. */
  instances(limit: number): Promise<RunningInstance[]>;
  /** The id of this one among them. */
  readonly instance: string | undefined;
  watchTraffic: LiveTraffic['watch'];
  hotCallers: LiveTraffic['hotCallers'];
  /** The settings in force in this process, without secrets. */
  readonly settings: readonly Setting[];
  /** The APIs that share the database. `withOwn` false: this process protects none, its schema is of no interest. */
  catalog(options: { withOwn: boolean }): ServiceCatalog<DescribedApi>;
}

/** Where what is administered is kept. */
interface AdministeredParts extends Pick<Administration, 'store' | 'usage' | 'instance'> {
  db: Db;
  traffic: LiveTraffic;
}

export function createAdministration(
  { db, store, usage, traffic, instance }: AdministeredParts,
  { settings, service, rulesInCode, tiersInCode, priced, ...options }: AdministerOptions,
): Administration {
  const decisions = (range: TimeRange, limit: number) => usage.decisions(range, limit);
  const describe = (one: PricedSchema) => describeApi(one, { ...options, decisions });
  const policies = createPolicyCatalog(db);
  const rulesetOf = createRulesetOfService({ ruleset: options.ruleset, ownRules: rulesInCode });
  let own = { priced: priced(), api: describe(priced()) };
  const ownApi = () => {
    if (own.priced !== priced()) own = { priced: priced(), api: describe(priced()) };
    return own.api;
  };
  return {
    store,
    usage,
    rulesInCode,
    declaredTiers: tiersInCode,
    service,
    policies,
    instances: (limit) => readInstances(db, limit),
    instance,
    watchTraffic: () => traffic.watch(),
    hotCallers: () => traffic.hotCallers(),
    settings,
    catalog: ({ withOwn }) =>
      createServiceCatalog({
        db,
        own: withOwn ? { service, api: ownApi } : undefined,
        describe: (one, name) =>
          describeApi(one, { ...options, decisions, ruleset: rulesetOf(() => policies.rulesOf(name)) }),
        beforehand: () => policies.all(),
      }),
  };
}
