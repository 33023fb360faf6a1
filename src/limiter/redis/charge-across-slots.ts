import { monotonicClock } from '../../runtime/clock.js';
import { schedule } from '../../runtime/schedule.js';
import { type EngineTime, type Limit, SHAPE } from '../algorithms/limit-algorithm.js';
import { type ChargeRecord, type CheckedRequest, type EngineResult, selectAt } from '../charge/checked-request.js';
import type { Line, Watch } from './deadlines.js';
import { GivenUpError } from './engine-failure.js';
import { ROOT_OF, ROOTS } from './keys-for.js';

// On a Redis Cluster a script can use keys of one hash slot or, with a flag, of all hash slots of
// one node. A charge is therefore split into parts. The charge takes from the limits under the root
// of the subject first, then those of addresses, then global counters. A place is a node or a hash
// slot. One atomic script charges consecutive limits that are stored in the same place. The earlier
// parts stay pending in their partitions until the last part has been decided.

/** A part of a request: the limits that one call can charge. */
export interface Part {
  readonly request: CheckedRequest;
  /** Indexes of its limits in the whole request. */
  readonly places: readonly number[];
}

export interface PartOperations {
  charge(request: CheckedRequest, chargeId: string, pendingMs: number, watch?: Watch): Promise<EngineResult>;
  peek(request: CheckedRequest, chargeId: string, watch?: Watch): Promise<EngineResult>;
  confirm(charge: ChargeRecord): void;
  cancel(charge: ChargeRecord): void;
  /**
   * Returns smaller parts if Redis rejected the call because it has to be split; undefined if it
   * failed for another reason.
   */
  splitAfter(error: unknown, part: Part): Part[] | undefined;
  /** Time for which a charge may stay pending before other instances refund it, in milliseconds. */
  readonly pendingMs: number;
}

/**
 * Returns the parts of a request, the narrowest first. Wide limits never precede narrow ones,
 * wherever they are stored.
 */
export function splitIntoParts(request: CheckedRequest, placeOf: (limit: Limit) => string): Part[] {
  const where = request.limits.map(placeOf);
  if (where.every((place) => place === where[0])) return [{ request, places: request.limits.map((_, i) => i) }];
  const parts: { readonly place: string; readonly members: number[] }[] = [];
  for (const root of ROOTS) {
    const before = parts.length;
    for (let i = 0; i < where.length; i++) {
      if (ROOT_OF[request.limits[i]!.scope] !== root) continue;
      // A limit may join the last part of the previous roots, or any part of its own root.
      const place = where[i]!;
      const existing = parts.find((part, p) => p >= before - 1 && part.place === place);
      if (existing) existing.members.push(i);
      else parts.push({ place, members: [i] });
    }
  }
  return parts.map(({ members }) => {
    const places = members.sort((a, b) => a - b);
    return { request: selectAt(request, places), places };
  });
}

/**
 * Returns the parts by step, in the order of charging; the parts of one step are charged at the
 * same time. All parts before the last one stay pending anyway, so the narrow ones among them do
 * not wait for each other. Global counters do wait: a charge that narrow limits deny then never
 * takes tokens from a counter that all callers share.
 */
function stepsOf(parts: readonly Part[]): Part[][] {
  const isNarrow = ({ request }: Part) => request.limits.every(({ scope }) => ROOT_OF[scope] !== 'COUNTER');
  const first = parts.slice(0, -1).filter(isNarrow);
  return [...(first.length > 0 ? [first] : []), ...parts.slice(first.length).map((part) => [part])];
}

/**
 * Charges the parts of a request, and returns one result for the whole request. If a part denies or
 * fails, the parts that were already charged are refunded.
 * @param isDoubtful whether the charge is likely to be denied
 * @throws the error of a failed part, if no part denied
 */
