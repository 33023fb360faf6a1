import type { LimitState } from '../../model/limit-parameters.js';
import type { Clock } from '../../runtime/clock.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import type { CheckedRequest } from '../charge/checked-request.js';
import { keysFor } from '../redis/keys-for.js';

/**
 * Whether a share of a limit may be given out in this process, while calls are under way of which it is unknown what
 * becomes of them. Redis may still take them from the shared counter, and those of all other instances with them: then the
 * share is there only if all that is under way fits into the limit beside it. What Redis has just refused is not there.
 */
export interface SetAside {
  began(request: CheckedRequest): CallUnderWay;
  /** What became of the call is known, or never will be. */
  ended(call: CallUnderWay): void;
  /** It was given up and refused here. It still tells what is asked for, here and elsewhere, for as long as calls can take. */
  gaveUp(call: CallUnderWay): void;
  /** Redis has refused these. */
  refused(request: CheckedRequest, states: readonly LimitState[]): void;
  /** It was given up and admitted here. It counts until it ends, or for as long as calls can take. */
  admitted(call: CallUnderWay): void;
  /**
   * How long nothing is set aside of the limit at this index, in milliseconds at most; 0: it is there.
   *
   * @param call the one that was made for the request, if one was
   */
  takenForMs(request: CheckedRequest, index: number, call?: CallUnderWay): number;
}

/** Plain data, as every charge makes one. */
export interface CallUnderWay {
  readonly request: CheckedRequest;
  /** Until when it counts; Infinity: until it ends. */
  untilMs: number;
  /** Among those under way; -1: it counts no longer. */
  place: number;
  /** It was refused here: it counts to the end of its time. */
  isGivenUp: boolean;
}

interface SetAsideOptions {
  /** How many processes may have as much under way. */
  instances: () => number;
  /** How long those count that were given up. */
  keepMs: number;
  /** Monotonic milliseconds. */
  clock: Clock;
}

/** Counters that are known to be full; the oldest make room. */
const MAX_REFUSED = 10_000;

export function createSetAside({ instances, keepMs, clock }: SetAsideOptions): SetAside {
  /** In no order. An array, as a map or a set of what is made anew for each charge takes it several times as long. */
  const underWay: CallUnderWay[] = [];
  const fullUntilMs = new Map<string, number>();
  let nextEndMs = Number.POSITIVE_INFINITY;
  /** Cost under way by counter; undefined: it has changed since. */
  let demand: Map<string, number> | undefined;

  function demandOf(counter: string): number {
    if (demand === undefined) {
      demand = new Map();
      for (const { request } of underWay) {
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
    // From the end: the last one moves to where one is removed.
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
    // Where nothing is ever asked about the others, as for limits that refuse while Redis is away, they would stay for ever.
    dropEnded();
    call.untilMs = clock() + keepMs;
    nextEndMs = Math.min(nextEndMs, call.untilMs);
  }

  return {
    began(request) {
      const call = { request, untilMs: Number.POSITIVE_INFINITY, place: underWay.length, isGivenUp: false };
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
    // A Redis that hangs may never end them: what they were given counts in this process meanwhile.
    admitted: keepFor,

    refused(request, states) {
      const nameOf = counterNames(request);
      states.forEach(({ violated, retryAfterMs }, i) => {
        if (!violated || retryAfterMs <= 0) return;
        const name = nameOf(request.limits[i]!);
        fullUntilMs.delete(name);
        fullUntilMs.set(name, clock() + retryAfterMs);
        if (fullUntilMs.size > MAX_REFUSED) fullUntilMs.delete(fullUntilMs.keys().next().value!);
      });
    },

    takenForMs(request, index, call) {
      // Nothing is under way: Redis has been away for a while, and all shares are there.
      dropEnded();
      if (underWay.length === 0) return 0;
      const limit = request.limits[index]!;
      const cost = request.costs[index]!;
      if (cost === 0 || limit.shadow) return 0;
      const name = counterNames(request)(limit);
      const fullForMs = (fullUntilMs.get(name) ?? 0) - clock();
      if (fullForMs > 0) return fullForMs;
      const all = demandOf(name) + (call !== undefined && call.place !== -1 ? 0 : cost);
      // Alone it takes what Redis would have given it.
      return all > cost && all * instances() > limit.wholeCapacity ? keepMs : 0;
    },
  };
}

function counterNames({ subject }: CheckedRequest): (limit: Limit) => string {
  const keyOf = keysFor(subject);
  return (limit) => `${keyOf(limit)} ${limit.identity.recordId}`;
}
