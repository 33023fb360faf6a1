import { createBucketMirror } from './bucket-mirror.js';
import type { BucketReport, BudgetReport } from './budget-report.js';
import { checkPacerOptions } from './check-options.js';
import { createLearnedPrices } from './learned-prices.js';
import { steadyClock } from './steady-clock.js';
import { createWaitingLine } from './waiting-line.js';

export interface PacerOptions {
  /** Maximum number of waiting operations; the next one fails with `QUEUE_FULL`. @default 1000 */
  maxQueue?: number;
  /** Maximum total wait of an operation, in milliseconds. @default 90000 */
  maxWaitMs?: number;
  /**
   * Maximum number of operations in flight before the first response has reported the bucket.
   * @default 4
   */
  maxProbes?: number;
  /**
   * Receives the events of the pacer. If it throws, the pacer reports the error, and operations
   * continue.
   */
  onEvent?: (event: PacerEvent) => void;
  /**
   * Returns the time in milliseconds. If the clock is set back, the pacer's time continues from its
   * last value.
   * @default performance.now
   */
  now?: () => number;
  /**
   * Calls back after a delay in milliseconds, and returns a function that cancels the call.
   * @default setTimeout
   */
  setTimer?: (callback: () => void, delayMs: number) => () => void;
  /** Returns a random number from 0 to 1, for the jitter of retries. @default Math.random */
  random?: () => number;
}

export interface PacedOperation {
  /** Identifies the document: its text or its hash. */
  key: string;
  variables?: unknown;
  /** Priority. Operations with a higher priority are sent first. @default 0 */
  priority?: number | undefined;
  /** Signal that ends the wait when it is aborted. */
  signal?: AbortSignal | null | undefined;
  /**
   * Price, if it is known in advance. Once a response contradicts it, the pacer learns the price of
   * the key from responses.
   * @default learned from responses
   */
  price?: number | undefined;
}

/** Returns the price of an operation before it is sent, if it is known. It must not throw. */
export type PriceOf = (operation: {
  /** Text of the operation, including its fragments. */
  document: string;
  operationName?: string | undefined;
  variables?: unknown;
}) => number | undefined;

/** Permission to send an operation now. The caller must call exactly one of the functions, once. */
export interface Permit {
  /**
   * Records the response. With 'AGAIN', the operation was denied, has not run, and waits again:
   * `admitted` resolves to the new permit. With 'DONE', the response is final. It may be a denial
   * with a wait that is too long.
   */
  answered(report: BudgetReport): { outcome: 'DONE' } | { outcome: 'AGAIN'; admitted: Promise<Permit> };
  /**
   * Records that no response was received. The operation may have run, so the pacer never sends it
   * again, and its price counts as charged.
   */
  lost(): void;
}

export interface Attempt<Result> {
  result: Result;
  report: BudgetReport;
}

/** The remaining budget, for an app to show. */
export interface Quota extends BucketReport {
  /** Number of waiting operations. */
  waiting: number;
}

export type PacerEvent =
  | { type: 'WAITING'; key: string; waitMs: number }
  | { type: 'SENT'; key: string; price: number | undefined }
  | { type: 'DENIED'; key: string; retryAfterMs: number | undefined; deniedBy: string | undefined }
  /**
   * The given price differs from the price of the API. From now on, the pacer learns the price from
   * responses.
   */
  | { type: 'WRONG_PRICE'; key: string; price: number; requestedCost: number }
  | { type: 'GIVEN_UP'; key: string; reason: PacerError['code'] };

export interface Pacer {
  /**
   * Waits until the operation may be sent.
   * @throws PacerError, or the abort reason of its signal
   */
  admit(operation: PacedOperation): Promise<Permit>;
  /**
   * Sends the operation when the budget suffices, and sends it again after a denial. Sending it
   * again is safe, because a denied operation has not run. Rejects with the errors of `admit` and
   * `send`. If a denied operation cannot wait long enough, `run` resolves to the denied response.
   */
  run<Result>(operation: PacedOperation, send: () => Promise<Attempt<Result>>): Promise<Result>;
  /**
   * Returns the remaining budget. Undefined before the first response. Returns the same object
   * until the quota changes.
   */
  quota(): Quota | undefined;
  /**
   * Notifies the callback of every change of the quota: by a response, a waiting operation, or the
   * refill. Returns a function that unsubscribes.
   */
  subscribe(callback: () => void): () => void;
}

