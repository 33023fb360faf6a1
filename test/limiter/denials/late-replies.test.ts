import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChargeReceipt, createChargeIds, receiptOf } from '../../../src/limiter/charge/charge-receipt.js';
import type { CheckedRequest, EngineResult } from '../../../src/limiter/charge/checked-request.js';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { DenialMemory } from '../../../src/limiter/denials/denial-memory.js';
import { isQuestion } from '../../../src/limiter/denials/question.js';
import { withDenialMemory } from '../../../src/limiter/denials/with-denial-memory.js';
import { createMemoryEngine, type MemoryEngine } from '../../../src/limiter/memory/memory-engine.js';
import type { Watch } from '../../../src/limiter/redis/deadlines.js';
import type { RedisEngine } from '../../../src/limiter/redis/redis-engine.js';

// This test puts an instance in front of an engine that decides exactly. Each history defines how
// long the calls and replies of the instance travel. Other instances use the engine without delay.
// The test compares each denial with all decisions that the engine would have made in the meantime.

/** Number of histories. For a longer search: HISTORIES=20000. */
const RUNS = Number(process.env['HISTORIES'] ?? 500);

const MAX_AGE_MS = 100;
/** Unit of all times. After each unit the test records the decision that the engine would make. */
const TICK_MS = 10;
const START_MS = 1_700_000_000_000;

