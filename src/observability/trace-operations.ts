import type { Span } from '@opentelemetry/api';
import type { DecisionRecord, OperationObserver } from '../model/decision-record.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';

/** What is used of `@opentelemetry/api`, which need not be installed. */
type OpenTelemetry = Pick<typeof import('@opentelemetry/api'), 'trace' | 'context'>;

/** OpenTelemetry's API where it is installed; undefined where it is not. */
export async function loadOpenTelemetry(): Promise<OpenTelemetry | undefined> {
  // In a `try`, in which bundlers leave alone what they cannot find.
  try {
    return await import('@opentelemetry/api');
  } catch {
    return undefined;
  }
}

/**
 * Shows decisions in traces: a span `tollgate.decide` from the resolved operation to the decision, below the span that is
 * active then, and the event `tollgate.settled` on that one. Where no span is recording nothing is made. Attributes say
 * what and why, never who: no user, key, address, and no variables.
 */
export function traceOperations({ trace, context }: OpenTelemetry): OperationObserver {
  const spans = createObjectNotes<DecisionRecord, Span>();

  return {
    onDecision(record) {
      const above = trace.getActiveSpan();
      if (!above?.isRecording()) return;
      const { denial, deniedBy, degraded, mode, tier, operationType, requestedCost, chargedCost } = record;
      const endMs = Date.now();
      const options = {
        startTime: endMs - record.durationMs,
        attributes: {
          'graphql.operation.type': operationType.toLowerCase(),
          'tollgate.result': denial?.toLowerCase() ?? 'admitted',
          ...(deniedBy !== undefined && { 'tollgate.rule': deniedBy }),
          'tollgate.cost.requested': requestedCost,
          'tollgate.cost.charged': chargedCost,
          'tollgate.tier': tier,
          'tollgate.mode': mode.toLowerCase(),
          'tollgate.degraded': degraded,
        },
      };
      trace.getTracer('tollgate').startSpan('tollgate.decide', options, context.active()).end(endMs);
      spans.set(record, above);
    },
    onSettled(record, paidCost) {
      spans.get(record)?.addEvent('tollgate.settled', { 'tollgate.cost.actual': paidCost });
    },
  };
}