/**
 * The error of an operation that was not sent, or not sent again, because it could not wait for the
 * budget.
 */
export class PacerError extends Error {
  override readonly name = 'PacerError';
  constructor(
    readonly code: 'QUEUE_FULL' | 'WAIT_TOO_LONG',
    message: string,
    /** Milliseconds until the operation could be sent, if known. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

interface Entry {
  readonly key: string;
  readonly priority: number;
  readonly sinceMs: number;
  readonly operation: PacedOperation;
  /**
   * Time until which a limit on this operation delays it. The bucket, which limits all operations,
   * is not included.
   */
  heldUntilMs: number;
  /**
   * Time from which the end of another operation may release this operation before `heldUntilMs`.
   * Infinity: never.
   */
  readonly slotFromMs: number;
  /** Number of denials so far. */
  readonly denials: number;
  admit(permit: Permit): void;
  reject(error: unknown): void;
  stopListening(): void;
}

/**
 * Maximum jitter of a retry, as a share of its wait. The first retry has no jitter if no other user
 * of the bucket was seen.
 */
const JITTER = 0.05;
/**
 * Maximum timer duration. Clocks may be changed and computers may sleep, so the pacer checks its
 * waits again after this time.
 */
const LONGEST_TIMER_MS = 30_000;
/** Wait after a denial that reports no time. */
const UNKNOWN_RETRY_MS = 1000;
/**
 * Bounds of the exponential backoff of an operation that is denied repeatedly. The backoff applies
 * even if the server reports a shorter wait.
 */
const FIRST_BACKOFF_MS = 50;
const LONGEST_BACKOFF_MS = 10_000;
/**
 * Interval of probes while an operation would have to wait for the bucket for longer than
 * `maxWaitMs`. An administrator may have changed the tier meanwhile.
 */
const PROBE_EVERY_MS = 30_000;
/** Interval at which subscribers are notified of the refill. */
const REFRESH_EVERY_MS = 250;

/**
 * Creates a pacer. It delays operations that would be denied, and releases them when the budget
 * suffices. Use a separate pacer for each budget, that is, for each API and each credential. A
 * retry is safe because a denied operation has run no resolver.
 */
export function createPacer(options: PacerOptions = {}): Pacer {
  checkPacerOptions(options);
  const { maxQueue = 1000, maxWaitMs = 90_000, maxProbes = 4, random = Math.random } = options;
  const now = steadyClock(options.now ?? (() => performance.now()));
  const setTimer = options.setTimer ?? startTimer;
  const mirror = createBucketMirror();
  const prices = createLearnedPrices();
  const line = createWaitingLine<Entry>();
  const listeners = new Set<() => void>();
  const onEvent = options.onEvent && ((event: PacerEvent) => callSafely(() => options.onEvent?.(event)));
  /** Documents without a known price, while the first operation of each is in flight. */
  const unpriced = new Set<string>();
  /** Operations in flight. */
  let sent = 0;
  /** Operations sent since the start. */
  let sentInAll = 0;
  /** Time until which the API denies every operation of this caller. */
  let closedUntilMs = Number.NEGATIVE_INFINITY;
  /**
   * Number of consecutive responses without a budget. After `maxProbes` of them, the pacer assumes
   * that the API reports no budget.
   */
  let silentAnswers = 0;
  /** Time at which an operation was last sent. Its response may report the bucket. */
  let askedMs = Number.NEGATIVE_INFINITY;
  /** Assumed price of an operation whose price is unknown. */
  let typicalPrice = 1;
  let quota: Quota | undefined;
  let cancelTimer: (() => void) | undefined;
  let cancelRefresh: (() => void) | undefined;

  const guess = (operation: PacedOperation) => priceOf(operation) ?? typicalPrice;
  const priceOf = ({ key, variables, price }: PacedOperation) =>
    (price !== undefined && prices.isTrusted(key) ? price : undefined) ?? prices.priceOf(key, variables);

  function admit(operation: PacedOperation): Promise<Permit> {
    if (operation.signal?.aborted) return Promise.reject(operation.signal.reason);
    if (line.size >= maxQueue) {
      onEvent?.({ type: 'GIVEN_UP', key: operation.key, reason: 'QUEUE_FULL' });
      return Promise.reject(new PacerError('QUEUE_FULL', `${maxQueue} operations are already waiting (maxQueue)`));
    }
    return wait(operation, {
      sinceMs: now(),
      heldUntilMs: Number.NEGATIVE_INFINITY,
      slotFromMs: Number.POSITIVE_INFINITY,
      denials: 0,
    });
  }

  function wait(
    operation: PacedOperation,
    since: Pick<Entry, 'sinceMs' | 'heldUntilMs' | 'slotFromMs' | 'denials'>,
  ): Promise<Permit> {
    return new Promise<Permit>((resolve, reject) => {
      const onAbort = () => {
        drop(entry, now());
        reject(operation.signal?.reason);
        // The operation may have been first in line, and the timer may have been set for it.
        letGo();
      };
      const entry: Entry = {
        key: operation.key,
        priority: operation.priority ?? 0,
        operation,
        ...since,
        admit: resolve,
        reject,
        stopListening: () => operation.signal?.removeEventListener('abort', onAbort),
      };
      operation.signal?.addEventListener('abort', onAbort, { once: true });
      line.add(entry);
      letGo();
    });
  }

  const isSilent = () => !mirror.isKnown && silentAnswers >= maxProbes;
  const isHeldAt = (nowMs: number) => (entry: Entry) =>
    entry.heldUntilMs > nowMs || (!isSilent() && unpriced.has(entry.key) && priceOf(entry.operation) === undefined);

  /** Admits every operation that may be sent now, and sets the timer for the next one. */
  function letGo(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    const nowMs = now();
    giveUp(nowMs);
    for (;;) {
      const entry = line.next(nowMs, isHeldAt(nowMs));
      if (entry === undefined) break;
      if (nowMs < closedUntilMs) break;
      if (!mirror.isKnown && sent >= maxProbes && !isSilent()) break;
      const price = priceOf(entry.operation);
      // The first operation in line waits for its tokens, and all others wait for the first one.
      // Otherwise small operations would starve large ones.
      if (mirror.timeOf(price ?? typicalPrice, nowMs) > nowMs && probeTimeOf(entry, nowMs) > nowMs) break;
      line.take(entry);
      go(entry, price);
    }
    if (line.size > 0) comeBack(nowMs);
    update();
  }

  /**
   * Returns the time at which the operation is sent although the bucket seems to be too empty. Only
   * a response can show that the bucket has changed.
   */
  function probeTimeOf({ operation, sinceMs }: Entry, nowMs: number): number {
    const roomMs = mirror.timeOf(guess(operation), nowMs);
    // A fixed window has a known end, and some APIs penalize requests before that end.
    const isWindow = mirror.state(nowMs)?.restorePerSecond === 0 && roomMs < Number.POSITIVE_INFINITY;
    if (sent > 0 || isWindow || roomMs <= sinceMs + maxWaitMs) return Number.POSITIVE_INFINITY;
    return askedMs + PROBE_EVERY_MS;
  }

  function go(entry: Entry, price: number | undefined): void {
    const { operation } = entry;
    entry.stopListening();
    const isAlone = sent === 0;
    sent++;
    const number = ++sentInAll;
    if (price === undefined) unpriced.add(entry.key);
    const sentMs = now();
    askedMs = sentMs;
    const expected = price ?? typicalPrice;
    mirror.send(expected, sentMs);
    onEvent?.({ type: 'SENT', key: entry.key, price });
    let isSettled = false;
    /**
     * Records the end of the operation; `report` is undefined if no response was received. Returns
     * false from the second call on.
     */
    const settle = (report: BudgetReport | undefined): boolean => {
      if (isSettled) return false;
      isSettled = true;
      const nowMs = now();
      sent--;
      if (price === undefined) unpriced.delete(entry.key);
      // A denied operation had no slot. It must not release another operation, because that
      // operation would be denied too.
      if (report?.denial === undefined) offerSlot(nowMs);
      if (report === undefined) {
        mirror.settle(expected, nowMs, { type: 'LOST' });
        return true;
      }
      const { bucket, denial, requestedCost } = report;
      // Without a bucket, there is as little to pace as with an API that reports none.
      if (bucket === null) silentAnswers = maxProbes;
      else if (bucket || denial || requestedCost !== undefined) silentAnswers = 0;
      else silentAnswers++;
      if (requestedCost !== undefined) learnPrice(operation, requestedCost);
      if (!bucket) {
        mirror.settle(expected, nowMs, { type: bucket === null ? 'UNLIMITED' : 'SILENT' });
        return true;
      }
      const wasAlone = isAlone && number === sentInAll;
      const charged = denial ? 0 : (requestedCost ?? (wasAlone ? chargeSeenIn(bucket, nowMs) : undefined));
      // Some APIs report no prices. Without a learned price, only one operation of a document could
      // be in flight at any time.
      if (requestedCost === undefined && !denial) prices.learn(operation.key, operation.variables, charged ?? expected);
      const isDenied = denial !== undefined && isBucketShort(report);
      mirror.settle(expected, nowMs, { type: 'REPORTED', bucket, charged, isDenied, sentMs });
      return true;
    };
    entry.admit({
      answered(report) {
        if (!settle(report) || report.denial === undefined) {
          letGo();
          return { outcome: 'DONE' };
        }
        return denied(entry, report);
      },
      lost() {
        settle(undefined);
        letGo();
      },
    });
  }

  /**
   * Releases the next operation that waits for a slot. Each operation that ends releases only one
   * operation, because it had at most one slot. An operation that was denied repeatedly is not
   * released before its backoff, because other clients may use all slots.
   */
  function offerSlot(nowMs: number): void {
    const next = line.next(nowMs, (entry) => entry.slotFromMs > nowMs || entry.heldUntilMs <= nowMs);
    if (next) next.heldUntilMs = nowMs;
  }

  /** Removes an operation that will not be sent. */
  function drop(entry: Entry, nowMs: number): void {
    line.remove(entry);
    entry.stopListening();
    passOn(entry, nowMs);
  }

  /** Offers a slot to the next operation if the released operation does not use it. */
  function passOn({ slotFromMs, heldUntilMs }: Entry, nowMs: number): void {
    if (Number.isFinite(slotFromMs) && heldUntilMs <= nowMs) offerSlot(nowMs);
  }

  function learnPrice({ key, variables, price }: PacedOperation, requestedCost: number): void {
    prices.learn(key, variables, requestedCost);
    if (price !== undefined && price !== requestedCost && prices.isTrusted(key)) {
      prices.distrust(key);
      onEvent?.({ type: 'WRONG_PRICE', key, price, requestedCost });
    }
    typicalPrice += (requestedCost - typicalPrice) / 4;
  }

  /**
   * Returns the tokens that the only operation in flight was charged. Undefined if the bucket was
   * unknown or contains more tokens than expected.
   */
  function chargeSeenIn(bucket: BucketReport, nowMs: number): number | undefined {
    const before = mirror.state(nowMs);
    return before && before.available >= bucket.available ? before.available - bucket.available : undefined;
  }

  function denied(entry: Entry, report: BudgetReport): ReturnType<Permit['answered']> {
    const { retryAfterMs, deniedBy, isForAll, isConcurrency = false } = report.denial ?? {};
    onEvent?.({ type: 'DENIED', key: entry.key, retryAfterMs, deniedBy });
    const nowMs = now();
    const denials = entry.denials + 1;
    const backoffMs = denials === 1 ? 1 : Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (denials - 2));
    // Clients that were denied at the same time must not retry at the same time. A client that is
    // the only user of the bucket needs no jitter.
    const jitter = denials > 1 || mirror.isShared(nowMs) ? JITTER * random() : 0;
    const delayMs = Math.max(retryAfterMs ?? UNKNOWN_RETRY_MS, backoffMs) * (1 + jitter);
    if (!isConcurrency) passOn(entry, nowMs);
    if (isForAll) closedUntilMs = Math.max(closedUntilMs, nowMs + delayMs);
    // A slot may become free earlier than the API predicts, when an operation in flight ends.
    const isTooLong = nowMs + delayMs > entry.sinceMs + maxWaitMs && !(isConcurrency && sent > 0);
    if (isTooLong || entry.operation.signal?.aborted) {
      onEvent?.({ type: 'GIVEN_UP', key: entry.key, reason: 'WAIT_TOO_LONG' });
      letGo();
      return { outcome: 'DONE' };
    }
    return {
      outcome: 'AGAIN',
      admitted: wait(entry.operation, {
        sinceMs: entry.sinceMs,
        heldUntilMs: nowMs + delayMs,
        // After the first denial, the backoff is one millisecond, so the operation may use a free
        // slot immediately.
        slotFromMs: isConcurrency ? nowMs + backoffMs - 1 : Number.POSITIVE_INFINITY,
        denials,
      }),
    };
  }

