import { monotonicClock } from '../../runtime/clock.js';
import { schedule } from '../../runtime/schedule.js';
import type { EngineTime, Limit } from '../algorithms/limit-algorithm.js';
import { type ChargeRecord, type CheckedRequest, type EngineResult, selectAt } from '../charge/checked-request.js';
import type { Line, Watch } from './deadlines.js';
import { GivenUpError } from './engine-failure.js';
import { ROOT_OF, ROOTS } from './keys-for.js';

// On a Redis Cluster a script sees one slot, or with a flag those of one node. What a subject's limits share is charged
// first, with addresses beside it, then global counters: one atomic script for each place, and one for several that lie
// side by side in this order. Until the last has answered, the earlier ones stay pending in their partitions.

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
  const parts: { readonly place: string; readonly members: number[] }[] = [];
  for (const root of ROOTS) {
    const before = parts.length;
    for (let i = 0; i < where.length; i++) {
      if (ROOT_OF[request.limits[i]!.scope] !== root) continue;
      // Beside the last part of the roots before, or another limit of this one.
      const place = where[i]!;
      const beside = parts.find((part, p) => p >= before - 1 && part.place === place);
      if (beside) beside.members.push(i);
      else parts.push({ place, members: [i] });
    }
  }
  return parts.map(({ members }) => {
    const places = members.sort((a, b) => a - b);
    return { request: selectAt(request, places), places };
  });
}

/**
 * The parts in the order in which they are charged; those of a step at the same time. What comes before the last one stays
 * pending anyway: where several of these are not shared by all, none waits for the other. Global counters do, so that what
 * the narrow ones refuse is never taken from what all share.
 */
function stepsOf(parts: readonly Part[]): Part[][] {
  const isNarrow = ({ request }: Part) => request.limits.every(({ scope }) => ROOT_OF[scope] !== 'COUNTER');
  const first = parts.slice(0, -1).filter(isNarrow);
  return [...(first.length > 0 ? [first] : []), ...parts.slice(first.length).map((part) => [part])];
}

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
  // One that is denied would be taken from an address only to be given back.
  const steps = isDoubtful ? parts.map((part) => [part]) : stepsOf(parts);
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    if (watch?.isRefused) {
      // What is pending is known, and refunded. Had it been admitted, it would go on, and count.
      end('cancel');
      throw new GivenUpError();
    }
    const forMs = steps.length > 0 ? operations.pendingMs : 0;
    const outcomes = await chargeStep(step, forMs);
    const refusals: Answer[] = [];
    const smaller: Part[] = [];
    let failure: { error: unknown } | undefined;
    for (const outcome of outcomes) {
      const { part } = outcome;
      if ('result' in outcome) {
        (outcome.result.admitted ? pending : refusals).push(outcome);
        continue;
      }
      const split = operations.splitAfter(outcome.error, part);
      if (split === undefined) failure ??= outcome;
      else smaller.push(...split.map((one) => within(part, one)));
    }
    // A refusal is an answer, whatever becomes of the other parts.
    if (refusals.length > 0) return deny(refusals);
    if (failure !== undefined) {
      end('cancel');
      throw failure.error;
    }
    steps.unshift(...smaller.map((part) => [part]));
  }
  // The last one holds already.
  const last = pending.pop()!;
  end('confirm');
  return merge(whole, [...pending, last]);

  /** Resolves when all parts have replied, or well before the deadline where one of them has refused and others are silent. */
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
        else if (isRefusal(outcome)) schedule(end, graceMs(watch));
      };
      for (const one of charging) void one.then(add);
    });

    /** The charge was denied meanwhile. */
    function cancelLate(outcome: Outcome): void {
      if (!('result' in outcome) || !outcome.result.admitted) return;
      operations.cancel(toRecord(outcome.part.request, chargeId, outcome.result));
    }

    /** One that is silent is not waited for because another one replies. */
    function waitForNext(): void {
      const line = lines.find((one) => one !== undefined);
      if (watch !== undefined && line !== undefined) watch.line = line;
    }
  }

  /** Nothing holds. Parts without an answer are not asked for information: their nodes may be slow, or silent. */
  function deny(refusals: readonly Answer[]): EngineResult {
    end('cancel');
    const denial = merge(whole, [...refusals, ...pending.map(withoutCharge)]);
    const refusedAt = whole.limits.map((_, place) => refusals.some(({ part }) => part.places.includes(place)));
    return { ...denial, refusedAt };
  }
}

function isRefusal(outcome: Outcome): boolean {
  return 'result' in outcome && !outcome.result.admitted;
}

/** Nodes that were asked at the same time mostly reply at the same time, and one denial names all that they refuse. */
function graceMs(watch: Watch | undefined): number {
  return watch === undefined ? 0 : Math.max(0, (watch.dueAtMs - monotonicClock()) / 2);
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

type Outcome = Answer | { readonly part: Part; readonly error: unknown };

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
  // As a charge goes from step to step: those of the first that refuse say so, and the others have nothing to do with it.
  const isRefused = new Set(found.filter(({ result }) => !result.admitted).map(({ part }) => part));
  const steps = stepsOf(parts);
  const last = steps.findIndex((step) => step.some((part) => isRefused.has(part)));
  const asked = last === -1 ? parts : steps.slice(0, last + 1).flat();
  const wouldBe = found
    .filter(({ part }) => asked.includes(part))
    .map(({ part, result }) => {
      const isCharged = last === -1 || (isRefused.has(part) && steps[last]!.includes(part));
      return { part, result: isCharged ? { ...result, numbers: result.wouldBe! } : result };
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
  return { ...record, request: selectAt(request, charged) };
}

/** One result of all parts, in the order asked. Limits of a part without an answer are reported as unused. */
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
