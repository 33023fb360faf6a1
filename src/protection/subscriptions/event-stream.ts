import { type DocumentNode, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { ERRORS, errorOf } from '../../model/errors.js';
import type { OpenStream, StreamTransport } from '../../model/open-stream.js';
import { waitFor } from '../../runtime/wait-for.js';
import { withoutHttp } from '../answer/http-of-errors.js';
import { withoutSlots } from '../answer/is-slot-limit.js';
import { costsOfNothing } from '../charge-binder.js';
import { createCurrentLimits } from '../create-current-limits.js';
import type { Operation, TypedExecution } from '../operation.js';
import type { Protection } from '../protection.js';
import { describeStream } from '../slots/describe-stream.js';
import { type EndReason, leaseOf } from '../slots/open-subscriptions.js';
import { type ChargedSubscription, chargeEvent, type PricedEvent, priceEvent } from './charge-event.js';

interface EventStreamOptions {
  operation: Operation;
  schema: GraphQLSchema;
  document: DocumentNode;
  /** Reads the types of the objects in an event. Undefined if the events contain the types. */
  typed: TypedExecution | undefined;
  /** Events, as `subscribe` of graphql-js returns them. */
  source: AsyncIterable<ExecutionResult>;
  /** Extensions of the first event that is sent. */
  firstExtensions: Promise<Record<string, unknown> | undefined>;
  /**
   * Form in which the stream reports an early end. `RESULT`: a last event has only errors. `THROW`:
   * the stream throws the error, for servers whose protocol has a separate message for errors.
   */
  endsBy: 'RESULT' | 'THROW';
  /** Transport of the events, for the list of open subscriptions. */
  transport: StreamTransport | undefined;
  /** Called once, when the subscription ends for any reason. */
  onEnd: () => void;
}

type Step = IteratorResult<ExecutionResult, undefined>;

const DONE: Step = { done: true, value: undefined };

/** Maximum time for which one event pauses a subscription, in milliseconds. */
const MAX_PAUSE_MS = 60_000;

/** Shortest time between two charges of one event, in milliseconds. */
const SHORTEST_PAUSE_MS = 10;

/**
 * The events of one subscription. Each is charged before it is sent. A denied event is dropped,
 * pauses the subscription, or ends it. The rule of the limit that denied the event determines this.
 *
 * It is not a generator. The `return` of a generator waits for the pending `next`, which may wait
 * for an event that never arrives.
 */
export class EventStream<Context> implements AsyncIterableIterator<ExecutionResult, undefined> {
  readonly #protection: Protection<Context>;
  readonly #options: EventStreamOptions;
  readonly #iterator: AsyncIterator<ExecutionResult>;
  readonly #subscription: ChargedSubscription;
  readonly #stream: OpenStream;
  readonly #updateLimits: () => void;
  readonly #unregister: () => void;
  /** Aborted when the stream ends. It ends pauses and delays. */
  readonly #ended = new AbortController();
  /** Ends the pending calls of `next`. */
  readonly #pending = new Set<(step: Step | GraphQLError) => void>();
  #isFirst = true;
  /** Error that the next call of `next` reports, if no call was pending when the stream ended. */
  #lastError: GraphQLError | undefined;

  constructor(protection: Protection<Context>, options: EventStreamOptions) {
    // The limits of this copy follow the rules in force. The original keeps its charged limits.
    const operation = { ...options.operation };
    const rootType = options.schema.getSubscriptionType()?.name ?? '';
    this.#protection = protection;
    this.#options = options;
    this.#iterator = options.source[Symbol.asyncIterator]();
    this.#subscription = { operation, document: options.document, rootType };
    this.#updateLimits = createCurrentLimits(protection, operation);
    this.#stream = describeStream(operation.subject, {
      kind: 'SUBSCRIPTION',
      operation: operation.operationName,
      client: operation.client,
      transport: options.transport ?? (operation.connection && 'WEBSOCKET'),
      cost: operation.requestedCost,
    });
    const end = (reason: EndReason) => {
      if (reason === 'STOP') this.#refundStart();
      this.#endWith(endingError(reason));
    };
    this.#unregister = registerSlots(protection, operation, end, this.#stream);
  }

  next(): Promise<Step> {
    if (this.#ended.signal.aborted) return this.#lastStep();
    return new Promise((resolve, reject) => {
      const settle = (step: Step | GraphQLError) => {
        this.#pending.delete(settle);
        if (step instanceof GraphQLError) this.#report(step).then(resolve, reject);
        else resolve(step);
      };
      this.#pending.add(settle);
      this.#nextSent().then(settle, (error) => {
        reject(error);
        this.#end(DONE);
      });
    });
  }

  async return(): Promise<Step> {
    this.#end(DONE);
    this.#stopSource();
    return DONE;
  }

  async throw(error: unknown): Promise<Step> {
    this.#end(DONE);
    this.#stopSource();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Resolves to the next event that is not dropped, or to `DONE`. `#endWith` reports errors. */
  async #nextSent(): Promise<Step | GraphQLError> {
    for (;;) {
      const step: IteratorResult<ExecutionResult> = await this.#iterator.next();
      if (step.done || this.#ended.signal.aborted) {
        this.#end(DONE);
        return DONE;
      }
      this.#options.typed?.take(step.value.data);
      this.#updateLimits();
      const outcome = await this.#admit(priceEvent(this.#protection, this.#subscription, step.value));
      if (this.#ended.signal.aborted) return DONE;
      if (outcome === 'DROPPED') continue;
      if (outcome !== 'ADMITTED') {
        this.#endWith(outcome);
        return DONE;
      }
      this.#protection.subscriptions.events.sent++;
      this.#stream.events++;
      return { done: false, value: await this.#withExtensions(step.value) };
    }
  }

  /** Charges an event. Waits if it is delayed, or if a denial pauses the subscription. */
  async #admit(event: PricedEvent): Promise<'ADMITTED' | 'DROPPED' | GraphQLError> {
    const { signal } = this.#ended;
    let leftMs = MAX_PAUSE_MS;
    let isDenied = false;
    for (;;) {
      const decision = await chargeEvent(this.#protection, event);
      if (decision.admitted) {
        this.#stream.cost += event.operation.requestedCost;
        if (decision.delayMs > 0) await waitFor(decision.delayMs, signal);
        return 'ADMITTED';
      }
      if (!isDenied) this.#protection.subscriptions.events.denied++;
      isDenied = true;
      const { policy, error, retryAfterMs } = decision;
      if (policy === 'DROP') return 'DROPPED';
      if (policy === 'COMPLETE' || retryAfterMs === undefined || retryAfterMs > leftMs) return error;
      const waitMs = Math.max(SHORTEST_PAUSE_MS, retryAfterMs);
      leftMs -= waitMs;
      if (!(await waitFor(waitMs, signal))) return 'DROPPED';
    }
  }

  async #withExtensions(event: ExecutionResult): Promise<ExecutionResult> {
    if (!this.#isFirst) return event;
    this.#isFirst = false;
    const extensions = await this.#options.firstExtensions;
    return extensions ? { ...event, extensions: { ...event.extensions, ...extensions } } : event;
  }

  #lastStep(): Promise<Step> {
    const error = this.#lastError;
    this.#lastError = undefined;
    return error === undefined ? Promise.resolve(DONE) : this.#report(error);
  }

  /** Reports an error without its HTTP status and headers, because the response has begun. */
  async #report(error: GraphQLError): Promise<Step> {
    const { message, extensions = {} } = withoutHttp(error);
    const shown = new GraphQLError(message, { extensions });
    if (this.#options.endsBy === 'THROW') throw shown;
    return { done: false, value: { errors: [shown] } };
  }

  /** Ends the stream with an error before its source ends, and stops the source. */
  #endWith(error: GraphQLError): void {
    if (this.#ended.signal.aborted) return;
    if (this.#pending.size === 0) this.#lastError = error;
    this.#end(error);
    this.#stopSource();
  }

  /**
   * Refunds the charge of the start, so that the client does not pay twice if it subscribes again at
   * another process. The end of the stream frees the slots. The charge of a batch stays, because it
   * includes other operations.
   */
  #refundStart(): void {
    const { decision, bound, charges } = this.#options.operation;
    if (this.#ended.signal.aborted || !decision?.admitted || charges !== bound.charges) return;
    const { limiter, onError } = this.#protection;
    limiter.settleUnawaited(decision.receipt, withoutSlots(costsOfNothing(bound), bound.limits), onError);
  }

  #end(step: Step | GraphQLError): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.#unregister();
    this.#options.onEnd();
    // Only one of several pending calls reports an error.
    const [first, ...others] = this.#pending;
    first?.(step);
    for (const settle of others) settle(DONE);
  }

  /** Does not wait for the source, because its `return` may wait for an event. */
  #stopSource(): void {
    Promise.resolve(this.#iterator.return?.()).catch(() => {});
  }
}

/**
 * Registers a subscription: it is listed, its slots are renewed, and `end` is called when the server
 * stops or an administrator ends it. Returns the function that removes it.
 */
function registerSlots<Context>(
  protection: Protection<Context>,
  { decision, bound }: Operation,
  end: (reason: EndReason) => void,
  stream: OpenStream,
): () => void {
  if (!decision?.admitted) return () => {};
  return protection.subscriptions.add({ receipt: decision.receipt, leaseMs: leaseOf(bound.limits) }, end, stream);
}

function endingError(reason: EndReason): GraphQLError {
  if (reason === 'ADMINISTRATOR') return errorOf('ENDED_BY_ADMINISTRATOR', ERRORS.ENDED_BY_ADMINISTRATOR.message);
  const { message } = ERRORS.SUBSCRIPTION_ENDED;
  return errorOf('SUBSCRIPTION_ENDED', `${message}, because it stops: subscribe again`);
}
