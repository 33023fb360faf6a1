import type { OperationDefinitionNode } from 'graphql';
import type { DecisionRecord } from '../model/decision-record.js';
import type { Subject } from '../model/subject.js';
import type { FeeOutcome } from './charge-fee.js';
import { OPERATION_TYPES } from './price-operation.js';

interface ForeseenDenial {
  subject: Subject;
  /** Denial of the fee. */
  outcome: FeeOutcome;
  operation: OperationDefinitionNode | undefined;
  startedMs: number;
  mode: DecisionRecord['mode'];
}

/** Returns the record of a request that was denied before its document was validated and priced. */
export function foreseenRecord({ subject, outcome, operation, startedMs, mode }: ForeseenDenial): DecisionRecord {
  return {
    subject,
    tier: outcome.parts.tier.name,
    operationType: OPERATION_TYPES[operation?.operation ?? 'query'],
    operationName: operation?.name?.value,
    requestedCost: 0,
    chargedCost: 0,
    denial: 'THROTTLED',
    deniedBy: outcome.deniedBy,
    shadowDeniedBy: [],
    wouldBeDeniedBy: [],
    degraded: outcome.parts.degraded,
    durationMs: performance.now() - startedMs,
    mode,
  };
}
