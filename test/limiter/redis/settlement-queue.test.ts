import { ApolloServer } from '@apollo/server';
import { buildSchema } from 'graphql';
import { Redis } from 'ioredis';
import { describe, expect, inject, it, vi } from 'vitest';
import { createTollgate } from '../../../src/index.js';
import type { RequestWriter } from '../../../src/limiter/redis/request-writer.js';
import { createResumeScheduler } from '../../../src/limiter/redis/resume-scheduler.js';
import { SCRIPTS } from '../../../src/limiter/redis/scripts.js';
import { createSettlementQueue } from '../../../src/limiter/redis/settlement-queue.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { uniqueName } from '../../helpers/servers.js';

describe('settlement queue', () => {
  const addOne = () => true;

  /**
   * Creates a queue that logs each call that it sends. The callers log the turns in which they add
   * settlements.
   */
  function world() {
    const log: string[] = [];
    let timeMs = 0;
    const scheduler = createResumeScheduler();
    const settlements = createSettlementQueue({
      send: async () => void log.push('sent'),
      scheduler,
      maxBatch: 100,
      clock: () => timeMs,
    });
    return { log, scheduler, settlements, advance: (byMs: number) => (timeMs += byMs) };
  }

  it('settlements of operations that one reply admits are sent together, after the last operation has had its turn', async () => {
    const { log, scheduler, settlements } = world();
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await scheduler.nextTurn();
        log.push(name);
        const added = settlements.add('slot', countOne(), false);
        await settlements.sent();
        log.push(`answer of ${name}`);
        await added;
      }),
    );
    expect(log).toEqual(['a', 'b', 'c', 'sent', 'answer of a', 'answer of b', 'answer of c']);
  });

  it('a settlement is sent immediately when no other operation waits for a turn', async () => {
    const { log, settlements } = world();
    const added = settlements.add('slot', countOne(), false);
    await settlements.sent();
    expect(log).toEqual(['sent']);
    expect(settlements.sent()).toBeUndefined();
    await added;
  });

  it('settlements of responses in one turn of the event loop are sent together', async () => {
    const { log, settlements } = world();
    const answers: (Promise<void> | undefined)[] = [];
    for (const name of ['a', 'b', 'c']) {
      log.push(name);
      settlements.add('slot', countOne(), false);
      answers.push(settlements.sent());
      // This simulates sockets that Node.js reads one after the other. The work that follows one
      // read ends before the next read.
      await new Promise<void>((resolve) => process.nextTick(resolve));
    }
    await Promise.all(answers);
    expect(log).toEqual(['a', 'b', 'c', 'sent']);
  });

  it('settlements wait for each other for half a millisecond at most', async () => {
    const { log, scheduler, settlements, advance } = world();
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await scheduler.nextTurn();
        advance(0.4);
        log.push(name);
        settlements.add('slot', countOne(), false);
        await settlements.sent();
        log.push(`answer of ${name}`);
      }),
    );
    expect(log.slice(0, 4)).toEqual(['a', 'b', 'c', 'sent']);
    const slow = world();
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await slow.scheduler.nextTurn();
        slow.advance(1);
        slow.log.push(name);
        slow.settlements.add('slot', countOne(), false);
        await slow.settlements.sent();
        slow.log.push(`answer of ${name}`);
      }),
    );
    expect(slow.log).toEqual(['a', 'b', 'sent', 'c', 'answer of a', 'answer of b', 'sent', 'answer of c']);
  });

  it('a settlement without a correction sends nothing', async () => {
    const { log, settlements } = world();
    await settlements.add('slot', addOne, false);
    expect(log).toEqual([]);
  });

  it('a failed call fails all of its settlements, and no later settlement', async () => {
    let failing = true;
    const settlements = createSettlementQueue({
      send: async () => {
        if (failing) throw new Error('away');
      },
      scheduler: createResumeScheduler(),
      maxBatch: 100,
    });
    const both = [settlements.add('slot', countOne(), false), settlements.add('slot', countOne(), false)];
    await expect(Promise.all(both)).rejects.toThrow('away');
    await expect(both[1]).rejects.toThrow('away');
    failing = false;
    await expect(settlements.add('slot', countOne(), false)).resolves.toBeUndefined();
  });

  it('corrections that may wait travel with the next charges, or alone after two milliseconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { log, settlements } = world();
      const first = settlements.add('slot', countOne(), true);
      expect(settlements.sent()).toBeUndefined();
      const taken = settlements.take('slot')!;
      expect(taken.writer.count()).toBe(1);
      taken.follow(Promise.resolve());
      await first;
      expect(settlements.take('slot')).toBeUndefined();
      const second = settlements.add('slot', countOne(), true);
      vi.advanceTimersByTime(1);
      expect(log).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(log).toEqual(['sent']);
      await second;
    } finally {
      vi.useRealTimers();
    }
  });

  it('a correction that must not wait takes along those that may', async () => {
    const { log, settlements } = world();
    const both = [settlements.add('slot', countOne(), true), settlements.add('slot', countOne(), false)];
    await settlements.sent();
    expect(log).toEqual(['sent']);
    await Promise.all(both);
  });

  describe('calls of an Apollo Server', () => {
    /** Starts a server with a bucket of this capacity. Each operation is charged 11 and costs 1. */
    async function serverWith(capacity: number) {
      const redis = new Redis(inject('redisUrl'));
      const calls = { count: 0 };
      const user = uniqueName('user');
      const send = redis.sendCommand.bind(redis);
      redis.sendCommand = (command, stream) => {
        if (command.args[0] === SCRIPTS.charge.sha) calls.count++;
        return send(command, stream);
      };
      const schema = buildSchema('type Query { items(first: Int!): [Item!] } type Item { id: ID }');
      const rootValue = { items: () => [{ id: 1 }] };
      const tollgate = await createTollgate({
        schema,
        redis,
        deadlineMs: PATIENT_MS,
        identify: () => ({ user }),
        tiers: [{ name: 'large', capacity, refillAmount: 1, refillPeriodMs: 1_000_000, isDefault: true }],
        logger: { info() {}, warn() {}, error() {} },
      });
      const server = new ApolloServer({ schema, rootValue, plugins: [tollgate.plugin()] });
      await server.start();
      const ask = () => server.executeOperation({ query: '{ items(first: 10) { id } }' });
      await ask();
      return {
        calls,
        ask,
        used: async () => (await tollgate.quota({ user }))[0]!.used,
        async stop() {
          await server.stop();
          await tollgate.close();
          await redis.quit();
        },
      };
    }

    it('away from the limit, one operation after the other makes one call each', async () => {
      const { calls, ask, used, stop } = await serverWith(1_000_000);
      await used();
      calls.count = 0;
      // Deadlines and the delay of corrections never expire.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        for (let i = 0; i < 10; i++) await ask();
        expect(calls.count).toBe(10);
      } finally {
        vi.useRealTimers();
      }
      expect(await used()).toBe(11);
      // The last correction was sent before the peek.
      expect(calls.count).toBe(11);
      await stop();
    });

    it('near the limit, the settlement is sent before the response', async () => {
      const { calls, ask, used, stop } = await serverWith(20);
      calls.count = 0;
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        for (let i = 1; i <= 3; i++) {
          await ask();
          expect(calls.count).toBe(2 * i);
        }
      } finally {
        vi.useRealTimers();
      }
      expect(await used()).toBe(4);
      await stop();
    });

    it('settlements of many operations share calls', async () => {
      const { calls, ask, used, stop } = await serverWith(1_000_000);
      calls.count = 0;
      await Promise.all(Array.from({ length: 100 }, ask));
      expect(calls.count).toBeLessThan(60);
      expect(await used()).toBe(101);
      await stop();
    });
  });
});

/**
 * Returns a function that increases the number of corrections in a call by one and writes nothing.
 */
function countOne() {
  return (writer: RequestWriter) => {
    const counted = writer.count() + 1;
    writer.count = () => counted;
    return true;
  };
}
