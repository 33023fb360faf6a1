import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createChargeIds } from '../../../src/limiter/charge/charge-receipt.js';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter, type MonitoredLimiter } from '../../../src/limiter/create-limiter.js';
import { keysFor } from '../../../src/limiter/redis/keys-for.js';
import { ACTION } from '../../../src/limiter/redis/layout.js';
import { readReply } from '../../../src/limiter/redis/read-reply.js';
import { RequestWriter } from '../../../src/limiter/redis/request-writer.js';
import type { BufferCommands } from '../../../src/limiter/redis/script-client.js';
import { SCRIPTS } from '../../../src/limiter/redis/scripts.js';
import { PATIENT } from '../../helpers/patient.js';
import { someone } from '../engines.js';

const CAPACITY = 20;
const PENDING_MS = 3000;
const START = 1_700_000_000_000;

const window = { scope: 'USER', amount: CAPACITY, windowMs: 3_600_000, cost: 1 } as const;
const LIMITS: readonly LimitCharge[] = [
  {
    id: 'bucket',
    scope: 'USER',
    algorithm: 'TOKEN_BUCKET',
    capacity: CAPACITY,
    refillAmount: 1,
    refillPeriodMs: 3_600_000_000,
    cost: 1,
  },
  { id: 'sliding', algorithm: 'SLIDING_WINDOW_COUNTER', ...window },
  { id: 'fixed', algorithm: 'FIXED_WINDOW', ...window },
  { id: 'month', algorithm: 'CALENDAR_WINDOW', scope: 'USER', amount: CAPACITY, every: 'MONTH', cost: 1 },
];

let redis: Redis;
let limiter: MonitoredLimiter;
let now = START;
beforeAll(() => {
  redis = new Redis(inject('redisUrl'));
  limiter = createLimiter({ redis: inject('redisUrl'), now: () => now, ...PATIENT });
});
afterAll(async () => {
  await limiter.close();
  await redis.quit();
});

interface Held {
  readonly chargeId: string;
  readonly limits: readonly LimitCharge[];
  readonly atMs: number;
  /**
   * Whether the charge is still pending: not confirmed, not cancelled and not found after its
   * deadline.
   */
  isOpen: boolean;
}

type Step =
  | { do: 'hold' | 'charge'; limits: readonly number[]; costs: readonly number[] }
  | { do: 'confirm' | 'confirmAgain' | 'cancel' | 'settle'; which: number }
  | { do: 'wait'; ms: number };

const some = fc.subarray([0, 1, 2, 3], { minLength: 1 });
const costs = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 4, maxLength: 4 });
/** Most charges cover the whole partition, for which the scripts have a separate path. */
const asked = fc.oneof({ weight: 4, arbitrary: fc.constant([0, 1, 2, 3]) }, { weight: 1, arbitrary: some });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('hold' as const), limits: asked, costs }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('charge' as const), limits: asked, costs }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('confirm', 'confirmAgain', 'cancel', 'settle'), which: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 1000, 2999, 3000) }) },
);

