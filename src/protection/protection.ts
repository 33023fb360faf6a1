import type { DocumentNode } from 'graphql';
import { type AdmittedPlans, createAdmittedPlans } from '../cost/admitted-plans.js';
import type { CostAnalyzer } from '../cost/create-cost-analyzer.js';
import { createDocumentCheck, type DocumentCheck } from '../documents/document-check.js';
import type { DocumentLimits } from '../documents/measure-document.js';
import {
  ALLOW_UNREGISTERED,
  type DocumentPolicy,
  type RegisteredDocuments,
} from '../documents/registered-documents.js';
import type { ProtectionLimiter } from '../limiter/create-limiter.js';
import { broadcast, type Observers, type OperationObserver } from '../model/decision-record.js';
import type { Identification } from '../model/identify.js';
import type { Precision } from '../model/limit-parameters.js';
import type { Tier } from '../model/rule.js';
import type { Subject } from '../model/subject.js';
import type { PoolFinder } from '../rules/matching/pool-finder.js';
import type { Ruleset } from '../rules/matching/ruleset.js';
import type { BatchPlace } from './batch-place.js';
import { type ChargeBinder, createChargeBinder } from './charge-binder.js';
import type { ChargeFee } from './charge-fee.js';
import { createClientOf } from './create-client-of.js';
import { createOpenSubscriptions, type OpenSubscriptions } from './slots/open-subscriptions.js';
import { SuggestionBudget } from './suggestion-budget.js';

/** Options of the protection of one schema. */
export interface ProtectionOptions<Context> {
  analyzer: CostAnalyzer;
  limiter: ProtectionLimiter;
  /** Returns the rules in force. Called on each request. */
  ruleset(): Ruleset;
  identify: Identification<Context>;
  /**
   * Charges the fee of a request without a price, or of an operation that can never be admitted.
   */
  chargeFee: ChargeFee;
  /** Pools of operations with a Redis of their own. @default none */
  poolFinder?: PoolFinder | undefined;
  /** Size limits of documents, checked before validation. @default as in `DocumentLimits` */
  documentLimits?: Partial<DocumentLimits>;
  /** Lookup of registered documents. @default no document is registered */
  registered?: RegisteredDocuments | undefined;
  /** Handling of operations whose documents are not registered. @default they are allowed */
  documentPolicy?: DocumentPolicy | undefined;
  /**
   * Called with a document that was denied or rejected, so that a store can delete it. Not called
   * if any operation of the document was ever admitted.
   * @default not called
   */
  forgetDocument?: (document: DocumentNode) => void;
  /** Mode of the limits. `SHADOW` evaluates every limit and never denies. @default 'ENFORCE' */
  mode?: 'ENFORCE' | 'SHADOW';
  /** Precision of the tier buckets: whether instances may lease tokens. @default 'EXACT' */
  tierPrecision?: Precision | undefined;
  /**
   * HTTP status of a THROTTLED response. 200 is for clients that cannot handle 429. @default 429
   */
  denialStatus?: 429 | 200;
  /**
   * Returns whether a caller may request a full response with the cost of each field, by
   * `GraphQL-Cost: report`.
   * @default no caller
   */
  mayReportCost?: (subject: Subject) => boolean;
  /**
   * Returns a signal that is aborted when the client disconnects. After that, the charge of an
   * executed operation stays at the estimate, and a delay before execution ends early.
   */
  abortSignal?: (contextValue: Context) => AbortSignal | undefined;
  /**
   * Returns the operation's place in a batch whose operations are charged together. The code that
   * splits the batch sets the place.
   */
  batchPlace?: (contextValue: Context) => BatchPlace | undefined;
  /** Observers of operations, notified in this order. @default none */
  observers?: readonly OperationObserver[];
  /** Cost in tokens of an operation that is only priced (`GraphQL-Cost: validate`). @default 1 */
  minimumCost?: number;
  /** Called if a settlement fails. The charge then stays at the estimate. */
  onError?: (error: unknown) => void;
  /**
   * Called with the number of limits if an operation has more limits than one charge can include.
   */
  onTooManyLimits?: (count: number) => void;
  /**
   * Called for each operation of a caller on an unknown tier. Receives the name of that tier, and
   * the tier that is used instead.
   */
  onUnknownTier?: (name: string, instead: Tier) => void;
  /** Called if a resolver reports a cost for a field that the schema lacks. */
  onUnknownField?: (coordinate: string) => void;
  /** Client names of agents, for rules with `match.agents`. @default 'mcp' */
  agentClients?: readonly string[] | undefined;
  /** Open subscriptions of the process. @default those of this schema */
  subscriptions?: OpenSubscriptions | undefined;
  /** Clock of the records and denials, in epoch milliseconds. @default Date.now */
  now?: () => number;
}

/** State that all operations of a protected server share: the options, with defaults. */
export interface Protection<Context> {
  analyzer: CostAnalyzer;
  limiter: ProtectionLimiter;
  binder: ChargeBinder;
  documents: DocumentCheck;
  registered: RegisteredDocuments | undefined;
  documentPolicy: DocumentPolicy;
  admittedPlans: AdmittedPlans;
  chargeFee: ChargeFee;
  ruleset(): Ruleset;
  identify: Identification<Context>;
  clientOf: ReturnType<typeof createClientOf>;
  suggestions: SuggestionBudget;
  mode: 'ENFORCE' | 'SHADOW';
  denialStatus: 429 | 200;
  minimumCost: number;
  mayReportCost(subject: Subject): boolean;
  abortSignal(contextValue: Context): AbortSignal | undefined;
  batchPlace(contextValue: Context): BatchPlace | undefined;
  operations: Observers;
  subscriptions: OpenSubscriptions;
  onError(error: unknown): void;
  onTooManyLimits(count: number): void;
  onUnknownTier(name: string, instead: Tier): void;
  onUnknownField(coordinate: string): void;
  now(): number;
}

export function createProtection<Context>(options: ProtectionOptions<Context>): Protection<Context> {
  const { mode = 'ENFORCE' } = options;
  return {
    analyzer: options.analyzer,
    limiter: options.limiter,
    binder: createChargeBinder({
      mode,
      tierPrecision: options.tierPrecision,
      poolFinder: options.poolFinder,
      prepare: options.limiter.prepare,
    }),
    documents: createDocumentCheck(options.documentLimits),
    registered: options.registered,
    documentPolicy: options.documentPolicy ?? ALLOW_UNREGISTERED,
    admittedPlans: createAdmittedPlans(options.analyzer, options.forgetDocument ?? (() => {})),
    chargeFee: options.chargeFee,
    ruleset: options.ruleset,
    identify: options.identify,
    clientOf: createClientOf(options.agentClients),
    suggestions: new SuggestionBudget(),
    mode,
    denialStatus: options.denialStatus ?? 429,
    minimumCost: options.minimumCost ?? 1,
    mayReportCost: options.mayReportCost ?? (() => false),
    abortSignal: options.abortSignal ?? (() => undefined),
    batchPlace: options.batchPlace ?? (() => undefined),
    subscriptions: options.subscriptions ?? createOpenSubscriptions(options.limiter),
    operations: broadcast(options.observers ?? []),
    onError: options.onError ?? (() => {}),
    onTooManyLimits: options.onTooManyLimits ?? (() => {}),
    onUnknownTier: options.onUnknownTier ?? (() => {}),
    onUnknownField: options.onUnknownField ?? (() => {}),
    now: options.now ?? Date.now,
  };
}
