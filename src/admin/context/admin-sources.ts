import type { GraphQLSchema } from 'graphql';
import type { FieldListing } from '../../cost/schema/field-price.js';
import type { PoolHealth } from '../../limiter/fallback/engine-observer.js';
import type { RegionPart } from '../../model/limit-parameters.js';
import type { Rule } from '../../model/rule.js';
import type { LiveTraffic } from '../../observability/live/live-traffic.js';
import type { DocumentRegistry } from '../../registry/create-document-registry.js';
import type { DocumentPrice } from '../../registry/price-document.js';
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

/** An API whose prices and limits can be explained and simulated. */
export interface AdministeredApi {
  readonly schema: GraphQLSchema;
  previewOf: PreviewOf;
  explainOf: ExplainOf;
  simulateRule: SimulateRule;
  fieldPrice: FieldPriceOf;
  /** Returns the fields, ordered by coordinate. */
  fields(): readonly FieldListing[];
  guessedPrices(): readonly { coordinate: string; message: string }[];
  /** Returns the price of a registered document, or why it is invalid. */
  priceDocument(text: string): DocumentPrice;
}

/** The APIs that share a database. */
interface AdministeredApis {
  /**
   * The API that this process protects, with the name of its service if it has one.
   * @default this process protects none
   */
  own?: { service: string | null } | undefined;
  /** Returns the APIs whose servers have published their schemas, ordered by name. */
  services(): Promise<{ name: string; hash: string; publishedAt: Date }[]>;
  /**
   * Returns an API.
   * @param service name of the API. Default: the API of this process, else the only API
   * @throws GraphQLError BAD_USER_INPUT if no API matches
   */
  apiOf(service?: string | null): Promise<AdministeredApi>;
  all(): Promise<AdministeredApi[]>;
}

/** The health of a process, and the state of the databases from its point of view. */
interface ProcessHealth {
  /** Problems in plain text. */
  problems: readonly string[];
  /** State of each Redis. @default there is none */
  engines?: readonly PoolHealth[];
  /** Version and source of the rules in force. Undefined if they are unknown. */
  rules?: Pick<RulesHealth, 'version' | 'source' | 'databaseAway'> | undefined;
}

/** The simulated callers of the sample API, and the switch that starts and stops them. */
export interface DemoTrafficSwitch {
  readonly isOn: boolean;
  turnOn(actor: string): Promise<void>;
  /** Stops the simulated callers. Resolves once none of their requests is in flight. */
  turnOff(actor: string): Promise<void>;
}

/** The schema and the prices of an API of another process, which this process reads. */
export interface SchemaSource {
  /** Address of the API, without credentials. */
  address: string;
  /**
   * Reads the schema and the prices again. If a new version is invalid, the previous one stays in
   * force.
   */
  refresh(by: { actor: Actor; comment: string | undefined }): Promise<{
    /** Differences by coordinate. Undefined if nothing changed. */
    change?: { before: object; after: object } | undefined;
    /** Reasons why a version that was read is not in force. */
    problems: readonly string[];
    /** Warnings about entries that are in force and have no effect. */
    warnings: readonly string[];
  }>;
}

/**
 * Data and actions of the admin API: the stored objects, and how the protected API applies them.
 */
export interface AdminSources {
  store: RulesStore;
  /** Versions of apps with their registered documents. */
  registry: DocumentRegistry;
  usage: UsageReader;
  apis: AdministeredApis;
  /** Rules in the code of servers. @default none are shown */
  inCode?: RulesInCode;
  /** Tiers in the code of servers. @default none is known */
  tiersInCode?: () => Promise<readonly TiersInCode[]>;
  /**
   * Returns the processes that use the database. `isAnswering` marks the one that handles the
   * request.
   * @default none is known
   */
  instances?: (limit: number) => Promise<readonly (RunningInstance & { isAnswering: boolean })[]>;
  /**
   * Returns the known fields, and the rules in code that compete with stored rules.
   * @default no warnings about rules that have no effect
   */
  surroundings?: () => Promise<RuleSurroundings>;
  /** Simulated callers of the sample API. @default this process serves no sample API */
  demoTraffic?: DemoTrafficSwitch | undefined;
  /**
   * Schema and prices that this process reads again on request.
   * @default this process protects the schema that it was started with
   */
  schemaSource?: SchemaSource | undefined;
  quotaOf: QuotaOf;
  /**
   * Returns the parts of the limits of a rule that the region of this process enforces. A part is
   * undefined unless the limit is split between regions.
   * @default no limit is split
   */
  regionPartsOf?: (rule: Rule) => readonly (RegionPart | undefined)[];
  resetQuota: ResetQuota;
  /** Returns the health of this process. */
  healthOf: () => ProcessHealth;
  /** Settings in force in this process. @default no settings are shown */
  settings?: readonly Setting[];
  /** Watches the current traffic. @default the traffic cannot be watched */
  watchTraffic?: LiveTraffic['watch'];
  /** Returns the callers with the most decisions now. @default unknown */
  hotCallers?: LiveTraffic['hotCallers'];
  /** Returns the addresses with the most users. @default unknown */
  sharedAddresses?: LiveTraffic['sharedAddresses'];
  /** Returns open subscriptions and WebSockets. @default unknown */
  openStreams?: LiveTraffic['openStreams'];
}
