import type { AskedBy } from './asked-by.js';
import type { OperationType } from './rule.js';
import type { Subject } from './subject.js';
import type { UsageRecord } from './usage-record.js';

/** A registered document, by the names that its app has given. */
interface RecordedDocument {
  readonly app: string;
  readonly version: string;
  readonly id: string;
  /** Numbers of the version and of the document in the store. */
  readonly versionNumber: number;
  readonly number: number;
}

/** An operation with the decision about it. */
export interface DecisionRecord {
  subject: Subject;
  /** Name of the tier. */
  tier: string;
  operationType: OperationType;
  operationName: string | undefined;
  /** Registered document of the operation; undefined if it is not registered. */
  document?: RecordedDocument | undefined;
  /** Undefined if this process executes the operation or forwards it. */
  askedBy?: AskedBy | undefined;
  /** Estimated cost, in tokens. */
  requestedCost: number;
  /**
   * Amount charged at first: `requestedCost`; the minimum cost if the request asks only for the
   * price (`GraphQL-Cost: validate`); 0 if the operation is denied.
   */
  chargedCost: number;
  /** Code of the denial; undefined if the operation was admitted. */
  denial: 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE' | undefined;
  /**
   * Name of the rule that denied the operation, `tier:NAME` for the bucket or a maximum of its
   * tier, or `limits-per-operation` if too many limits apply to it. Undefined if it was admitted.
   */
  deniedBy: string | undefined;
  /**
   * Names of the limits that would have denied the operation, but did not, because their rule or
   * Tollgate itself (`mode: 'SHADOW'`) is in shadow mode. Empty for a denied operation.
   */
  shadowDeniedBy: readonly string[];
  /**
   * The part of `shadowDeniedBy` that is due to `mode: 'SHADOW'` alone: without the rules that are
   * in shadow mode themselves.
   */
  wouldBeDeniedBy: readonly string[];
  /**
   * Whether the decision was made without Redis, because Redis was unavailable or did not reply in
   * time.
   */
  degraded: boolean;
  /**
   * Time to decide the operation, in milliseconds: pricing, matching of rules, charging.
   * A wait for a concurrency slot and a delay before execution are not included.
   */
  durationMs: number;
  /**
   * Time for which the operation waited for a concurrency slot, in milliseconds; undefined if it did
   * not wait.
   */
  waitedMs: number | undefined;
  mode: 'ENFORCE' | 'SHADOW';
}

/** Observer of operations. Its methods must not throw, and they run within every request. */
export interface OperationObserver {
  /** Called with every decision. */
  onDecision?(record: DecisionRecord): void;
  /**
   * Called with the final charge of an admitted operation. It is the actual cost, or the originally
   * charged amount if that is not corrected, for example after the client has disconnected. The
   * record is the object that `onDecision` received.
   */
  onSettled?(record: DecisionRecord, paidCost: number): void;
  /** Called with all numbers of a decided operation when its response is sent. */
  onAnswer?(record: UsageRecord): void;
}

/**
 * Several observers combined into one. The numbers of a response are collected only if an observer
 * has `onAnswer`.
 */
export interface Observers extends Required<Pick<OperationObserver, 'onDecision' | 'onSettled'>> {
  onAnswer: ((record: UsageRecord) => void) | undefined;
}

export function broadcast(observers: readonly OperationObserver[]): Observers {
  const deciding = observers.flatMap((one) => one.onDecision?.bind(one) ?? []);
  const settling = observers.flatMap((one) => one.onSettled?.bind(one) ?? []);
  const answering = observers.flatMap((one) => one.onAnswer?.bind(one) ?? []);
  return {
    onAnswer:
      answering.length === 0
        ? undefined
        : (record) => {
            for (const notify of answering) notify(record);
          },
    onDecision(record) {
      for (const notify of deciding) notify(record);
    },
    onSettled(record, paidCost) {
      for (const notify of settling) notify(record, paidCost);
    },
  };
}
