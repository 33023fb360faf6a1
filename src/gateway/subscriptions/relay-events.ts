import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import type { AdmittedRequest } from '../../any-server/admitted-request.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import type { EventFormat } from './event-format.js';
import type { UpstreamEvents } from './read-upstream-events.js';

interface RelayedEvents {
  readonly operation: AdmittedRequest;
  readonly events: UpstreamEvents;
  readonly format: EventFormat;
  /** Time in milliseconds without an event after which the client receives a heartbeat. */
  readonly heartbeatMs: number;
  /** Resolves when the response is sent, or the client has disconnected. */
  readonly over: Promise<void>;
  /** Returns the error that the client receives if the events end with an error. */
  shown(error: unknown): GraphQLFormattedError;
}

const IDLE = Symbol('no event');

/**
 * Charges the events of a subscription, and returns the bytes for its client. The next event is
 * read from the API when the client has received the previous one. So a client that reads slowly,
 * and a limit that pauses the subscription, stop the reading.
 */
export function relayEvents({
  operation,
  events,
  format,
  heartbeatMs,
  over,
  shown,
}: RelayedEvents): AsyncIterable<string> {
  const charged = operation.events(events, { throwsErrors: true, transport: format.transport });
  // This also ends a subscription whose client disconnects before the first byte is written.
  over.then(() => charged.return?.());

  async function* chunks(): AsyncGenerator<string> {
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
      yield format.error(JSON.stringify([shown(error)]));
    }
    yield format.end;
  }
  return chunks();
}
