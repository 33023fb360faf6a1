import type { LimitState } from '../../model/limit.js';
import type { Limit } from '../algorithms/algorithm.js';
import type { CheckedRequest } from '../charge-request.js';
import { keysFor } from '../redis/keys.js';

/**
 * Whether a share of a limit may be given out in this process, while calls are under way of which it is unknown what
 * becomes of them. Redis may still take them from the shared counter, and those of all other instances with them: then the
 * share is there only if all that is under way fits into the limit beside it. What Redis has just refused is not there.
 */
export interface SetAside {
  began(request: CheckedRequest): void;
  /** What became of the call is known, or never will be. */
  ended(request: CheckedRequest): void;
  /** It was given up and refused here. It still tells what is asked for, here and elsewhere, for as long as calls can take. */
  gaveUp(request: CheckedRequest): void;
  /** Redis has refused these. */
  refused(request: CheckedRequest, states: readonly LimitState[]): void;
  /** It was given up and admitted here. It counts until it ends, or for as long as calls can take. */
  admitted(request: CheckedRequest): void;
  /** How long nothing is set aside of the limit at this index, in milliseconds at most; 0: it is there. */
  takenForMs(request: CheckedRequest, index: number): number;
}

export interface SetAsideOptions {
  /** How many processes may have as much under way. */
  instances: () => number;
  /** How long those count that were given up. */
  keepMs: number;
  /** Monotonic milliseconds. */
  clock: () => number;
}

/** Counters that are known to be full; the oldest make room. */
const MAX_REFUSED = 10_000;

export function createSetAside({ instances, keepMs, clock }: SetAsideOptions): SetAside {
  /** Until when each counts; those whose calls go on, until they end. */
  const underWay = new Map<CheckedRequest, number>();
  /** Of these, who was refused here: they count to the end of their time. */
  const givenUp = new WeakSet<CheckedRequest>();
  const fullUntilMs = new Map<string, number>();
  let nextEndMs = Number.POSITIVE_INFINITY;
  /** Cost under way by counter; undefined: it has changed since. */
  let demand: Map<string, number> | undefined;

  function demandOf(counter: string): number {
    if (demand === undefined) {
      demand = new Map();
      for (const request of underWay.keys()) {
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
    for (const [request, untilMs] of underWay) {
      if (untilMs <= nowMs) underWay.delete(request);
      else nextEndMs = Math.min(nextEndMs, untilMs);
    }
    demand = undefined;
  }

  function keepFor(request: CheckedRequest): void {
    underWay.delete(request);
    underWay.set(request, clock() + keepMs);
    nextEndMs = Math.min(nextEndMs, clock() + keepMs);
  }

  return {
    began(request) {
      underWay.set(request, Number.POSITIVE_INFINITY);
      demand = undefined;
    },
    ended(request) {
      if (givenUp.has(request) || !underWay.delete(request)) return;
      demand = undefined;
    },
    gaveUp(request) {
      givenUp.add(request);
      keepFor(request);
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

    takenForMs(request, index) {
      // Nothing is under way: Redis has been away for a while, and all shares are there.
      dropEnded();
      if (underWay.size === 0) return 0;
      const limit = request.limits[index]!;
      const cost = request.costs[index]!;
      if (cost === 0 || limit.shadow) return 0;
      const name = counterNames(request)(limit);
      const fullForMs = (fullUntilMs.get(name) ?? 0) - clock();
      if (fullForMs > 0) return fullForMs;
      const all = demandOf(name) + (underWay.has(request) ? 0 : cost);
      // Alone it takes what Redis would have given it.
      return all > cost && all * instances() > limit.wholeCapacity ? keepMs : 0;
    },
  };
}

function counterNames({ subject }: CheckedRequest): (limit: Limit) => string {
  const keyOf = keysFor(subject);
  return (limit) => `${keyOf(limit)} ${limit.identity.recordId}`;
}
