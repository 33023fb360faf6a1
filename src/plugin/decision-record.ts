import type { OperationType, Subject } from '../rules/types.js';

/** One operation and what became of it. */
export interface DecisionRecord {
  subject: Subject;
  tier: string;
  operationType: OperationType;
  operationName: string | undefined;
  requestedCost: number;
  /** THROTTLED, MAX_COST_EXCEEDED or UNAVAILABLE; undefined when admitted. */
  denial: 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE' | undefined;
  deniedBy: string | undefined;
  degraded: boolean;
  /** From the resolved operation to the decision: pricing, matching, charging. A wait to be let through is not part. */
  durationMs: number;
  mode: 'ENFORCE' | 'SHADOW';
}
