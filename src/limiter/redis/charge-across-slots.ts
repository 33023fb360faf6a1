import type { EngineTime, Limit } from '../algorithms/algorithm.js';
import { type ChargeRecord, type CheckedRequest, type EngineResult, select } from '../charge-request.js';
import type { Watch } from '../outage/deadlines.js';
import { ROOT_OF, ROOTS } from './keys.js';

// On a Redis Cluster a script sees one slot, or with a flag those of one node. What a subject's limits share is charged
// first, then addresses, then global counters: one atomic script for each place, and one for several that lie side by side
// in this order. Until the last has answered, the earlier ones stay pending in their partitions.

/** The limits of a request that one call can charge. */
export interface Part {
  readonly request: CheckedRequest;
  /** Where its limits stand in the whole request. */
  readonly places: readonly number[];
}

export interface PartOperations {
  charge(request: CheckedRequest, chargeId: string, pendingMs: number, watch?: Watch): Promise<EngineResult>;
  peek(request: CheckedRequest, chargeId: string, watch?: Watch): Promise<EngineResult>;
  confirm(charge: ChargeRecord): void;
  cancel(charge: ChargeRecord): void;
  /** Smaller parts, where a call was refused because it had to be; undefined: it failed for another reason. */
  splitAfter(error: unknown, part: Part): Part[] | undefined;
  /** How long a charge may stay pending before others refund it. */
  readonly pendingMs: number;
}

/** The parts of a request, the narrowest first. Wide ones never come before narrow ones, wherever they are. */
export function splitIntoParts(request: CheckedRequest, placeOf: (limit: Limit) => string): Part[] {
  const where = request.limits.map(placeOf);
  if (where.every((place) => place === where[0])) return [{ request, places: request.limits.map((_, i) => i) }];
  const parts: { place: string; members: Set<number> }[] = [];
  for (const root of ROOTS) {
    const groups = new Map<string, Set<number>>();
    request.limits.forEach((limit, i) => {
      if (ROOT_OF[limit.scope] !== root) return;
      const group = groups.get(where[i]!);
      if (group) group.add(i);
      else groups.set(where[i]!, new Set([i]));
    });
    const last = parts.at(-1);
    const beside = last && groups.get(last.place);
    if (beside !== undefined) {
      for (const i of beside) last!.members.add(i);
      groups.delete(last!.place);
    }
    for (const [place, members] of groups) parts.push({ place, members });
  }
  return parts.map(({ members }) => ({
    request: select(request, (i) => members.has(i)),
    places: [...members].sort((a, b) => a - b),
  }));
}

export async function chargeAcrossSlots(
  whole: CheckedRequest,
  parts: readonly Part[],
  chargeId: string,
  operations: PartOperations,
  watch?: Watch,
): Promise<EngineResult> {
  const pending: Answer[] = [];
  const end = (how: 'confirm' | 'cancel') => {
    for (const { part, result } of pending) operations[how](toRecord(part.request, chargeId, result));
  };
  const left = [...parts];
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (watch?.isRefused) {
      // What is pending is known, and refunded. Had it been admitted, it would go on, and count.
      end('cancel');
      throw new Error('given up');
    }
    let result: EngineResult;
    try {
      result = await operations.charge(part.request, chargeId, left.length > 0 ? operations.pendingMs : 0, watch);
    } catch (error) {
      const smaller = operations.splitAfter(error, part);
      if (smaller !== undefined) {
        left.unshift(...smaller.map((one) => within(part!, one)));
        continue;
      }
      end('cancel');
      throw error;
    }
    if (!result.admitted) return deny({ part, result }, left);
    pending.push({ part, result });
  }
  // The last one holds already.
  const last = pending.pop()!;
  end('confirm');
  return merge(whole, [...pending, last]);

  /** Nothing holds; of the other parts the caller is told what is in them. */
  async function deny(refusal: Answer, unasked: readonly Part[]): Promise<EngineResult> {
    end('cancel');
    const results = await Promise.all(unasked.map((part) => operations.peek(part.request, chargeId)));
    return merge(whole, [
      refusal,
      ...pending.map(withoutCharge),
      ...unasked.map((part, i) => ({ part, result: results[i]! })),
    ]);
  }
}

/** What a part reported, as it is once its charge is cancelled: Redis need not be asked again. */
function withoutCharge({ part, result }: Answer): Answer {
  const { limits, costs } = part.request;
  const numbers: number[] = [];
  let offset = 0;
  limits.forEach((limit, i) => {
    const own = result.numbers.slice(offset, offset + limit.algorithm.numberCount);
    offset += limit.algorithm.numberCount;
    // A shadow that lacked room was not charged.
    if (own[0]! >= 0 && costs[i]! > 0) limit.algorithm.correctNumbers(limit, own, costs[i]!, 0);
    numbers.push(...own);
  });
  return { part, result: { ...result, numbers } };
}

interface Answer {
  readonly part: Part;
  readonly result: EngineResult;
}

/** A part of a part, as one of the whole. */
function within(outer: Part, inner: Part): Part {
  return { request: inner.request, places: inner.places.map((place) => outer.places[place]!) };
}

export async function peekEveryPart(
  whole: CheckedRequest,
  parts: readonly Part[],
  chargeId: string,
  operations: PartOperations,
): Promise<EngineResult> {
  const results = await Promise.all(parts.map((part) => operations.peek(part.request, chargeId)));
  const found = parts.map((part, i) => ({ part, result: results[i]! }));
  // As a charge goes from part to part: the first that refuses says so, and the others have nothing to do with it.
  const refusing = found.find(({ result }) => !result.admitted);
  const wouldBe = found.map(({ part, result }) => {
    const isAsked = refusing === undefined || result === refusing.result;
    return { part, result: isAsked ? { ...result, numbers: result.wouldBe! } : result };
  });
  return { ...merge(whole, found), wouldBe: merge(whole, wouldBe).numbers };
}

/** What was charged: a shadow that lacked room was not. */
function toRecord(request: CheckedRequest, chargeId: string, result: EngineResult): ChargeRecord {
  const record = { request, chargeId, time: result, times: undefined };
  if (!request.hasShadows) return record;
  const charged: number[] = [];
  let offset = 0;
  request.limits.forEach((limit, i) => {
    if (result.numbers[offset]! >= 0) charged.push(i);
    offset += limit.algorithm.numberCount;
  });
  return { ...record, request: select(request, (i) => charged.includes(i)) };
}

/** One result of all parts, in the order asked. */
function merge({ limits }: CheckedRequest, answers: readonly Answer[]): EngineResult {
  const numbersOf: (readonly number[])[] = [];
  const times: EngineTime[] = [];
  for (const { part, result } of answers) {
    let offset = 0;
    part.request.limits.forEach((limit, i) => {
      const count = limit.algorithm.numberCount;
      const place = part.places[i]!;
      numbersOf[place] = result.numbers.slice(offset, offset + count);
      times[place] = result.times?.[i] ?? result;
      offset += count;
    });
  }
  return {
    admitted: answers.every(({ result }) => result.admitted),
    clock: times[0]!.clock,
    now: times[0]!.now,
    numbers: limits.flatMap((_, place) => numbersOf[place]!),
    times,
  };
}
