import { type ExecutionResult, GraphQLError } from 'graphql';
import type { AdmittedRequest } from '../../any-server/admitted-request.js';
import { formatError } from '../../http/format-error.js';
import { withoutHttp } from '../../protection/answer/http-of-errors.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import type { Exchange } from '../exchange.js';
import { failureOf } from '../upstream/failure-of.js';
import type { EventFormat } from './event-format.js';
import type { UpstreamEvents } from './read-events.js';

interface RelayedEvents {
  readonly operation: AdmittedRequest;
  readonly events: UpstreamEvents;
  readonly format: EventFormat;
  /** Signal of the request to the API. */
  readonly signal: AbortSignal;
}

const IDLE = Symbol('no event');

/**
 * Charges the events of a subscription, and returns the bytes for its client. The next event is
 * read from the API when the client has received the previous one. So a client that reads slowly,
 * and a limit that pauses the subscription, stop the reading.
 */
export function relayEvents(exchange: Exchange, relayed: RelayedEvents): AsyncIterable<string> {
  const { operation, events, format, signal } = relayed;
  const { heartbeatMs, production, onFailure } = exchange.options;
  const charged = operation.events(events, { throwsErrors: true });
  // This also ends a subscription whose client disconnects before the first byte is written.
  exchange.over.then(() => charged.return?.());

  function errorOf(error: unknown): GraphQLError {
    if (error instanceof GraphQLError) return error;
    const failure = failureOf(error, signal);
    if (!exchange.clientGone.aborted) onFailure(failure);
    return failure.toGraphqlError();
  }

  return (async function* () {
    yield format.opening;
    try {
      let next: Promise<IteratorResult<ExecutionResult>> = charged.next();
      for (;;) {
        const step = await withTimeout(next, heartbeatMs, () => IDLE);
        if (typeof step === 'symbol') yield format.heartbeat;
        else if (step.done) break;
        else {
          yield format.event(events.write(step.value));
          next = charged.next();
        }
      }
    } catch (error) {
      const shown = formatError(withoutHttp(errorOf(error)), { production });
      yield format.error(JSON.stringify([shown]));
    }
    yield format.end;
  })();
}