export async function chargeAcrossSlots(
  whole: CheckedRequest,
  parts: readonly Part[],
  chargeId: string,
  operations: PartOperations,
  watch?: Watch,
  isDoubtful = false,
): Promise<EngineResult> {
  const pending: Answer[] = [];
  const end = (how: 'confirm' | 'cancel') => {
    for (const { part, result } of pending) operations[how](toRecord(part.request, chargeId, result));
  };
  // A charge that is likely to be denied charges one part after the other. In one step, it would
  // charge a counter of an address only to refund it.
  const steps = isDoubtful ? parts.map((part) => [part]) : stepsOf(parts);
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    if (watch?.isDenied) {
      // The fallback has denied the operation, so the pending parts are refunded. If it had
      // admitted the operation, the charge would continue, and count.
      end('cancel');
      throw new GivenUpError();
    }
    const forMs = steps.length > 0 ? operations.pendingMs : 0;
    const outcomes = await chargeStep(step, forMs);
    const denials: Answer[] = [];
    const smaller: Part[] = [];
    let failure: { error: unknown } | undefined;
    for (const outcome of outcomes) {
      const { part } = outcome;
      if ('result' in outcome) {
        (outcome.result.admitted ? pending : denials).push(outcome);
        continue;
      }
      const split = operations.splitAfter(outcome.error, part);
      if (split === undefined) failure ??= outcome;
      else smaller.push(...split.map((one) => within(part, one)));
    }
    // One denial decides the charge, regardless of the outcome of the other parts.
    if (denials.length > 0) return deny(denials);
    if (failure !== undefined) {
      end('cancel');
      throw failure.error;
    }
    steps.unshift(...smaller.map((part) => [part]));
  }
  // The last part was never pending, so it needs no confirmation.
  const last = pending.pop()!;
  end('confirm');
  return merge(whole, [...pending.map(confirmed), last]);

  /**
   * Resolves when all parts have replied. If one part denied and others are silent, it resolves
   * well before the deadline.
   */
  function chargeStep(step: readonly Part[], forMs: number): Promise<Outcome[]> {
    const lines: (Line | undefined)[] = [];
    const charging = step.map(async (part, i): Promise<Outcome> => {
      try {
        const charged = operations.charge(part.request, chargeId, forMs, watch);
        lines[i] = watch?.line;
        return { part, result: await charged };
      } catch (error) {
        return { part, error };
      } finally {
        lines[i] = undefined;
        waitForNext();
      }
    });
    waitForNext();
    return new Promise((resolve) => {
      const outcomes: Outcome[] = [];
      let isOver = false;
      const end = () => {
        isOver = true;
        resolve(outcomes);
      };
      const add = (outcome: Outcome) => {
        if (isOver) return cancelLate(outcome);
        outcomes.push(outcome);
        if (outcomes.length === step.length) end();
        else if (isDenial(outcome)) schedule(end, graceMs(watch));
      };
      for (const one of charging) void one.then(add);
    });

    /** Refunds a part that was admitted after another part had denied the charge. */
    function cancelLate(outcome: Outcome): void {
      if (!('result' in outcome) || !outcome.result.admitted) return;
      operations.cancel(toRecord(outcome.part.request, chargeId, outcome.result));
    }

    /**
     * Makes the deadline depend on the line of a part that has not replied. A reply to another part
     * must not extend the wait for a silent line.
     */
    function waitForNext(): void {
      const line = lines.find((one) => one !== undefined);
      if (watch !== undefined && line !== undefined) watch.line = line;
    }
  }

  /**
   * Cancels the pending parts and returns the denial. Parts without a reply are not called again
   * for their state: their nodes may be slow or silent.
   */
  function deny(denials: readonly Answer[]): EngineResult {
    end('cancel');
    const denial = merge(whole, [...denials, ...pending.map(withoutCharge)]);
    const deniedAt = whole.limits.map((_, place) => denials.some(({ part }) => part.places.includes(place)));
    return { ...denial, deniedAt };
  }
}

function isDenial(outcome: Outcome): boolean {
  return 'result' in outcome && !outcome.result.admitted;
}

/**
 * Returns how long to wait for other parts after a denial: half the time to the deadline, in
 * milliseconds. Nodes that are called at the same time mostly reply at nearly the same time. The
 * denial can then name all limits that deny.
 */
function graceMs(watch: Watch | undefined): number {
  return watch === undefined ? 0 : Math.max(0, (watch.dueAtMs - monotonicClock()) / 2);
}

