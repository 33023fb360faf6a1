import type { EngineTime, Limit } from '../algorithms/algorithm.js';
import { type ChargeRecord, type CheckedRequest, type EngineResult, select } from '../charge-request.js';
import type { Watch } from '../outage/deadlines.js';

// On a Redis Cluster a script sees one slot. What a subject's limits share is charged first, then addresses, then global
// counters: one atomic script each. Until the last has answered, the earlier ones stay pending in their partitions.

/** The limits of a request that live in one slot. */
export interface SlotPart {
  readonly request: CheckedRequest;
  /** Where its limits stand in the whole request. */
  readonly places: readonly number[];
}

export interface SlotOperations {
  charge(request: CheckedRequest, chargeId: string, pendingMs: number, watch?: Watch): Promise<EngineResult>;
  peek(request: CheckedRequest, chargeId: string): Promise<EngineResult>;
  confirm(charge: ChargeRecord): void;
  cancel(charge: ChargeRecord): void;
  /** How long a charge may stay pending before others refund it. */
  readonly pendingMs: number;
}

/** The slots that a request touches, the narrowest first. */
export function splitBySlot(request: CheckedRequest, tagOf: (limit: Limit) => string): SlotPart[] {
  const tags = request.limits.map(tagOf);
  const order = [...new Set(tags)].map((tag) => ({ tag, width: widthOf(request.limits[tags.indexOf(tag)]!) }));
  order.sort((a, b) => a.width - b.width);
  return order.map(({ tag }) => {
    const places = tags.flatMap((other, place) => (other === tag ? [place] : []));
    return { request: select(request, (place) => tags[place] === tag), places };
  });
}

function widthOf({ scope }: Limit): number {
  if (scope === 'GLOBAL') return 2;
  return scope === 'IP' ? 1 : 0;
}

export async function chargeAcrossSlots(
  whole: CheckedRequest,
  parts: readonly SlotPart[],
  chargeId: string,
  slots: SlotOperations,
  watch?: Watch,
): Promise<EngineResult> {
  const pending: { part: SlotPart; result: EngineResult }[] = [];
  const end = (how: 'confirm' | 'cancel') => {
    for (const { part, result } of pending) slots[how](toRecord(part.request, chargeId, result));
  };
  for (const part of parts.slice(0, -1)) {
    const result = await slots.charge(part.request, chargeId, slots.pendingMs, watch).catch((error: unknown) => {
      end('cancel');
      throw error;
    });
    if (!result.admitted) return deny(part, result);
    pending.push({ part, result });
    if (watch !== undefined && watch.giveUp === undefined) {
      // Decided without Redis by now: what is pending is known, and refunded.
      end('cancel');
      throw new Error('given up');
    }
  }
  const last = parts.at(-1)!;
  const result = await slots.charge(last.request, chargeId, 0, watch).catch((error: unknown) => {
    end('cancel');
    throw error;
  });
  if (!result.admitted) return deny(last, result);
  end('confirm');
  return merge(whole, [...pending, { part: last, result }]);

  /** Nothing holds; of the other slots the caller is told what is in them. */
  async function deny(refusing: SlotPart, refusal: EngineResult): Promise<EngineResult> {
    end('cancel');
    const others = parts.filter((part) => part !== refusing);
    const results = await Promise.all(others.map((part) => slots.peek(part.request, chargeId)));
    return merge(whole, [
      { part: refusing, result: refusal },
      ...others.map((part, i) => ({ part, result: results[i]! })),
    ]);
  }
}

export async function peekEverySlot(
  whole: CheckedRequest,
  parts: readonly SlotPart[],
  chargeId: string,
  slots: SlotOperations,
): Promise<EngineResult> {
  const results = await Promise.all(parts.map((part) => slots.peek(part.request, chargeId)));
  const found = parts.map((part, i) => ({ part, result: results[i]! }));
  // As a charge goes from slot to slot: the first that refuses says so, and the others have nothing to do with it.
  const refusing = found.find(({ result }) => !result.admitted);
  const wouldBe = found.map(({ part, result }) => {
    const isAsked = refusing === undefined || result === refusing.result;
    return { part, result: isAsked ? { ...result, numbers: result.wouldBe! } : result };
  });
  return { ...merge(whole, found), wouldBe: merge(whole, wouldBe).numbers };
}

/** What was charged: a shadow that lacked room was not. */
function toRecord(request: CheckedRequest, chargeId: string, result: EngineResult): ChargeRecord {
  const charged: number[] = [];
  let offset = 0;
  request.limits.forEach((limit, i) => {
    if (result.numbers[offset]! >= 0) charged.push(i);
    offset += limit.algorithm.numberCount;
  });
  return {
    request: select(request, (i) => charged.includes(i)),
    chargeId,
    time: result,
    times: undefined,
  };
}

/** One result of all slots, in the order asked. */
function merge({ limits }: CheckedRequest, answers: readonly { part: SlotPart; result: EngineResult }[]): EngineResult {
  const numbersOf: (readonly number[])[] = [];
  const times: EngineTime[] = [];
  for (const { part, result } of answers) {
    let offset = 0;
    part.request.limits.forEach((limit, i) => {
      const count = limit.algorithm.numberCount;
      const place = part.places[i]!;
      numbersOf[place] = result.numbers.slice(offset, offset + count);
      times[place] = { clock: result.clock, now: result.now };
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
