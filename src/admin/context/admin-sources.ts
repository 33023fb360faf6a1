import type { GraphQLSchema } from 'graphql';
import type { FieldListing } from '../../cost/schema/field-price.js';
import type { PoolHealth } from '../../limiter/fallback/engine-observer.js';
import type { LiveTraffic } from '../../observability/live/live-traffic.js';
import type { RulesHealth } from '../../rules/live/live-rules.js';
import type { RuleSurroundings } from '../../rules/matching/find-rule-warnings.js';
import type { Actor } from '../../rules/store/create-change-log.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import type { RunningInstance } from '../../services/instance-register.js';
import type { Setting } from '../../services/setting.js';
import type { UsageReader } from '../../usage/query/usage-reader.js';
import type { ExplainOf, PreviewOf } from '../types/cost-explain-payload.js';
import type { SimulateRule } from '../types/rule-simulation-payload.js';
import type { RulesInCode } from '../types/rules-in-code.js';
import type { TiersInCode } from '../types/tiers-in-code.js';
import type { FieldPriceOf } from './present-usage.js';
import type { ResetQuota } from './reset-quota.js';
import type { QuotaOf } from './to-quota.js';

/** An API whose prices and limits can be spoken of. */
export interface AdministeredApi {
  readonly schema: GraphQLSchema;
  previewOf: PreviewOf;
  explainOf: ExplainOf;
  simulateRule: SimulateRule;
  fieldPrice: FieldPriceOf;
  /** By coordinate. */
  fields(): readonly FieldListing[];
  guessedPrices(): readonly { coordinate: string; message: string }[];
}

/** The APIs that share a database. */
interface AdministeredApis {
  /** Those whose servers have published their schemas, by name. */
  services(): Promise<{ name: string; hash: string; publishedAt: Date }[]>;
  /**
   * @param service left out: the only one there is, or that of this process
   * @throws GraphQLError BAD_USER_INPUT where that says none
   */
  apiOf(service?: string | null): Promise<AdministeredApi>;
  all(): Promise<AdministeredApi[]>;
}

/** How a process is doing, and what it knows of its databases. */
interface ProcessHealth {
  /** In words. */
  problems: readonly string[];
  /** Each Redis. @default there is none */
  engines?: readonly PoolHealth[];
  /** Undefined: not known. */
  rules?: Pick<RulesHealth, 'version' | 'source' | 'databaseAway'> | undefined;
}

/** The made-up callers of the sample API, and who turns them on and off. */
export interface DemoTrafficSwitch {
  readonly isOn: boolean;
  turnOn(actor: string): Promise<void>;
  /** Nothing more of them is on its way once it resolves. */
  turnOff(actor: string): Promise<void>;
}

/** The schema and the prices of an API that is elsewhere, which this process reads. */
export interface SchemaSource {
  /** Reads both again now. What cannot be used leaves what was before in force. */
  refresh(by: { actor: Actor; comment: string | undefined }): Promise<{
    /** What is not as it was, by coordinate; undefined: nothing. */
    change?: { before: object; after: object } | undefined;
    /** Why what was read is not in force. */
    problems: readonly string[];
    /** What is in force and has no effect. */
    warnings: readonly string[];
  }>;
}

/** What the admin API shows and changes: what is stored, and what the protected API makes of it. */
export interface AdminSources {
  store: RulesStore;
  usage: UsageReader;
  apis: AdministeredApis;
  /** The rules in the code of servers. @default none are shown */
  inCode?: RulesInCode;
  /** The tiers in the code of servers. @default none is known */
  tiersInCode?: () => Promise<readonly TiersInCode[]>;
  /** The processes that run on the database, and the one that answers among them. @default none is known */
  instances?: (limit: number) => Promise<readonly (RunningInstance & { isAnswering: boolean })[]>;
  /** What stands beside the stored rules. @default no warnings about rules that have no effect */
  surroundings?: () => Promise<RuleSurroundings>;
  /** @default this process serves no sample API */
  demoTraffic?: DemoTrafficSwitch | undefined;
  /** @default this process protects the schema that it was started with */
  schemaSource?: SchemaSource | undefined;
  quotaOf: QuotaOf;
  resetQuota: ResetQuota;
  /** How the process that answers is doing. */
  healthOf: () => ProcessHealth;
  /** The settings in force in the process that answers. @default they are not shown */
  settings?: readonly Setting[];
  /** The traffic as it is now. @default it cannot be watched */
  watchTraffic?: LiveTraffic['watch'];
  /** Who takes most decisions now. @default it is not known */
  hotCallers?: LiveTraffic['hotCallers'];
}