/**
 * Computes the report of a part after the cancellation of its charge, without another call to
 * Redis.
 */
function withoutCharge(answer: Answer): Answer {
  return withNumbers(answer, (limit, numbers, cost) => limit.algorithm.correctNumbers(limit, numbers, cost, 0));
}

/**
 * Computes the report of a pending part after its confirmation. A pending entry of a list ends at
 * the deadline of the charge, and a confirmed one after its window or `leaseMs`.
 */
function confirmed(answer: Answer): Answer {
  const { request } = answer.part;
  if (!request.hasLists) return answer;
  return withNumbers(answer, ({ shape, windowMs }, numbers) => {
    if (shape === SHAPE.LIST) numbers[1] = Math.max(numbers[1]!, answer.result.now + windowMs);
  });
}

/** Changes the numbers of each limit that a part has charged. */
function withNumbers(
  { part, result }: Answer,
  change: (limit: Limit, numbers: number[], cost: number) => void,
): Answer {
  const { limits, costs } = part.request;
  const numbers: number[] = [];
  let offset = 0;
  limits.forEach((limit, i) => {
    const own = result.numbers.slice(offset, offset + limit.algorithm.numberCount);
    offset += limit.algorithm.numberCount;
    // A shadow limit that lacked room was not charged.
    if (own[0]! >= 0 && costs[i]! > 0) change(limit, own, costs[i]!);
    numbers.push(...own);
  });
  return { part, result: { ...result, numbers } };
}

interface Answer {
  readonly part: Part;
  readonly result: EngineResult;
}

type Outcome = Answer | { readonly part: Part; readonly error: unknown };

/** Converts a part of `outer` into a part of the whole request. */
function within(outer: Part, inner: Part): Part {
  return { request: inner.request, places: inner.places.map((place) => outer.places[place]!) };
}

/** Peeks at all parts of a request, and returns one result for the whole request. */
export async function peekEveryPart(
  whole: CheckedRequest,
  parts: readonly Part[],
  chargeId: string,
  operations: PartOperations,
): Promise<EngineResult> {
  const results = await Promise.all(parts.map((part) => operations.peek(part.request, chargeId)));
  const found = parts.map((part, i) => ({ part, result: results[i]! }));
  // A charge ends at the first step that denies. Only the parts that deny in that step count the
  // operation on limits with `countDenied`, and no later step is charged.
  const isDenied = new Set(found.filter(({ result }) => !result.admitted).map(({ part }) => part));
  const steps = stepsOf(parts);
  const last = steps.findIndex((step) => step.some((part) => isDenied.has(part)));
  const asked = last === -1 ? parts : steps.slice(0, last + 1).flat();
  const wouldBe = found
    .filter(({ part }) => asked.includes(part))
    .map(({ part, result }) => {
      const isCharged = last === -1 || (isDenied.has(part) && steps[last]!.includes(part));
      return { part, result: isCharged ? { ...result, numbers: result.wouldBe! } : result };
    });
  return { ...merge(whole, found), wouldBe: merge(whole, wouldBe).numbers };
}

/**
 * Returns the record of a charged part, without shadow limits that lacked room, because they were
 * not charged.
 */
function toRecord(request: CheckedRequest, chargeId: string, result: EngineResult): ChargeRecord {
  const record = { request, chargeId, time: result, times: undefined };
  if (!request.hasShadows) return record;
  const charged: number[] = [];
  let offset = 0;
  request.limits.forEach((limit, i) => {
    if (result.numbers[offset]! >= 0) charged.push(i);
    offset += limit.algorithm.numberCount;
  });
  return { ...record, request: selectAt(request, charged) };
}

/**
 * Merges the results of all parts, in the requested order. Limits of a part without a reply are
 * reported as unused.
 */
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
  const { clock, now } = times.find((time) => time !== undefined)!;
  return {
    admitted: answers.every(({ result }) => result.admitted),
    clock,
    now,
    numbers: limits.flatMap(
      ({ algorithm }, place) => numbersOf[place] ?? new Array<number>(algorithm.numberCount).fill(0),
    ),
    times: limits.map((_, place) => times[place] ?? { clock, now }),
  };
}
