import { describe, expect, inject, it } from 'vitest';
import { createPacedFetch } from '../../packages/client/src/paced-fetch.js';
import type { PacerOptions } from '../../packages/client/src/pacer.js';
import { protectedApi } from '../helpers/testkit.js';
import { until } from '../helpers/until.js';
import { createClient, createWorld, type World } from './simulate.js';

const RUNS_FOR_MS = 500;

/**
 * Connects a paced client to an API that runs five operations at the same time and denies the
 * others.
 */
function connect(
  world: World,
  retryAfterMs: number,
  { extensions = {}, freeOf, freeLeaves, ...options }: Options = {},
) {
  const sentMs: number[] = [];
  let running = 0;
  let denied = 0;
  const pacer = createClient(world, options);
  const pacedFetch = createPacedFetch(
    async (_input, init) => {
      if (freeOf !== undefined && String(init?.body).includes(freeOf)) {
        await world.wait(20);
        return answer({ data: {} }, 200, freeLeaves);
      }
      sentMs.push(world.nowMs);
      if (running >= 5) {
        denied++;
        const error = { code: 'THROTTLED', retryAfterMs, deniedBy: 'slots', isConcurrency: true, ...extensions };
        return answer({ errors: [{ extensions: error }] }, 429);
      }
      running++;
      await world.wait(RUNS_FOR_MS);
      running--;
      return answer({ data: {} }, 200);
    },
    { pacer },
  );
  const ask = async (name = 'q', signal?: AbortSignal) => {
    const body = JSON.stringify({ query: `{ ${name} }` });
    const response = await pacedFetch('http://api.test/graphql', { method: 'POST', body, ...(signal && { signal }) });
    return response.json() as Promise<{ data?: unknown }>;
  };
  /** Sends `count` operations. Adds the time of each response with data to the returned list. */
  const askAll = (count: number) => {
    const doneMs: number[] = [];
    for (let i = 0; i < count; i++) void ask().then(({ data }) => data && doneMs.push(world.nowMs));
    return doneMs;
  };
  return {
    ask,
    askAll,
    sentMs,
    /** Occupies this number of slots for other callers. A negative number frees them. */
    others: (slots: number) => (running += slots),
    denied: () => denied,
  };
}

type Options = Partial<PacerOptions> & {
  extensions?: object;
  /** Name of a query that no CONCURRENCY limit counts. */
  freeOf?: string;
  /** Remaining tokens after the query `freeOf`. @default 1000 */
  freeLeaves?: number;
};

function answer(body: object, status: number, currentlyAvailable = 1000): Response {
  const throttleStatus = { maximumAvailable: 1000, currentlyAvailable, restoreRate: 100 };
  return Response.json({ ...body, extensions: { cost: { requestedQueryCost: 1, throttleStatus } } }, { status });
}

