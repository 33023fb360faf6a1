import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { DecisionRecord } from '../model/decision-record.js';
import type { Subject } from '../model/subject.js';
import type { FeeOutcome } from './fee.js';
import type { OperationRequest } from './operation-request.js';
import { OPERATION_TYPES } from './price-operation.js';

/** A request that was parsed, and neither validated nor priced. */
export interface UnpricedRequest {
  document: DocumentNode;
  operationName: string | null | undefined;
  header: OperationRequest['header'];
}

/** The same with all that its price depends on. */
export interface UnvalidatedRequest extends UnpricedRequest {
  schema: GraphQLSchema;
  variables: OperationRequest['variables'];
  documentHash: OperationRequest['documentHash'];
}

/** A denial that was known before the operation was validated. */
export interface ForeseenDenial {
  startedMs: number;
  subject: Subject;
  operation: OperationDefinitionNode | null | undefined;
  /** Of the fee, which could not be paid: what the answer says. */
  outcome: FeeOutcome;
}

/** A decision like any other, of an operation that was never priced: it counts where denials are counted. */
export function recordOfForeseen(
  { startedMs, subject, operation, outcome }: ForeseenDenial,
  mode: DecisionRecord['mode'],
): DecisionRecord {
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
    degraded: outcome.parts.degraded,
    durationMs: performance.now() - startedMs,
    mode,
  };
}
