import type { RegionPart } from '../model/limit-parameters.js';
import type { Rule } from '../model/rule.js';
import type { LiveTraffic } from '../observability/live/live-traffic.js';
import type { Db } from '../postgres/db.js';
import type { DocumentRegistry } from '../registry/create-document-registry.js';
import { createRulesetOfService } from '../rules/matching/create-ruleset-of-service.js';
import type { RulesStore } from '../rules/store/rules-store.js';
import type { Clock } from '../runtime/clock.js';
import { type RunningInstance, readInstances } from '../services/instance-register.js';
import { createPolicyCatalog, type PolicyCatalog } from '../services/policy-catalog.js';
import type { TierInCode } from '../services/published-policy.js';
import type { PricedSchema } from '../services/published-schema.js';
import { createServiceCatalog, type ServiceCatalog } from '../services/service-catalog.js';
import type { Setting } from '../services/setting.js';
import type { UsageReader } from '../usage/query/usage-reader.js';
import { type DescribeApiOptions, type DescribedApi, describeApi } from './describe-api.js';

/** The API of this process, and the parts that decide its operations. */
export interface AdministerOptions extends Omit<DescribeApiOptions, 'decisions'> {
  /** Returns the current schema. It returns a new object after a schema change. */
  priced: () => PricedSchema;
  settings: readonly Setting[];
  service: string | undefined;
  /** Rules in code as given, whether or not they are in force. */
  rulesInCode: readonly Rule[];
  /** Tiers in code as given; empty if none were. */
  tiersInCode: readonly TierInCode[];
  /** Returns the time in epoch milliseconds. */
  now: Clock;
  /** Returns the parts of the limits of a rule that the region of this process enforces. */
  regionPartsOf: (rule: Rule) => readonly (RegionPart | undefined)[];
}

/**
 * The interface between the library and the admin API. It may change with any version: use
 * `tollgate/admin`.
 */
export interface Administration extends Pick<AdministerOptions, 'regionPartsOf'> {
  readonly store: RulesStore;
  /** Versions of apps with their registered documents. */
  readonly registry: DocumentRegistry;
  readonly usage: UsageReader;
  /** Rules in the code of this process. */
  readonly rulesInCode: readonly Rule[];
  /** Tiers in the code of this process; empty if none were given. */
  readonly declaredTiers: readonly TierInCode[];
  /** Name under which this process publishes its API; undefined if it does not. */
  readonly service: string | undefined;
  /** Rules and tiers in the code of servers that publish theirs. */
  readonly policies: PolicyCatalog;
  /** Returns the processes that run on this database, at most `limit`. */
  instances(limit: number): Promise<RunningInstance[]>;
  /** Id of this process in the list of instances. */
  readonly instance: string | undefined;
  watchTraffic: LiveTraffic['watch'];
  hotCallers: LiveTraffic['hotCallers'];
  sharedAddresses: LiveTraffic['sharedAddresses'];
  openStreams: LiveTraffic['openStreams'];
  /** Settings in force in this process, without secrets. */
  readonly settings: readonly Setting[];
  /**
   * Returns the APIs that share the database. Set `withOwn` to false if this process protects no
   * API, so that the result excludes its schema.
   */
  catalog(options: { withOwn: boolean }): ServiceCatalog<DescribedApi>;
}

/** Stores that hold the administered data. */
interface AdministeredParts extends Pick<Administration, 'store' | 'registry' | 'usage' | 'instance'> {
  db: Db;
  traffic: LiveTraffic;
}

export function createAdministration(
  { db, store, registry, usage, traffic, instance }: AdministeredParts,
  { settings, service, rulesInCode, tiersInCode, priced, now, regionPartsOf, ...options }: AdministerOptions,
): Administration {
  const decisions: DescribeApiOptions['decisions'] = (...wanted) => usage.decisions(...wanted);
  const describe = (one: PricedSchema) => describeApi(one, { ...options, decisions });
  const policies = createPolicyCatalog(db);
  const rulesetOf = createRulesetOfService({ ruleset: options.ruleset, ownRules: rulesInCode, now });
  let own = { priced: priced(), api: describe(priced()) };
  const ownApi = () => {
    if (own.priced !== priced()) own = { priced: priced(), api: describe(priced()) };
    return own.api;
  };
  return {
    store,
    registry,
    usage,
    rulesInCode,
    declaredTiers: tiersInCode,
    service,
    policies,
    instances: (limit) => readInstances(db, limit),
    instance,
    watchTraffic: () => traffic.watch(),
    hotCallers: () => traffic.hotCallers(),
    sharedAddresses: () => traffic.sharedAddresses(),
    openStreams: (request) => traffic.openStreams(request),
    settings,
    regionPartsOf,
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
