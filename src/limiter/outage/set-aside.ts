import type { LimitState } from '../../model/limit.js';
import type { Limit } from '../algorithms/algorithm.js';
import type { CheckedRequest } from '../charge-request.js';
import { keysFor } from '../redis/keys.js';

/**
 * Whether a share of a limit may be given out in this process, while calls are under way of which nobody knows what
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
  /** Nothing is set aside of the limit at this index. */
  isTaken(request: CheckedRequest, index: number): boolean;
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

  return {
    began(request) {
      underWay.set(request, Number.POSITIVE_INFINITY);
      demand = undefined;
    },
    ended(request) {
      if (underWay.get(request) !== Number.POSITIVE_INFINITY) return;
      underWay.delete(request);
      demand = undefined;
    },
    gaveUp(request) {
      underWay.delete(request);
      underWay.set(request, clock() + keepMs);
      nextEndMs = Math.min(nextEndMs, clock() + keepMs);
    },

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

    isTaken(request, index) {
      // Nothing is under way: Redis has been away for a while, and all shares are there.
      dropEnded();
      if (underWay.size === 0) return false;
      const limit = request.limits[index]!;
      const cost = request.costs[index]!;
      if (cost === 0 || limit.shadow) return false;
      const name = counterNames(request)(limit);
      if ((fullUntilMs.get(name) ?? 0) > clock()) return true;
      const all = demandOf(name) + (underWay.has(request) ? 0 : cost);
      // Alone it takes what Redis would have given it.
      return all > cost && all * instances() > limit.wholeCapacity;
    },
  };
}

function counterNames({ subject }: CheckedRequest): (limit: Limit) => string {
  const keyOf = keysFor(subject);
  return (limit) => `${keyOf(limit)} ${limit.identity.recordId}`;
}
