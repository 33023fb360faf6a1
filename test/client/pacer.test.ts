import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BudgetReport } from '../../packages/client/src/budget-report.js';
import { PacerError, type PacerEvent } from '../../packages/client/src/pacer.js';
import { createApi, createClient, createWorld, type SimulatedApi, send, type World } from './simulate.js';

const MINUTE_MS = 60_000;
const PRICES = [5, 20, 60];

interface Load {
  processes: number;
  callers: number;
  capacity?: number;
  restorePerSecond?: number;
}

/**
 * Starts callers that always have another operation to send, in processes without knowledge of each
 * other.
 */
function startLoad(world: World, { processes, callers, capacity = 1000, restorePerSecond = 50 }: Load) {
  const api = createApi(world, { capacity, restorePerSecond });
  const served = new Map<string, number>();
  for (let process = 0; process < processes; process++) {
    const pacer = createClient(world, { random: () => (process * 0.37) % 1 });
    for (let caller = 0; caller < callers; caller++) {
      const name = `${process}/${caller}`;
      served.set(name, 0);
      void keepSending(async (turn) => {
        const price = PRICES[turn % PRICES.length]!;
        const latencyMs = 10 + ((process * 7 + caller * 13 + turn * 5) % 30);
        const report = await send({ world, api, pacer }, { key: `price ${price}`, price, latencyMs });
        if (report.denial === undefined) served.set(name, served.get(name)! + price);
      });
    }
  }
  return { api, served };
}

async function keepSending(turn: (index: number) => Promise<void>): Promise<never> {
  for (let index = 0; ; index++) {
    await turn(index).catch((error) => {
      if (!(error instanceof PacerError)) throw error;
    });
  }
}

describe('callers who share a bucket', () => {
  it.each<Load & { minutes: number }>([
    { processes: 1, callers: 1, minutes: 15 },
    { processes: 1, callers: 20, minutes: 15 },
    { processes: 4, callers: 5, minutes: 60 },
  ])('$callers callers in each of $processes processes are rarely denied and use 95 percent of the bucket', async (load) => {
    const world = createWorld();
    const { api, served } = startLoad(world, load);
    await world.runUntil(load.minutes * MINUTE_MS);
    const filled = 1000 + load.minutes * 60 * 50;
    expect(api.denied / api.sent).toBeLessThanOrEqual(load.processes === 1 ? 0 : 0.01);
    expect(api.spent / filled).toBeGreaterThanOrEqual(0.95);
    const fair = api.spent / served.size;
    expect(Math.min(...served.values())).toBeGreaterThan(fair / 3);
  });

  it('twenty processes that start together are rarely denied after two minutes', async () => {
    const world = createWorld();
    const { api } = startLoad(world, { processes: 20, callers: 1 });
    await world.runUntil(2 * MINUTE_MS);
    const { sent, denied } = api;
    await world.runUntil(30 * MINUTE_MS);
    expect((api.denied - denied) / (api.sent - sent)).toBeLessThanOrEqual(0.01);
  });

  it('callers adapt to a bucket whose tier changes while they run', async () => {
    const world = createWorld();
    const { api } = startLoad(world, { processes: 2, callers: 5 });
    await world.runUntil(5 * MINUTE_MS);
    Object.assign(api, { capacity: 200, restorePerSecond: 10 });
    await world.runUntil(6 * MINUTE_MS);
    const { sent, denied, spent } = api;
    await world.runUntil(16 * MINUTE_MS);
    expect((api.denied - denied) / (api.sent - sent)).toBeLessThanOrEqual(0.05);
    expect((api.spent - spent) / (10 * 60 * 10)).toBeGreaterThanOrEqual(0.9);
    Object.assign(api, { capacity: 1000, restorePerSecond: 50 });
    const before = api.spent;
    await world.runUntil(31 * MINUTE_MS);
    expect((api.spent - before) / (15 * 60 * 50)).toBeGreaterThanOrEqual(0.9);
  });
});

