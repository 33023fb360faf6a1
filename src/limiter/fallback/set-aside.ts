import type { LimitState } from '../../model/limit-parameters.js';
import type { Clock } from '../../runtime/clock.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import type { CheckedRequest } from '../charge/checked-request.js';
import { keysFor } from '../redis/keys-for.js';

/**
 * Determines whether this process may use its share of a limit while calls with unknown outcome are
 * in flight. Redis may still charge those calls, and those of all other instances, to the shared
 * counter. The share is therefore available only if everything in flight, on all instances, fits
 * into the whole limit. A limit for which Redis has just denied a request has no share.
 *
 * Rejected alternative: to use the share from the first late call on, whatever is in flight. Until
 * it replies, a slow Redis looks like a frozen one. With a slow primary (R10 in
 * docs/failure-modes.md), 74 operations of a burst were then admitted on a limit of 50.
 */
export interface SetAside {
  began(request: CheckedRequest): CallUnderWay;
  /** Removes a call whose outcome is known, or will never be known. */
  ended(call: CallUnderWay): void;
  /**
   * Keeps a call that was given up and denied here. It still counts as demand for the longest time
   * that a call can take. The demand of the other instances is estimated from it too.
   */
  gaveUp(call: CallUnderWay): void;
  /** Records the limits for which Redis denied a request. */
  denied(request: CheckedRequest, states: readonly LimitState[]): void;
  /**
   * Keeps a call that was given up and admitted here, until it ends or for the longest time that a
   * call can take. It is no demand: its cost was charged to the share of this process.
   */
  admitted(call: CallUnderWay): void;
  /**
   * Returns why the share of the limit at this index is unavailable, and for how long at most.
   * Undefined if it is available.
   *
   * @param call the call that was made for the request, if any
   */
  taken(request: CheckedRequest, index: number, call?: CallUnderWay): Taken | undefined;
}

/** Reason for which the share of a limit is unavailable. */
export interface Taken {
  /** Maximum time for which it is unavailable, in milliseconds. */
  forMs: number;
  /** Whether Redis has denied a request because of the limit. Otherwise, the outcome is unknown. */
  isDenied: boolean;
}

/** One call in flight. Plain data, because every charge creates one. */
export interface CallUnderWay {
  readonly request: CheckedRequest;
  /** Time until which the call counts; Infinity until it ends. */
  untilMs: number;
  /** Index in the array of calls in flight; -1 if the call no longer counts. */
  place: number;
  /** Whether the call was denied here. It then counts until `untilMs`. */
  isGivenUp: boolean;
  /** Whether the call was admitted here. Its cost is then part of the used share. */
  isAdmitted: boolean;
}

interface SetAsideOptions {
  /** Returns the number of instances. Each of them may have as much in flight as this one. */
  instances: () => number;
  /** Time for which calls that were given up count, in milliseconds. */
  keepMs: number;
  /** Clock in monotonic milliseconds. */
  clock: Clock;
}

/** Maximum number of counters that are known to be used up. The oldest are dropped. */
const MAX_DENIED = 10_000;

export function createSetAside({ instances, keepMs, clock }: SetAsideOptions): SetAside {
  /**
   * Unordered. An array, because adding a new object to a map or a set for each charge takes
   * several times as long.
   */
  const underWay: CallUnderWay[] = [];
  const fullUntilMs = new Map<string, number>();
  let nextEndMs = Number.POSITIVE_INFINITY;
  /** Cost in flight by counter; undefined if it has changed since it was computed. */
  let demand: Map<string, number> | undefined;

  function demandOf(counter: string): number {
    if (demand === undefined) {
      demand = new Map();
      for (const { request, isAdmitted } of underWay) {
        if (isAdmitted) continue;
        const nameOf = counterNames(request);
        request.limits.forEach((limit, i) => {
          const name = nameOf(limit);
          demand!.set(name, (demand!.get(name) ?? 0) + request.costs[i]!);
        });
      }
    }
    return demand.get(counter) ?? 0;
  }

  function dropEnded(): void {
    const nowMs = clock();
    if (nowMs < nextEndMs) return;
    nextEndMs = Number.POSITIVE_INFINITY;
    // Iterates from the end, because the removal of a call moves the last call to its index.
    for (let place = underWay.length - 1; place >= 0; place--) {
      const call = underWay[place]!;
      if (call.untilMs <= nowMs) remove(call);
      else nextEndMs = Math.min(nextEndMs, call.untilMs);
    }
    demand = undefined;
  }

  function remove(call: CallUnderWay): void {
    const last = underWay.pop()!;
    if (last !== call) {
      underWay[call.place] = last;
      last.place = call.place;
    }
    call.place = -1;
  }

  function keepFor(call: CallUnderWay): void {
    // `taken` also drops ended calls, but is not called for all limits, such as those that deny
    // while Redis is unavailable. Without this line, calls for such limits would stay here
    // permanently.
    dropEnded();
    call.untilMs = clock() + keepMs;
    nextEndMs = Math.min(nextEndMs, call.untilMs);
  }

  return {
    began(request) {
      const call = {
        request,
        untilMs: Number.POSITIVE_INFINITY,
        place: underWay.length,
        isGivenUp: false,
        isAdmitted: false,
      };
      underWay.push(call);
      demand = undefined;
      return call;
    },
    ended(call) {
      if (call.isGivenUp || call.place === -1) return;
      remove(call);
      demand = undefined;
    },
    gaveUp(call) {
      call.isGivenUp = true;
      keepFor(call);
    },
    // If Redis hangs, these calls may never end, so they are kept for a limited time. If they were
    // demand too, a caller who sends one operation after the other would pay twice for each: with
    // the share and with the room for calls in flight.
    admitted(call) {
      call.isAdmitted = true;
      demand = undefined;
      keepFor(call);
    },

    denied(request, states) {
      const nameOf = counterNames(request);
      states.forEach(({ violated, retryAfterMs }, i) => {
        if (!violated || retryAfterMs <= 0) return;
        const name = nameOf(request.limits[i]!);
        fullUntilMs.delete(name);
        fullUntilMs.set(name, clock() + retryAfterMs);
        if (fullUntilMs.size > MAX_DENIED) fullUntilMs.delete(fullUntilMs.keys().next().value!);
      });
    },

    taken(request, index, call) {
      // If no call is in flight, Redis has been unavailable for a while. All shares are available.
      dropEnded();
      if (underWay.length === 0) return undefined;
      const limit = request.limits[index]!;
      const cost = request.costs[index]!;
      if (cost === 0 || limit.shadow) return undefined;
      const name = counterNames(request)(limit);
      const fullForMs = (fullUntilMs.get(name) ?? 0) - clock();
      if (fullForMs > 0) return { forMs: fullForMs, isDenied: true };
      const all = demandOf(name) + (call !== undefined && call.place !== -1 ? 0 : cost);
      // If this is the only call for the counter, nothing else in flight can use up the limit, so
      // the share is available.
      return all > cost && all * instances() > limit.wholeCapacity ? { forMs: keepMs, isDenied: false } : undefined;
    },
  };
}

function counterNames({ subject }: CheckedRequest): (limit: Limit) => string {
  const keyOf = keysFor(subject);
  return (limit) => `${keyOf(limit)} ${limit.identity.recordId}`;
}