  /** Rejects the operations whose maximum wait has passed. */
  function giveUp(nowMs: number): void {
    for (;;) {
      const late = line.next(nowMs, ({ sinceMs }) => nowMs < sinceMs + maxWaitMs);
      if (late === undefined) return;
      drop(late, nowMs);
      onEvent?.({ type: 'GIVEN_UP', key: late.key, reason: 'WAIT_TOO_LONG' });
      const readyMs = mirror.timeOf(guess(late.operation), nowMs) - nowMs;
      const retryAfterMs = Number.isFinite(readyMs) ? Math.max(readyMs, late.heldUntilMs - nowMs) : undefined;
      late.reject(new PacerError('WAIT_TOO_LONG', `no budget within ${maxWaitMs / 1000} s (maxWaitMs)`, retryAfterMs));
    }
  }

  function comeBack(nowMs: number): void {
    const next = line.next(nowMs, isHeldAt(nowMs));
    let atMs = Number.POSITIVE_INFINITY;
    // While the bucket is unknown, each response releases waiting operations, so no timer is
    // needed.
    if (next && mirror.isKnown) atMs = Math.min(mirror.timeOf(guess(next.operation), nowMs), probeTimeOf(next, nowMs));
    if (next && nowMs < closedUntilMs) atMs = Number.isFinite(atMs) ? Math.max(atMs, closedUntilMs) : closedUntilMs;
    line.next(nowMs, (entry) => {
      if (entry.heldUntilMs > nowMs) atMs = Math.min(atMs, entry.heldUntilMs);
      atMs = Math.min(atMs, entry.sinceMs + maxWaitMs);
      return true;
    });
    if (next) onEvent?.({ type: 'WAITING', key: next.key, waitMs: Math.ceil(atMs - nowMs) });
    if (atMs === Number.POSITIVE_INFINITY) return;
    cancelTimer = setTimer(letGo, Math.min(LONGEST_TIMER_MS, Math.max(1, Math.ceil(atMs - nowMs))));
  }