test('a pending charge counts until it is cancelled or expires, whatever else its partition and call contain', async () => {
  const nextChargeId = createChargeIds();
  /**
   * The steps of an inner list are sent together: first the ends of charges in one call, then the
   * charges in another.
   */
  const calls = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(calls, async (rounds) => {
      now = START;
      const subject = someone();
      const reader = createChargeReader();
      const model = createModel();
      const ended = new Set<number>();
      for (const steps of rounds) {
        for (const one of steps) if (one.do === 'wait') now += one.ms;
        model.endOverdue();

        const ending = new RequestWriter();
        const known = model.held.length;
        for (const one of steps) {
          if (!('which' in one)) continue;
          // After the end of a charge, the limiter sends at most a repeated confirmation.
          if (one.which >= known || (one.do !== 'confirmAgain' && ended.has(one.which))) continue;
          // The limiter settles a charge that is no longer pending only together with a repeated
          // confirmation, so this test leaves out such settlements.
          if (one.do === 'settle' && !model.held[one.which]!.isOpen) continue;
          ended.add(one.which);
          const { limits, chargeId, atMs } = model.held[one.which]!;
          const time = { clock: atMs, now: atMs };
          const charge = { request: reader.read(subject, [...limits]), chargeId, time, times: undefined };
          if (one.do === 'settle') {
            ending.addCorrection(charge, Object.fromEntries(limits.map(({ id }) => [id, 0])), keysFor(subject));
          } else ending.addEnd(charge, ACTIONS[one.do], keysFor(subject), one.do === 'confirmAgain' ? PENDING_MS : 0);
          model[one.do](one.which);
        }
        if (ending.count() > 0) await run(SCRIPTS.charge, ending);

        const charging = new RequestWriter();
        const expected: boolean[] = [];
        const numberCounts: number[] = [];
        for (const one of steps) {
          if (one.do !== 'hold' && one.do !== 'charge') continue;
          const limits = one.limits.map((i) => ({ ...LIMITS[i]!, cost: one.costs[i]! }));
          const request = reader.read(subject, limits);
          const chargeId = nextChargeId();
          charging.addCharge(request, chargeId, one.do === 'hold' ? PENDING_MS : 0, keysFor(subject));
          numberCounts.push(request.numberCount);
          expected.push(model.charge(limits, chargeId, one.do === 'hold'));
        }
        if (charging.count() > 0) {
          const reply = readReply(await run(SCRIPTS.charge, charging));
          const admitted = numberCounts.map((count) => {
            const [verdict] = reply.read(1);
            reply.read(count);
            return verdict === 1;
          });
          expect(admitted).toEqual(expected);
        }
        const states = await limiter.peek({ subject, limits: [...LIMITS] });
        expect(states.map(({ used }) => used)).toEqual(model.used());
      }
    }),
    { numRuns: 300 },
  );
});

async function run(script: { text: string }, writer: RequestWriter): Promise<Buffer> {
  const { keys, request } = writer.finish(now);
  const client = redis as Redis & BufferCommands;
  return (await client.evalBuffer(script.text, keys.length, ...keys, request, String(now))) as Buffer;
}

const ACTIONS = {
  confirm: ACTION.CONFIRM,
  confirmAgain: ACTION.CONFIRM_AGAIN,
  cancel: ACTION.CANCEL,
} as const;

function createModel() {
  const used = new Map(LIMITS.map(({ id }) => [id, 0]));
  const held: Held[] = [];
  function add(limits: readonly LimitCharge[], sign: 1 | -1): void {
    for (const { id, cost } of limits) used.set(id, used.get(id)! + sign * cost);
  }
  function refund(one: Held): void {
    if (one.isOpen) add(one.limits, -1);
    one.isOpen = false;
  }
  return {
    held: held as readonly Held[],
    used: () => LIMITS.map(({ id }) => used.get(id)),
    cancel: (which: number) => refund(held[which]!),
    confirm(which: number) {
      const one = held[which]!;
      // Another call has already refunded the charge, so it is charged again.
      if (!one.isOpen) add(one.limits, 1);
      one.isOpen = false;
    },
    /**
     * Repeats a confirmation. Before the deadline, nothing else can have ended the pending charge.
     * After the deadline, the first confirmation may have been too late, so that the charge was
     * refunded.
     */
    confirmAgain(which: number) {
      const one = held[which]!;
      if (!one.isOpen && now >= one.atMs + PENDING_MS) add(one.limits, 1);
      one.isOpen = false;
    },
    settle: (which: number) => refund(held[which]!),
    endOverdue() {
      for (const one of held) if (one.atMs + PENDING_MS <= now) refund(one);
    },
    charge(limits: readonly LimitCharge[], chargeId: string, isHeld: boolean): boolean {
      const fits = limits.every(({ id, cost }) => cost === 0 || used.get(id)! + cost <= CAPACITY);
      if (!fits) return false;
      add(limits, 1);
      if (isHeld) held.push({ chargeId, limits, atMs: now, isOpen: true });
      return true;
    },
  };
}
