import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadBudget } from '../../packages/client/src/budget-report.js';
import { createPacedFetch } from '../../packages/client/src/paced-fetch.js';
import { readGithub, readShopify } from '../../packages/client/src/presets.js';
import { readTollgate } from '../../packages/client/src/read-tollgate.js';
import { createApi, createClient, createWorld, type World } from './simulate.js';

// Tests of the guarantees in the README for a client that does not share its budget, with the
// responses of each API.

interface Served {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

interface Server {
  read: ReadBudget;
  /** Returns the response of the API to an operation of this price at the current time. */
  answer(price: number): Served;
  readonly spent: number;
  readonly denied: number;
}

const DATE_MS = Date.parse('2026-01-01T00:00:00Z');

function bucketServer(
  world: World,
  bucket: { capacity: number; restorePerSecond: number },
  kind: 'tollgate' | 'shopify',
) {
  const api = createApi(world, bucket);
  return {
    read: kind === 'tollgate' ? readTollgate : readShopify,
    get spent() {
      return api.spent;
    },
    get denied() {
      return api.denied;
    },
    answer(price: number): Served {
      const { bucket: state, denial } = api.arrive(price);
      const cost = {
        requestedQueryCost: price,
        actualQueryCost: denial ? null : price,
        throttleStatus: {
          maximumAvailable: state!.capacity,
          currentlyAvailable: state!.available,
          restoreRate: state!.restorePerSecond,
        },
      };
      if (denial === undefined) return { status: 200, body: { data: {}, extensions: { cost } } };
      const retryAfterMs = Math.ceil(denial.retryAfterMs!);
      const extensions = kind === 'tollgate' ? { code: 'THROTTLED', retryAfterMs } : { code: 'THROTTLED' };
      return { status: kind === 'tollgate' ? 429 : 200, body: { errors: [{ extensions }], extensions: { cost } } };
    },
  };
}

/**
 * Returns a server that limits points like GitHub. Its window ends at a whole second, and only
 * headers report the remaining points.
 */
function githubServer(world: World, points: number, windowMs: number): Server {
  let window = 0;
  let used = 0;
  let spent = 0;
  let denied = 0;
  return {
    read: readGithub,
    get spent() {
      return spent;
    },
    get denied() {
      return denied;
    },
    answer(price) {
      const current = Math.floor(world.nowMs / windowMs);
      if (current !== window) used = 0;
      window = current;
      const isDenied = used + price > points;
      if (isDenied) denied++;
      else {
        used += price;
        spent += price;
      }
      const headers = {
        date: new Date(DATE_MS + world.nowMs).toUTCString(),
        'x-ratelimit-limit': String(points),
        'x-ratelimit-remaining': String(isDenied ? 0 : points - used),
        'x-ratelimit-reset': String((DATE_MS + (window + 1) * windowMs) / 1000),
      };
      return { status: 200, headers, body: isDenied ? { errors: [{ type: 'RATE_LIMIT' }] } : { data: {} } };
    },
  };
}

/** Sends operations through a paced `fetch` and a network that takes `latencyMs` each way. */
function connect(world: World, server: Server, options = {}, latencyMs = () => 0) {
  const sentMs: number[] = [];
  const pacer = createClient(world, { maxWaitMs: 1e9, random: () => 1, ...options });
  const pacedFetch = createPacedFetch(
    async (_input, init) => {
      sentMs.push(world.nowMs);
      const { price } = JSON.parse(init?.body as string).variables;
      if (latencyMs() > 0) await world.wait(latencyMs());
      const { status, headers = {}, body } = server.answer(price);
      if (latencyMs() > 0) await world.wait(latencyMs());
      return Response.json(body, { status, headers });
    },
    { pacer, read: server.read },
  );
  const ask = async (price: number, name = 'q') => {
    const body = JSON.stringify({ query: `{ ${name}${price} }`, variables: { price } });
    const response = await pacedFetch('http://api.test/graphql', { method: 'POST', body });
    return response.json() as Promise<{ data?: unknown }>;
  };
  return { pacer, ask, sentMs };
}

const BUCKET = { capacity: 500, restorePerSecond: 10 };

describe('a client that does not share its budget', () => {
  it.each([
    'tollgate',
    'shopify',
  ] as const)('a client spends the whole bucket of %s before it waits for the refill', async (kind) => {
    const world = createWorld();
    const server = bucketServer(world, BUCKET, kind);
    const { ask } = connect(world, server);
    let doneMs = 0;
    void Promise.all(Array.from({ length: 8 }, () => ask(91))).then(() => {
      doneMs = world.nowMs;
    });
    await world.runUntil(60_000);
    // The bucket lacks 8 x 91 - 500 tokens, and refills ten tokens per second.
    expect(doneMs).toBe(22_800);
    expect(server.denied).toBe(0);
  });

  it('a client spends all points of a GitHub window and continues when the next one begins', async () => {
    const world = createWorld();
    const server = githubServer(world, 100, 3_600_000);
    const { ask, sentMs } = connect(world, server, {}, () => 50);
    let answered = 0;
    for (let n = 0; n < 130; n++) void ask(1).then(({ data }) => data && answered++);
    await world.runUntil(3_599_000);
    expect(server.spent).toBe(100);
    await world.runUntil(3_700_000);
    expect(answered).toBe(130);
    expect(server.denied).toBe(0);
    expect(sentMs[100]! - 3_600_000).toBeGreaterThanOrEqual(0);
    expect(sentMs[100]! - 3_600_000).toBeLessThan(1100);
  });

  it('a client sends operations of one document in parallel when the API reports no prices', async () => {
    const world = createWorld();
    const server = githubServer(world, 5000, 3_600_000);
    const { ask } = connect(world, server, {}, () => 100);
    void ask(1);
    await world.runUntil(1000);
    let doneMs = 0;
    void Promise.all(Array.from({ length: 20 }, () => ask(1))).then(() => {
      doneMs = world.nowMs;
    });
    await world.runUntil(10_000);
    expect(doneMs).toBe(1200);
  });

  it('a client with known prices is never denied, at any latency, and spends what refills', async () => {
    const operation = fc.record({
      atMs: fc.integer({ min: 200, max: 20_000 }),
      price: fc.constantFrom(1, 10, 91, 250, 500),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('tollgate', 'shopify'),
        fc.array(operation, { minLength: 1, maxLength: 40 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 7 }),
        async (kind, operations, latencies) => {
          const world = createWorld();
          const server = bucketServer(world, BUCKET, kind as 'tollgate');
          let turn = 0;
          const { ask } = connect(world, server, {}, () => latencies[turn++ % latencies.length]!);
          const prices = [1, 10, 91, 250, 500];
          // From the first response to each document, the client learns its price.
          for (const price of prices) {
            void ask(price);
            await world.runUntil(world.nowMs + 120_000);
          }
          const startMs = world.nowMs;
          const denied = server.denied;
          let doneMs = startMs;
          for (const { atMs, price } of operations)
            world.at(startMs + atMs, () => void ask(price).then(() => (doneMs = world.nowMs)));
          await world.runUntil(startMs + 10_000_000);
          expect(server.denied).toBe(denied);
          const total = operations.reduce((sum, { price }) => sum + price, 0);
          const refillMs = (Math.max(0, total - BUCKET.capacity) / BUCKET.restorePerSecond) * 1000;
          // Each response reports the bucket up to two latencies late, and rounded down to a whole
          // token.
          const lateMs = operations.length * (2 * 400 + 2 * (1000 / BUCKET.restorePerSecond));
          // A full bucket does not refill. It may be full during the 20 seconds of the schedule,
          // and for as long as a whole bucket takes to refill.
          const idleMs = 20_000 + (BUCKET.capacity / BUCKET.restorePerSecond) * 1000;
          expect(doneMs - startMs).toBeLessThanOrEqual(refillMs + lateMs + idleMs);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each<[string, ReadBudget, Served, number]>([
    ['any limit of Tollgate', readTollgate, denialOf({ code: 'THROTTLED', retryAfterMs: 2345 }), 2345],
    ['a rule of Tollgate with its own code', readTollgate, withRetryAfter(denialOf({ code: 'SLOW' }), 3), 3000],
    ['Tollgate with only Retry-After', readTollgate, { status: 429, headers: { 'retry-after': '7' }, body: {} }, 7000],
    ['Shopify with status 429', readShopify, { status: 429, headers: { 'retry-after': '2.0' }, body: {} }, 2000],
    ['the bucket of Shopify', readShopify, shopifyDenial(400, 250, 50), 3000],
    ['GitHub with Retry-After', readGithub, { status: 403, headers: { 'retry-after': '30' }, body: {} }, 30_000],
    ['a secondary limit of GitHub with status 403', readGithub, { status: 403, body: secondary() }, 60_000],
    ['a secondary limit of GitHub with status 429', readGithub, { status: 429, body: {} }, 60_000],
    ['a secondary limit of GitHub in errors', readGithub, { status: 200, body: { errors: [secondary()] } }, 60_000],
    [
      'GitHub with status 200 and RATE_LIMIT',
      readGithub,
      { status: 200, body: { errors: [{ type: 'RATE_LIMIT' }] } },
      60_000,
    ],
  ])('a client resends an operation exactly when it may, after a denial by %s', async (_, read, denial, afterMs) => {
    const world = createWorld();
    const answers = [denial, { status: 200, body: { data: {} } }];
    const server = { read, answer: () => answers.shift()!, spent: 0, denied: 0 };
    // The default of `maxWaitMs` must suffice for GitHub's minute.
    const { ask, sentMs } = connect(world, server, { maxWaitMs: undefined });
    const answer = ask(1);
    await world.runUntil(100_000);
    expect(await answer).toEqual({ data: {} });
    expect(sentMs).toEqual([0, afterMs]);
  });

  it('a client sends nothing else until the secondary limit of GitHub is over', async () => {
    const world = createWorld();
    const answers: Served[] = [{ status: 403, body: secondary() }];
    const server = {
      read: readGithub,
      answer: () => answers.shift() ?? { status: 200, body: { data: {} } },
      spent: 0,
      denied: 0,
    };
    const { ask, sentMs } = connect(world, server);
    void ask(1, 'a');
    await world.runUntil(10);
    void ask(1, 'b');
    void ask(1, 'c');
    await world.runUntil(100_000);
    expect(sentMs).toEqual([0, 60_000, 60_000, 60_000]);
  });
});

describe('responses about another budget', () => {
  const cost = (available: number) => ({
    requestedQueryCost: 100,
    throttleStatus: { maximumAvailable: 500, currentlyAvailable: available, restoreRate: 0.001 },
  });
  const github = (remaining: number, more: Record<string, string> = {}) => ({
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': String(remaining),
    ...more,
  });
  it.each<[string, ReadBudget, Served, Served]>([
    [
      'a denial that reports no quota',
      readTollgate,
      { status: 200, body: { data: {}, extensions: { cost: cost(400) } } },
      denialOf({ code: 'THROTTLED', retryAfterMs: 1e12 }),
    ],
    [
      'a response of a cache or load balancer in front of the API',
      readTollgate,
      { status: 200, body: { data: {}, extensions: { cost: cost(400) } } },
      { status: 502, body: {} },
    ],
    [
      'the rejection of a credential, charged to the address',
      readTollgate,
      { status: 200, body: { data: {}, extensions: { cost: cost(400) } } },
      {
        status: 401,
        body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }], extensions: { cost: { ...cost(3), fee: 1 } } },
      },
    ],
    [
      'the rejection of a credential by GitHub, with the budget of the address',
      readGithub,
      { status: 200, headers: github(400), body: { data: {} } },
      { status: 401, headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '3' }, body: {} },
    ],
    [
      'a GitHub response about another resource',
      readGithub,
      { status: 200, headers: github(400), body: { data: {} } },
      { status: 200, headers: github(3, { 'x-ratelimit-resource': 'core' }), body: { data: {} } },
    ],
  ])('%s does not change the known quota', async (_, read, first, second) => {
    const world = createWorld();
    const answers = [first, second];
    const { ask, pacer } = connect(world, { read, answer: () => answers.shift()!, spent: 0, denied: 0 });
    await ask(1);
    const before = pacer.quota();
    expect(before).toMatchObject({ available: 400 });
    void ask(1);
    await world.runUntil(10);
    expect(pacer.quota()).toMatchObject({ capacity: before!.capacity, available: 400 });
  });
});

function denialOf(extensions: object): Served {
  return { status: 429, body: { errors: [{ extensions }] } };
}

function withRetryAfter(served: Served, seconds: number): Served {
  return { ...served, headers: { 'retry-after': String(seconds) } };
}

function shopifyDenial(requestedQueryCost: number, currentlyAvailable: number, restoreRate: number): Served {
  const throttleStatus = { maximumAvailable: 1000, currentlyAvailable, restoreRate };
  const errors = [{ extensions: { code: 'THROTTLED' } }];
  return { status: 200, body: { errors, extensions: { cost: { requestedQueryCost, throttleStatus } } } };
}

function secondary(): { message: string } {
  return { message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.' };
}