describe('a single caller', () => {
  const alone = (options = {}, bucket = { capacity: 100, restorePerSecond: 10 }) => {
    const world = createWorld();
    const api = createApi(world, bucket);
    const events: PacerEvent[] = [];
    const pacer = createClient(world, { onEvent: (event) => events.push(event), ...options });
    return { world, api, events, pacer };
  };

  it('a single caller with known prices is never denied, whatever it sends and however long responses take', async () => {
    const operation = fc.record({
      atMs: fc.integer({ min: 0, max: 60_000 }),
      price: fc.constantFrom(1, 10, 40, 100),
      refund: fc.double({ min: 0, max: 1, noNaN: true }),
      latencyMs: fc.integer({ min: 1, max: 500 }),
      priority: fc.integer({ min: -2, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 60 }), async (operations) => {
        const { world, api, pacer } = alone({ maxWaitMs: 1e9 });
        let answered = 0;
        for (const { atMs, price, refund, latencyMs, priority } of operations) {
          world.at(atMs, () => {
            const actual = Math.ceil(price * (1 - refund));
            const sent = pacer.run({ key: `${price}`, price, priority }, async () => {
              await world.wait(latencyMs);
              const report = api.arrive(price, actual);
              await world.wait(latencyMs);
              return { result: undefined, report };
            });
            void sent.then(() => answered++);
          });
        }
        // This time suffices for all operations, one after the other. An operation that starves
        // would still be waiting.
        await world.runUntil(60_000 + operations.length * (10_000 + 1000));
        expect(answered).toBe(operations.length);
        // Before the first response the client does not know the bucket.
        expect(api.denied).toBeLessThanOrEqual(3);
        expect(api.sent).toBe(operations.length + api.denied);
      }),
      { numRuns: 100 },
    );
  });

  it('a pacer sends one operation of each document until it knows the price', async () => {
    const { world, api, pacer } = alone();
    const reports = Promise.all(
      Array.from({ length: 10 }, () => send({ world, api, pacer }, { key: 'same', price: 40 })),
    );
    await world.runUntil(MINUTE_MS);
    await reports;
    expect(api.denied).toBe(0);
  });

  it('a pacer prefers higher priority, alternates between documents and starves nothing', async () => {
    const { world, api, pacer } = alone({ maxWaitMs: 1e9 });
    await first(world, api, pacer);
    const order: string[] = [];
    const ask = (key: string, priority: number) =>
      void send({ world, api, pacer }, { key, price: 50, priority }).then(() => order.push(key));
    for (const key of ['a', 'a', 'b', 'c']) ask(key, 0);
    ask('urgent', 5);
    await world.runUntil(5 * MINUTE_MS);
    expect(order[0]).toBe('urgent');
    expect(order.slice(1, 4).sort()).toEqual(['a', 'b', 'c']);
    expect(order).toHaveLength(5);
  });

  it('an operation gives up after maxWaitMs and is rejected immediately when the queue is full', async () => {
    const { world, api, pacer } = alone({ maxWaitMs: 1000, maxQueue: 2 });
    await first(world, api, pacer);
    const waiting = [1, 2, 3].map(() =>
      pacer.admit({ key: 'x', price: 100 }).then(
        () => 'admitted',
        (error: PacerError) => error,
      ),
    );
    await world.runUntil(world.nowMs + 5000);
    const [one, two, three] = await Promise.all(waiting);
    expect(three).toMatchObject({ code: 'QUEUE_FULL' });
    expect([one, two]).toEqual([
      expect.objectContaining({ code: 'WAIT_TOO_LONG', retryAfterMs: expect.any(Number) }),
      expect.objectContaining({ code: 'WAIT_TOO_LONG' }),
    ]);
    expect(api.sent).toBe(1);
  });

  it('an aborted operation stops waiting and makes room for the next', async () => {
    const { world, api, pacer } = alone({ maxQueue: 1 });
    await first(world, api, pacer);
    const controller = new AbortController();
    const aborted = pacer
      .admit({ key: 'x', price: 100, signal: controller.signal })
      .catch((error: Error) => error.message);
    await world.runUntil(world.nowMs + 10);
    controller.abort(new Error('changed my mind'));
    expect(await aborted).toBe('changed my mind');
    const next = pacer.admit({ key: 'x', price: 100 });
    await world.runUntil(world.nowMs + MINUTE_MS);
    (await next).lost();
    await expect(pacer.admit({ key: 'y', signal: controller.signal })).rejects.toThrow('changed my mind');
  });

  it('an operation whose response is lost is never sent again', async () => {
    const { world, api, pacer } = alone();
    await first(world, api, pacer);
    let sent = 0;
    const lost = pacer.run({ key: 'mutation', price: 10 }, async () => {
      sent++;
      throw new Error('connection reset');
    });
    const reason = lost.catch((error: Error) => error.message);
    await world.runUntil(MINUTE_MS);
    expect(await reason).toBe('connection reset');
    expect(sent).toBe(1);
    expect(pacer.quota()?.waiting).toBe(0);
  });

  it('an operation denied by another limit is resent exactly after its wait and delays nothing else', async () => {
    const { world, api, pacer } = alone({ random: () => 0 });
    await first(world, api, pacer);
    const bucket = { capacity: 100, available: 90, restorePerSecond: 10 };
    const times: number[] = [];
    const denied = pacer.run({ key: 'search', price: 1 }, async () => {
      times.push(world.nowMs);
      if (times.length > 1) return { result: 'found', report: { requestedCost: 1, bucket } };
      return {
        result: 'denied',
        report: { requestedCost: 1, bucket, denial: { retryAfterMs: 2345, deniedBy: 'searches' } },
      };
    });
    let other = 0;
    world.at(
      world.nowMs + 100,
      () =>
        void pacer.run({ key: 'other', price: 1 }, async () => {
          other = world.nowMs;
          return { result: undefined, report: { requestedCost: 1, bucket } };
        }),
    );
    await world.runUntil(MINUTE_MS);
    expect(await denied).toBe('found');
    expect(times[1]! - times[0]!).toBe(2345);
    expect(other).toBeLessThan(times[1]!);
  });

  it('an operation waits for the next window, and no longer, when nothing refills before', async () => {
    const { world, pacer } = alone();
    const windowMs = 30_000;
    let left = 1;
    const times: number[] = [];
    const ask = () =>
      pacer.run({ key: 'x', price: 1 }, async () => {
        times.push(world.nowMs);
        if (world.nowMs >= windowMs) left = 10;
        left--;
        const bucket = { capacity: 10, available: left, restorePerSecond: 0, resetAfterMs: windowMs - world.nowMs };
        return { result: undefined, report: { requestedCost: 1, bucket } };
      });
    await ask();
    void ask();
    await world.runUntil(MINUTE_MS);
    expect(times).toEqual([0, windowMs]);
  });

  it('a denial is passed on when its wait exceeds the maximum', async () => {
    const { world, pacer } = alone({ maxWaitMs: 1000 });
    const answer = pacer.run({ key: 'x' }, async () => ({
      result: 'denied',
      report: { denial: { retryAfterMs: 3_600_000 } },
    }));
    await world.runUntil(10);
    expect(await answer).toBe('denied');
  });

  it('a caller without a bucket is not paced, even after their bucket was empty, until a bucket is reported again', async () => {
    const { world, api, pacer } = alone({ maxWaitMs: 1e9 });
    await first(world, api, pacer);
    expect(pacer.quota()).toBeDefined();
    let sent = 0;
    const run = (report: BudgetReport) =>
      pacer.run({ key: `${report.bucket}` }, async () => {
        sent++;
        await world.wait(1000);
        return { result: undefined, report };
      });
    void run({ requestedCost: 1, bucket: null });
    await world.runUntil(world.nowMs + 60_000);
    expect([sent, pacer.quota()]).toEqual([1, undefined]);
    for (let count = 0; count < 50; count++) void run({ requestedCost: 90, bucket: null });
    await world.runUntil(world.nowMs + 1);
    expect(sent).toBe(51);
    await world.runUntil(world.nowMs + 5000);
    void run({ requestedCost: 90, bucket: { capacity: 100, available: 0, restorePerSecond: 10 } });
    await world.runUntil(world.nowMs + 5000);
    expect(pacer.quota()).toMatchObject({ capacity: 100 });
  });

  it('a pacer survives a clock that steps back and forth', async () => {
    const world = createWorld();
    const api = createApi(world, { capacity: 100, restorePerSecond: 10 });
    let stepMs = 0;
    const pacer = createClient(world, { now: () => world.nowMs + stepMs, maxWaitMs: 1e9 });
    let answered = 0;
    for (let index = 0; index < 30; index++)
      void send({ world, api, pacer }, { key: 'x', price: 40 }).then(() => answered++);
    await world.runUntil(10_000);
    stepMs = -3_600_000;
    await world.runUntil(20_000);
    stepMs = 3_600_000;
    await world.runUntil(20 * MINUTE_MS);
    expect(answered).toBe(30);
  });

  it('a pacer returns its quota and notifies subscribers of changes', async () => {
    const { world, api, pacer } = alone();
    let changes = 0;
    const unsubscribe = pacer.subscribe(() => changes++);
    expect(pacer.quota()).toBeUndefined();
    await first(world, api, pacer);
    expect(pacer.quota()).toEqual({ capacity: 100, available: 0, restorePerSecond: 10, waiting: 0 });
    expect(pacer.quota()).toBe(pacer.quota());
    expect(changes).toBeGreaterThan(0);
    unsubscribe();
  });

  it('a pacer notifies subscribers of the refill until the bucket is full, and always returns the current quota', async () => {
    const { world, api, pacer } = alone();
    await first(world, api, pacer);
    const seen: (number | undefined)[] = [];
    const unsubscribe = pacer.subscribe(() => seen.push(pacer.quota()?.available));
    await world.runUntil(world.nowMs + 5000);
    expect(seen.length).toBeGreaterThan(10);
    expect(seen).toEqual([...seen].sort((a, b) => a! - b!));
    await world.runUntil(world.nowMs + 6000);
    expect(seen.at(-1)).toBe(100);
    const changes = seen.length;
    await world.runUntil(world.nowMs + MINUTE_MS);
    expect(seen).toHaveLength(changes);
    unsubscribe();

    await first(world, api, pacer);
    await world.runUntil(world.nowMs + 2000);
    expect(pacer.quota()?.available).toBe(20);
    expect(seen).toHaveLength(changes);
  });
});

/** Sends the first operation. Afterwards the pacer knows the bucket, which is then empty. */
async function first(world: World, api: SimulatedApi, pacer: ReturnType<typeof createClient>): Promise<void> {
  const sent = send({ world, api, pacer }, { key: 'first', price: 100 });
  await world.runUntil(world.nowMs + 100);
  await sent;
}
