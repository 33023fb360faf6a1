import type { Limit } from '../algorithms/algorithm.js';
import {
  type ChargeRecord,
  type Demand,
  type EngineTime,
  NUMBERS_PER_SHAPE,
  type Reading,
  select,
} from '../charge-request.js';
import type { Watch } from '../outage/deadlines.js';

// On a Redis Cluster a script sees one slot. What a subject's limits share is charged first, then addresses, then global
// counters: one atomic script each. Until the last has answered, the earlier ones stay pending in their partitions.

/** The limits of a demand that live in one slot. */
export interface SlotPart {
  readonly demand: Demand;
  /** Where its limits stand in the whole demand. */
  readonly places: readonly number[];
}

export interface SlotOperations {
  charge(demand: Demand, chargeId: string, pendingMs: number): Promise<Reading>;
  peek(demand: Demand, chargeId: string): Promise<Reading>;
  confirm(charge: ChargeRecord): void;
  cancel(charge: ChargeRecord): void;
  /** How long a charge may stay pending before others give it back. */
  readonly pendingMs: number;
}

/** The slots that a demand touches, the narrowest first. */
export function splitBySlot(demand: Demand, tagOf: (limit: Limit) => string): SlotPart[] {
  const tags = demand.limits.map(tagOf);
  const order = [...new Set(tags)].map((tag) => ({ tag, width: widthOf(demand.limits[tags.indexOf(tag)]!) }));
  order.sort((a, b) => a.width - b.width);
  return order.map(({ tag }) => {
    const places = tags.flatMap((other, place) => (other === tag ? [place] : []));
    return { demand: select(demand, (place) => tags[place] === tag), places };
  });
}

function widthOf({ scope }: Limit): number {
  if (scope === 'GLOBAL') return 2;
  return scope === 'IP' ? 1 : 0;
}

export async function chargeNarrowToWide(
  whole: Demand,
  parts: readonly SlotPart[],
  chargeId: string,
  slots: SlotOperations,
  watch?: Watch,
): Promise<Reading> {
  const pending: { part: SlotPart; reading: Reading }[] = [];
  const end = (how: 'confirm' | 'cancel') => {
    for (const { part, reading } of pending) slots[how](toRecord(part.demand, chargeId, reading));
  };
  for (const part of parts.slice(0, -1)) {
    const reading = await slots.charge(part.demand, chargeId, slots.pendingMs).catch((error: unknown) => {
      end('cancel');
      throw error;
    });
    if (!reading.admitted) return deny(part, reading);
    pending.push({ part, reading });
    if (watch !== undefined && watch.giveUp === undefined) {
      // Decided without Redis by now: what is pending is known, and given back.
      end('cancel');
      throw new Error('given up');
    }
  }
  const last = parts.at(-1)!;
  const reading = await slots.charge(last.demand, chargeId, 0).catch((error: unknown) => {
    end('cancel');
    throw error;
  });
  if (!reading.admitted) return deny(last, reading);
  end('confirm');
  return merge(whole, [...pending, { part: last, reading }]);

  /** Nothing holds; of the other slots the caller is told what is in them. */
  async function deny(refusing: SlotPart, refusal: Reading): Promise<Reading> {
    end('cancel');
    const others = parts.filter((part) => part !== refusing);
    const readings = await Promise.all(others.map((part) => slots.peek(part.demand, chargeId)));
    return merge(whole, [
      { part: refusing, reading: refusal },
      ...others.map((part, i) => ({ part, reading: readings[i]! })),
    ]);
  }
}

export async function peekEverySlot(
  whole: Demand,
  parts: readonly SlotPart[],
  chargeId: string,
  slots: SlotOperations,
): Promise<Reading> {
  const readings = await Promise.all(parts.map((part) => slots.peek(part.demand, chargeId)));
  return merge(
    whole,
    parts.map((part, i) => ({ part, reading: readings[i]! })),
  );
}

/** What was charged: a shadow that lacked room was not. */
function toRecord(demand: Demand, chargeId: string, reading: Reading): ChargeRecord {
  const charged: number[] = [];
  let offset = 0;
  demand.limits.forEach((limit, i) => {
    if (reading.numbers[offset]! >= 0) charged.push(i);
    offset += NUMBERS_PER_SHAPE[limit.shape];
  });
  return {
    demand: select(demand, (i) => charged.includes(i)),
    chargeId,
    time: reading,
    times: undefined,
  };
}

/** One reading of all slots, in the order asked. */
function merge({ limits }: Demand, answers: readonly { part: SlotPart; reading: Reading }[]): Reading {
  const numbersOf: (readonly number[])[] = [];
  const times: EngineTime[] = [];
  for (const { part, reading } of answers) {
    let offset = 0;
    part.demand.limits.forEach((limit, i) => {
      const count = NUMBERS_PER_SHAPE[limit.shape];
      const place = part.places[i]!;
      numbersOf[place] = reading.numbers.slice(offset, offset + count);
      times[place] = { clock: reading.clock, now: reading.now };
      offset += count;
    });
  }
  return {
    admitted: answers.every(({ reading }) => reading.admitted),
    clock: times[0]!.clock,
    now: times[0]!.now,
    numbers: limits.flatMap((_, place) => numbersOf[place]!),
    times,
  };
}
