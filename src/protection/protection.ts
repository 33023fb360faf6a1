import type { DocumentNode } from 'graphql';
import { type AdmittedPlans, createAdmittedPlans } from '../cost/admitted-plans.js';
import type { CostAnalyzer } from '../cost/create-cost-analyzer.js';
import { createDocumentCheck, type DocumentCheck } from '../documents/document-check.js';
import type { DocumentLimits } from '../documents/measure-document.js';
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

/** What protects the operations of one schema. */
export interface ProtectionOptions<Context> {
  analyzer: CostAnalyzer;
  limiter: ProtectionLimiter;
  /** The rules in force, asked for on each request. */
  ruleset(): Ruleset;
  identify: Identification<Context>;
  /** What an answer pays that was never priced, or that can never pass. */
  chargeFee: ChargeFee;
  /** Which operations have a Redis of their own. @default none */
  poolFinder?: PoolFinder | undefined;
  /** How large a document may be before it is parsed. */
  documentLimits?: Partial<DocumentLimits>;
  /** Called with documents that were refused and never let in, for a store not to keep them. @default not called */
  forgetDocument?: (document: DocumentNode) => void;
  /** `SHADOW` evaluates every limit and never denies. @default 'ENFORCE' */
  mode?: 'ENFORCE' | 'SHADOW';
  /** Of the buckets that tiers bring: whether instances may take tokens ahead. @default 'EXACT' */
  tierPrecision?: Precision | undefined;
  /** The status of a THROTTLED answer: 200 for clients that cannot bear 429. @default 429 */
  denialStatus?: 429 | 200;
  /** Who may ask for an answer in full, with the cost of each field, by `GraphQL-Cost: report`. @default no caller */
  mayReportCost?: (subject: Subject) => boolean;
  /** Aborted when the client is gone; then the estimate stands, and a wait to be let through ends. */
  abortSignal?: (contextValue: Context) => AbortSignal | undefined;
  /** The operation's place in a batch that is charged as one; set by the code that took the batch apart. */
  batchPlace?: (contextValue: Context) => BatchPlace | undefined;
  /** Are notified of what becomes of operations, in this order. @default none */
  observers?: readonly OperationObserver[];
  /** What an operation costs that is only priced (`GraphQL-Cost: validate`). @default 1 */
  minimumCost?: number;
  /** Called for a settlement that failed; the estimate stands then. */
  onError?: (error: unknown) => void;
  /** Called with how many limits an operation was refused for, where they are more than can be charged together. */
  onTooManyLimits?: (count: number) => void;
  /** Called for each operation of a caller on a tier that there is not, and whose tier they have instead. */
  onUnknownTier?: (name: string, instead: Tier) => void;
  /** For headers that count seconds from now. @default Date.now */
  now?: () => number;
}

/** What all operations of a protected server share: the options, with defaults. */
export interface Protection<Context> {
  analyzer: CostAnalyzer;
  limiter: ProtectionLimiter;
  binder: ChargeBinder;
  documents: DocumentCheck;
  admittedPlans: AdmittedPlans;
  chargeFee: ChargeFee;
  ruleset(): Ruleset;
  identify: Identification<Context>;
  mode: 'ENFORCE' | 'SHADOW';
  denialStatus: 429 | 200;
  minimumCost: number;
  mayReportCost(subject: Subject): boolean;
  abortSignal(contextValue: Context): AbortSignal | undefined;
  batchPlace(contextValue: Context): BatchPlace | undefined;
  operations: Observers;
  onError(error: unknown): void;
  onTooManyLimits(count: number): void;
  onUnknownTier(name: string, instead: Tier): void;
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
    admittedPlans: createAdmittedPlans(options.analyzer, options.forgetDocument ?? (() => {})),
    chargeFee: options.chargeFee,
    ruleset: options.ruleset,
    identify: options.identify,
    mode,
    denialStatus: options.denialStatus ?? 429,
    minimumCost: options.minimumCost ?? 1,
    mayReportCost: options.mayReportCost ?? (() => false),
    abortSignal: options.abortSignal ?? (() => undefined),
    batchPlace: options.batchPlace ?? (() => undefined),
    operations: broadcast(options.observers ?? []),
    onError: options.onError ?? (() => {}),
    onTooManyLimits: options.onTooManyLimits ?? (() => {}),
    onUnknownTier: options.onUnknownTier ?? (() => {}),
    now: options.now ?? Date.now,
  };
}
