import type { OperationType, Subject } from '../rules/types.js';

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
  degraded: boolean;
  /** From the resolved operation to the decision: pricing, matching, charging. A wait to be let through is not part. */
  durationMs: number;
  mode: 'ENFORCE' | 'SHADOW';
}

/** Told what becomes of operations; must not throw, and is on the way of every request. */
export interface OperationObserver {
  /** Of every decision. */
  onDecision?(record: DecisionRecord): void;
  /**
   * Of what an admitted operation has paid in the end: its actual cost, or what it was charged where that stands, as when
   * the client is gone. The record is the one that `onDecision` was given.
   */
  onSettled?(record: DecisionRecord, paidCost: number): void;
}

/** One observer that tells several. */
export function tellAll(observers: readonly OperationObserver[]): Required<OperationObserver> {
  const deciding = observers.flatMap((one) => one.onDecision?.bind(one) ?? []);
  const settling = observers.flatMap((one) => one.onSettled?.bind(one) ?? []);
  return {
    onDecision(record) {
      for (const tell of deciding) tell(record);
    },
    onSettled(record, paidCost) {
      for (const tell of settling) tell(record, paidCost);
    },
  };
}