  function update(): void {
    const bucket = mirror.state(now());
    if (bucket === undefined && quota === undefined) return;
    const next = bucket && { ...bucket, waiting: line.size };
    if (JSON.stringify(next) !== JSON.stringify(quota)) {
      quota = next;
      for (const listener of [...listeners]) callSafely(listener);
    }
    refreshLater();
  }

  function refreshLater(): void {
    cancelRefresh?.();
    cancelRefresh = undefined;
    if (listeners.size > 0 && quota && quota.available < quota.capacity)
      cancelRefresh = setTimer(update, REFRESH_EVERY_MS);
  }

  async function run<Result>(operation: PacedOperation, send: () => Promise<Attempt<Result>>): Promise<Result> {
    let permit = await admit(operation);
    for (;;) {
      let attempt: Attempt<Result>;
      try {
        attempt = await send();
      } catch (error) {
        permit.lost();
        throw error;
      }
      const { result, report } = attempt;
      const next = permit.answered(report);
      if (next.outcome === 'DONE') return result;
      try {
        permit = await next.admitted;
      } catch (error) {
        // If the wait for a retry fails, the caller receives the denial. An aborted wait rejects
        // with the abort reason.
        if (error instanceof PacerError) return result;
        throw error;
      }
    }
  }

  return {
    admit,
    run,
    quota() {
      // Subscribers must see the value of the latest notification. Without subscribers, the value
      // is updated on read.
      if (listeners.size === 0) update();
      return quota;
    },
    subscribe(callback) {
      listeners.add(callback);
      refreshLater();
      return () => {
        listeners.delete(callback);
        if (listeners.size === 0) refreshLater();
      };
    },
  };
}

/**
 * Returns whether the bucket denied the operation. A denial by another limit delays only the denied
 * operation.
 */
function isBucketShort({ bucket, requestedCost }: BudgetReport): boolean {
  return !!bucket && requestedCost !== undefined && bucket.available < requestedCost;
}

/**
 * Calls a callback of the app. Its errors must not prevent an operation from being sent or settled.
 */
function callSafely(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    reportCallbackError(error);
  }
}

/**
 * Reports an error: in browsers and workers as an uncaught error, in Node.js as a process warning.
 */
function reportCallbackError(error: unknown): void {
  const { reportError, process } = globalThis as {
    reportError?: (error: unknown) => void;
    process?: { emitWarning?: (message: string) => void };
  };
  if (reportError) reportError(error);
  else process?.emitWarning?.(`tollgate-client: a callback threw ${error}`);
}

function startTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
