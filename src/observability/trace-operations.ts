import type { Span } from '@opentelemetry/api';
import type { DecisionRecord, OperationObserver } from '../model/decision-record.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';

/** The part of `@opentelemetry/api` that is used. The package need not be installed. */
type OpenTelemetry = Pick<typeof import('@opentelemetry/api'), 'trace' | 'context'>;

/** Returns OpenTelemetry's API. Undefined if the package is not installed. */
export async function loadOpenTelemetry(): Promise<OpenTelemetry | undefined> {
  // Bundlers tolerate an unresolved import only inside a `try`.
  try {
    return await import('@opentelemetry/api');
  } catch {
    return undefined;
  }
}

/**
 * Creates the tracing of decisions. It adds a span `tollgate.decide` as a child of the active span.
 * The span ends at the decision and lasts as long as `durationMs`. It also adds the event
 * `tollgate.settled` to the active span itself. If no span is recording, it adds nothing.
 * Attributes describe the decision and its reason, never the caller: no user, key, address or
 * variables.
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