const limit = fc.record({
  scope: fc.constantFrom('USER' as const, 'USER' as const, 'IP' as const, 'GLOBAL' as const),
  parameters: fc.oneof(
    fc.record({
      algorithm: fc.constant('TOKEN_BUCKET' as const),
      capacity: fc.integer({ min: 1, max: 4 }),
      refillAmount: fc.constant(1),
      refillPeriodMs: fc.constantFrom(30, 200, 60_000),
    }),
    fc.record({
      algorithm: fc.constantFrom('FIXED_WINDOW' as const, 'FIXED_WINDOW' as const, 'SLIDING_WINDOW_COUNTER' as const),
      amount: fc.integer({ min: 1, max: 4 }),
      windowMs: fc.constantFrom(500, 60_000),
    }),
  ),
});
const use = fc.record({ limit: fc.nat(2), cost: fc.integer({ min: 0, max: 4 }) });
const which = { who: fc.nat(1), what: fc.nat(1) };
const few = fc.integer({ min: 1, max: 4 });
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('charge' as const), ...which, times: few }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('arrive' as const), count: few }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('read' as const), count: few }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('clock' as const), ticks: fc.constantFrom(1, 3, 8, 12) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const), receipt: fc.nat(9), here: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), ...which, here: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('giveUp' as const), charge: fc.nat(9) }) },
);
const history = fc.record({
  /**
   * True if only this instance changes the counters. In that case, the instance must apply each
   * change to its remembered denials immediately.
   */
  isAlone: fc.boolean(),
  limits: fc.array(limit, { minLength: 3, maxLength: 3 }),
  operations: fc.array(fc.array(use, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 2 }),
  steps: fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/**
 * A call on its way to the engine. `run` executes it and returns a function that delivers the
 * reply.
 */
interface Message {
  run(): () => void;
  lose(): void;
}

/** An action that the engine has executed or that is still in flight. */
interface Deed<T = unknown> {
  id: string;
  /** True for a settlement or a reset, false for a charge. */
  isChange: boolean;
  work(engine: MemoryEngine): T;
}

/** A denial that differs from the engine's decisions at all moments that the denial may reflect. */
interface Suspicion {
  request: CheckedRequest;
  id: string;
  moments: readonly { atMs: number; doneCount: number }[];
  /**
   * Actions that began before the denial. The first `place` of them began before the denied charge.
   */
  before: readonly Deed[];
  place: number;
}

const totals = { denials: 0, waited: 0, answered: 0 };

async function play({ isAlone, limits, operations, steps }: History): Promise<void> {
  let nowMs = START_MS;
  const server = createMemoryEngine({ clock: () => nowMs });
  const nextChargeId = createChargeIds();
  const { read } = createChargeReader();
  const requestOf = (who: number, what: number): CheckedRequest => {
    const uses = new Map(operations[what]!.map((one) => [one.limit, one.cost]));
    const charges = [...uses].map(([index, cost]): LimitCharge => {
      const { scope, parameters } = limits[index]!;
      return { id: `limit-${index}`, scope, ...parameters, cost } as LimitCharge;
    });
    return read({ user: `user-${who}`, ip: 'shared' }, charges);
  };
  const kinds = [0, 1].flatMap((who) => [0, 1].map((what) => requestOf(who, what)));

  /** All executed actions, so that the test can replay them on another engine. */
  const done: { atMs: number; deed: Deed }[] = [];
  /** Decisions of the engine for each kind of request at each moment, ordered by `atMs`. */
  const moments: { atMs: number; doneCount: number; denied: boolean[] }[] = [];
  const note = () => {
    const denied = kinds.map((request) => !server.charge(request, nextChargeId(), true).admitted);
    moments.push({ atMs: nowMs, doneCount: done.length, denied });
  };
  note();

  function doThere<T>(deed: Deed<T>): T {
    const reply = deed.work(server);
    done.push({ atMs: nowMs, deed });
    note();
    return reply;
  }

  /** Calls on their way to the engine. */
  const there: Message[] = [];
  /** Ids of the actions that were sent to the engine. */
  const sent = new Set<string>();
  /** Replies on their way to the instance. */
  const back: { read(): void; lose(): void }[] = [];
  /** Charges that the engine admitted. */
  const admittedThere = new Set<string>();
  const changeBy = (work: (engine: MemoryEngine) => void): Deed<void> => ({
    id: nextChargeId(),
    isChange: true,
    work,
  });
  /** Actions in the order in which they began. */
  const came: Deed[] = [];
  const ask = <T>(deed: Deed<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (deed.isChange) came.push(deed);
      sent.add(deed.id);
      there.push({
        run() {
          const reply = doThere(deed);
          return () => resolve(reply);
        },
        lose: () => reject(new Error('lost')),
      });
    });
  const engine: RedisEngine = {
    charge: (request, chargeId, readOnly) =>
      ask({
        id: chargeId,
        isChange: false,
        work(where) {
          const result = where.charge(request, chargeId, readOnly);
          if (result.admitted && where === server) admittedThere.add(chargeId);
          return result;
        },
      }),
    decide: (request, chargeId, _watch, _isDoubtful, decided, failed) =>
      void engine.charge(request, chargeId, request.impossible).then(decided, failed),
    settle: (charge, actual) => ask(changeBy((where) => where.settle(charge, actual))),
    renew: async () => {},
    reset: (request) => ask(changeBy((where) => where.reset(request))),
    beat: async () => ({ count: 1, divisor: 1, otherZoneData: '' }),
    probe: async () => {},
    count: () => {},
    sent: () => undefined,
    anomalies: server.anomalies,
    repliedAtMs: () => 0,
    close: async () => {},
  };
  const memory = new DenialMemory({ maxAgeMs: MAX_AGE_MS }, () => nowMs);
  const here = withDenialMemory(engine, memory);

  let open: { watch: Watch; isOver: boolean }[] = [];
  const receipts: ChargeReceipt[] = [];
  const suspicious: Suspicion[] = [];
  let admitted = 0;

  async function charge(who: number, what: number): Promise<void> {
    const kind = 2 * who + what;
    const request = kinds[kind]!;
    const cameAtMs = nowMs;
    const chargeId = nextChargeId();
    const place = came.length;
    came.push({ id: chargeId, isChange: false, work: (where) => where.charge(request, chargeId, false) });
    const watch: Watch = {
      askedAtMs: 0,
      dueAtMs: 0,
      giveUp: () => {},
      isExtended: false,
      line: undefined,
      isDenied: false,
    };
    const call = { watch, isOver: false };
    const known = memory.find(request);
    let result: EngineResult;
    if (known !== undefined && !isQuestion(known)) result = known;
    else {
      if (known?.isAsked) totals.waited++;
      open.push(call);
      try {
        result = await new Promise<EngineResult>((resolve, reject) =>
          here.decide(request, chargeId, watch, known, resolve, reject),
        );
      } catch {
        return;
      } finally {
        call.isOver = true;
      }
    }
    if (result.admitted) {
      admitted++;
      const receipt = receiptOf(request, result, chargeId, 'default', false);
      if (receipt) receipts.push(receipt);
      return;
    }
    totals.denials++;
    const recent = moments.filter(({ atMs }) => atMs >= cameAtMs - MAX_AGE_MS);
    // If no other instance changes the counters, the denial must reflect all earlier changes of
    // this instance.
    const changes = came.slice(0, place).filter(({ isChange }) => isChange && isAlone);
    const isPast = ({ doneCount }: { doneCount: number }) =>
      changes.every((change) => done.slice(0, doneCount).some(({ deed }) => deed === change));
    if (recent.some((moment) => moment.denied[kind] && isPast(moment))) return;
    suspicious.push({ request, id: chargeId, moments: recent, before: came.slice(), place });
  }

  /**
   * Returns whether actions in flight explain the denial.
   *
   * Changes that this instance made before the charge must be included. Changes that it made while
   * the charge waited may be included, so each number of them is tried. Charges in flight may
   * overtake each other and take each other's tokens, so any order would be valid. The function
   * replays them in the order in which they began.
   */
  function isBehindOthers({ request, id, moments: recent, before, place }: Suspicion): boolean {
    return recent.some((moment) => {
      for (let changes = place; changes <= before.length; changes++) {
        if (isDeniedAt(moment, request, id, before, changes)) return true;
      }
      return false;
    });
  }

  /** @param changes number of actions, from the first, whose changes are included */
  function isDeniedAt(
    { atMs, doneCount }: Suspicion['moments'][number],
    request: CheckedRequest,
    id: string,
    before: readonly Deed[],
    changes: number,
  ): boolean {
    let thenMs = START_MS;
    const copy = createMemoryEngine({ clock: () => thenMs });
    const isDone = new Set<string>();
    for (const { atMs: doneAtMs, deed } of done.slice(0, doneCount)) {
      thenMs = doneAtMs;
      deed.work(copy);
      isDone.add(deed.id);
    }
    thenMs = atMs;
    before.forEach((deed, i) => {
      if (isDone.has(deed.id) || deed.id === id) return;
      const goesBefore = deed.isChange ? isAlone && i < changes : sent.has(deed.id);
      if (goesBefore) deed.work(copy);
    });
    return !copy.charge(request, id, true).admitted;
  }

  const running: Promise<void>[] = [];
  const arrive = () => {
    const message = there.shift();
    if (message === undefined) return;
    back.push({ read: message.run(), lose: message.lose });
  };
  const zero = ({ request }: ChargeReceipt) => Object.fromEntries(request.limits.map(({ id }) => [id, 0]));
  for (const current of steps) {
    if (current.kind === 'charge') {
      for (let i = 0; i < current.times; i++) running.push(charge(current.who, current.what));
    } else if (current.kind === 'arrive') for (let i = 0; i < current.count; i++) arrive();
    else if (current.kind === 'read') {
      for (let i = 0; i < current.count; i++) {
        back.shift()?.read();
        await promises();
      }
    } else if (current.kind === 'clock') {
      for (let i = 0; i < current.ticks; i++) {
        nowMs += TICK_MS;
        note();
      }
    } else if (current.kind === 'settle') {
      const [receipt] = receipts.splice(current.receipt % (receipts.length || 1), 1);
      if (receipt === undefined) continue;
      if (current.here || isAlone) running.push(here.settle(receipt, zero(receipt)).catch(() => {}));
      else {
        doThere(changeBy((where) => where.settle(receipt, zero(receipt))));
      }
    } else if (current.kind === 'reset') {
      const request = kinds[2 * current.who + current.what]!;
      if (current.here || isAlone) running.push(here.reset(request).catch(() => {}));
      else {
        doThere(changeBy((where) => where.reset(request)));
      }
    } else if (current.kind === 'lose') back.shift()?.lose();
    else {
      open = open.filter(({ isOver }) => !isOver);
      const call = open[current.charge % (open.length || 1)];
      if (call) call.watch.isDenied = true;
    }
    await promises();
  }
  // All messages in flight arrive at the end, and each charge gets its decision.
  while (there.length + back.length > 0) {
    arrive();
    back.shift()?.read();
    await promises();
  }
  await Promise.all(running);
  expect(admitted).toBeLessThanOrEqual(admittedThere.size);
  expect(suspicious.filter((one) => !isBehindOthers(one))).toEqual([]);
  totals.answered += memory.totals.answered;
}

test(
  'a wrong denial from memory never outlives the maximum age of denials, however late replies are read',
  async () => {
    await fc.assert(fc.asyncProperty(history, play), { numRuns: RUNS });
    expect(totals.denials).toBeGreaterThan(RUNS);
    expect(totals.answered).toBeGreaterThan(RUNS / 2);
    expect(totals.waited).toBeGreaterThan(RUNS / 10);
  },
  60_000 + 100 * RUNS,
);

/** Waits until the continuations of all resolved promises have run. */
function promises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