describe('a client that a CONCURRENCY limit denies', () => {
  it('ten queries of half a second take one second when five may run, whatever wait the server reports', async () => {
    const world = createWorld();
    const { ask, askAll } = connect(world, 60_000);
    void ask();
    await world.runUntil(RUNS_FOR_MS);
    const doneMs = askAll(10);
    await world.runUntil(100_000);
    expect(doneMs).toEqual([...Array(5).fill(1000), ...Array(5).fill(1500)]);
  });

  it('ten queries take one and a half seconds when the client has to learn price and limit first', async () => {
    const world = createWorld();
    const doneMs = connect(world, 60_000).askAll(10);
    await world.runUntil(100_000);
    expect(doneMs).toHaveLength(10);
    expect(doneMs.at(-1)).toBe(1500);
  });

  it('a denied client resends one operation for each of its own that ends, and none for a denial', async () => {
    const world = createWorld();
    const { ask, askAll, denied } = connect(world, 60_000);
    void ask();
    await world.runUntil(RUNS_FOR_MS);
    const doneMs = askAll(40);
    await world.runUntil(100_000);
    expect(doneMs).toHaveLength(40);
    expect(doneMs.at(-1)).toBe(RUNS_FOR_MS + (40 / 5) * RUNS_FOR_MS);
    expect(denied()).toBe(35);
  });

  it('a client without running operations waits as long as the server reports', async () => {
    const world = createWorld();
    const { ask, sentMs, others } = connect(world, 700);
    others(5);
    void ask();
    await world.runUntil(600);
    others(-5);
    await world.runUntil(10_000);
    expect(sentMs).toEqual([0, 700]);
  });

  it('a client waits for its own operations when the reported wait exceeds its maximum', async () => {
    const world = createWorld();
    const { askAll } = connect(world, 600_000, { maxWaitMs: 5000 });
    const doneMs = askAll(10);
    await world.runUntil(100_000);
    expect(doneMs).toHaveLength(10);
  });

  it('a client without running operations gives up immediately when the reported wait exceeds its maximum', async () => {
    const world = createWorld();
    const { ask, sentMs, others } = connect(world, 600_000);
    others(5);
    const given = ask();
    await world.runUntil(1);
    expect(await given).not.toHaveProperty('data');
    expect(sentMs).toEqual([0]);
  });

  it('a client backs off while other callers hold all slots, however many of its own operations end', async () => {
    const world = createWorld();
    const { ask, others, denied } = connect(world, 60_000, { freeOf: 'free' });
    others(5);
    void ask();
    for (let timeMs = 0; timeMs < 50_000; timeMs += 20) world.at(timeMs, () => void ask('free'));
    await world.runUntil(50_000);
    // The backoff retries after 1, 50, 100, 200, ... ms, and finally every ten seconds.
    expect(denied()).toBeGreaterThan(5);
    expect(denied()).toBeLessThan(16);
  });

  it('if an operation is aborted just before its retry, the next waiting operation is sent instead', async () => {
    const world = createWorld();
    const { ask, sentMs, others } = connect(world, 40_000, { freeOf: 'free', freeLeaves: 0 });
    others(5);
    const abort = new AbortController();
    void ask('q', abort.signal).catch(() => {});
    void ask('r');
    await world.runUntil(5);
    expect(sentMs).toHaveLength(2);
    others(-5);
    void ask('free');
    // The end of the query `free` lets the client retry `q`. The test aborts `q` while it waits for
    // tokens, so the client must send `r`.
    world.at(world.nowMs + 25, () => abort.abort());
    await world.runUntil(1000);
    expect(sentMs).toHaveLength(3);
    expect(sentMs.at(-1)).toBeLessThan(100);
  });

  it('an operation that a limit without slots denies is never retried before the reported wait', async () => {
    const world = createWorld();
    const { ask, askAll, others, sentMs } = connect(world, 3000, { extensions: { isConcurrency: undefined } });
    void ask();
    await world.runUntil(RUNS_FOR_MS);
    others(4);
    const doneMs = askAll(2);
    await world.runUntil(100_000);
    expect(sentMs).toEqual([0, 500, 500, 3500]);
    expect(doneMs).toEqual([1000, 4000]);
  });
});

describe.each([
  ['in memory', () => ({})],
  ['on Redis', () => ({ redis: inject('redisUrl') })],
])('a real API with slots %s', (_, options) => {
  it('a paced client resends each denied query when one of its own has ended, long before a slot expires', async () => {
    const running: (() => void)[] = [];
    const { url, ask } = await protectedApi({
      schema: 'type Query { slow: Int }',
      resolvers: { Query: { slow: () => new Promise((resolve) => running.push(() => resolve(1))) } },
      rules: [
        {
          name: 'five at a time',
          scope: 'USER',
          field: '*',
          measure: 'REQUESTS',
          limits: [{ algorithm: 'CONCURRENCY', capacity: 5, leaseMs: 600_000 }],
        },
      ],
      ...options(),
    });
    const waits: (number | undefined)[] = [];
    const send = createPacedFetch(fetch, {
      maxWaitMs: 3_600_000,
      onEvent: (event) => event.type === 'DENIED' && waits.push(event.retryAfterMs),
    });
    let answered = 0;
    const count = async () => {
      const body = JSON.stringify({ query: '{ slow }' });
      const headers = { 'content-type': 'application/json' };
      const { data } = (await (await send(url, { method: 'POST', headers, body })).json()) as { data?: object };
      if (data) answered++;
    };
    const all = Array.from({ length: 10 }, count);
    // The client learns the price from the response to the first query.
    await until('the first query runs', () => running.length === 1);
    running[0]!();
    await until('five queries run and the others are denied', () => running.length === 6 && waits.length >= 4);
    const denied = await ask('{ slow }');
    expect(denied.errors![0]!.extensions).toMatchObject({ code: 'THROTTLED', isConcurrency: true });
    expect(denied.errors![0]!.extensions['retryAfterMs']).toBeLessThan(300_000);
    for (let n = 1; n < 10; n++) {
      await until(`query ${n} runs`, () => running.length > n);
      running[n]!();
    }
    await Promise.all(all);
    expect(answered).toBe(10);
  });
});
