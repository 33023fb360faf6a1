import type { OperationType } from './rule.js';
import type { Subject } from './subject.js';
import type { UsageRecord } from './usage-record.js';

/** One operation and what became of it. */
export interface DecisionRecord {
  subject: Subject;
  tier: string;
  operationType: OperationType;
  operationName: string | undefined;
  requestedCost: number;
  /** What was charged at first: `requestedCost`, the minimum where it is only priced and not run, 0 when denied. */
  chargedCost: number;
  /** THROTTLED, MAX_COST_EXCEEDED or UNAVAILABLE; undefined when admitted. */
  denial: 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE' | undefined;
  deniedBy: string | undefined;
  /** Admitted, though these rules, in shadow, would have denied it. */
  shadowDeniedBy: readonly string[];
  degraded: boolean;
  /** From the resolved operation to the decision: pricing, matching, charging. A wait to be let through is not part. */
  durationMs: number;
  mode: 'ENFORCE' | 'SHADOW';
}

/** Is notified of what becomes of operations; must not throw, and is on the way of every request. */
export interface OperationObserver {
  /** Of every decision. */
  onDecision?(record: DecisionRecord): void;
  /**
   * Of what an admitted operation has paid in the end: its actual cost, or what it was charged where that stands, as when
   * the client is gone. The record is the one that `onDecision` was given.
   */
  onSettled?(record: DecisionRecord, paidCost: number): void;
  /** Of every decided operation when its answer goes out, with all its numbers. */
  onAnswer?(record: UsageRecord): void;
}

/** Several observers as one. The numbers of an answer are gathered only where an observer asks for them. */
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
