import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client/core';
import { buildSync } from 'esbuild';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tollgateLink } from '../../packages/client/src/apollo.js';
import type { GraphqlAnswer } from '../../packages/client/src/budget-report.js';
import { createPacedFetch } from '../../packages/client/src/paced-fetch.js';
import { createPacer } from '../../packages/client/src/pacer.js';
import { readGithub, readShopify } from '../../packages/client/src/presets.js';
import { readTollgate } from '../../packages/client/src/read-tollgate.js';
import { createApi, createClient, createWorld, send } from './simulate.js';

const READERS = { readTollgate, readShopify, readGithub };
const MUTATION = { method: 'POST', body: JSON.stringify({ query: 'mutation { save { name } }' }) };
const THROTTLED = { message: 'too fast', extensions: { code: 'THROTTLED', retryAfterMs: 1 } };

/** Values that a server sends instead of numbers, and instead of the objects that contain them. */
const rubbish = fc.oneof(
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1e308, 2 ** 53, '12', null, undefined, [], {}, true),
  fc.double(),
);
const throttleStatus = fc.record({ maximumAvailable: rubbish, currentlyAvailable: rubbish, restoreRate: rubbish });
const rubbishAnswer = fc.record({
  data: fc.constantFrom(null, undefined, {}),
  errors: fc.oneof(
    rubbish,
    fc.array(
      fc.oneof(
        rubbish,
        fc.record({ extensions: fc.record({ code: fc.constant('THROTTLED'), retryAfterMs: rubbish }) }),
      ),
    ),
  ),
  extensions: fc.oneof(
    rubbish,
    fc.record({
      cost: fc.oneof(
        rubbish,
        fc.record({ requestedQueryCost: rubbish, throttleStatus: fc.oneof(rubbish, throttleStatus) }),
      ),
    }),
  ),
});
const rubbishHttp = fc
  .record({
    status: fc.constantFrom(200, 204, 403, 429, 500, 503),
    headers: fc.dictionary(
      fc.constantFrom('retry-after', 'date', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'),
      fc.constantFrom('', ' ', '-5', 'NaN', '1e999', '9'.repeat(400), '<html>', 'Wed, 21 Oct 2015 07:28:00 GMT', '1'),
    ),
  })
  .map(({ status, headers }) => ({ status, header: (name: string) => headers[name] ?? null }));

describe('a server with invalid responses', () => {
  it.each(
    Object.entries(READERS),
  )('invalid responses never make %s throw or return an impossible number', (_, read) => {
    fc.assert(
      fc.property(rubbishAnswer, rubbishHttp, (answer, http) => {
        const { bucket, requestedCost, denial } = read(answer as GraphqlAnswer, http);
        for (const value of [requestedCost, bucket?.capacity, bucket?.available, bucket?.restorePerSecond])
          if (value !== undefined) expect(Number.isFinite(value) && value >= 0).toBe(true);
        if (denial?.retryAfterMs !== undefined) expect(denial.retryAfterMs).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('a pacer recovers from invalid reports when the server sends valid ones again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(rubbishAnswer, rubbishHttp), { maxLength: 12 }), async (answers) => {
        const world = createWorld();
        const pacer = createClient(world);
        for (const [answer, http] of answers) {
          const report = readTollgate(answer as GraphqlAnswer, http);
          void pacer.run({ key: 'a' }, async () => ({ result: undefined, report })).catch(() => {});
          await world.runUntil(world.nowMs + 1000);
        }
        await world.runUntil(world.nowMs + 120_000);
        const api = createApi(world, { capacity: 100, restorePerSecond: 10 });
        let served = 0;
        for (let turn = 0; turn < 20; turn++) {
          void send({ world, api, pacer }, { key: `${turn % 3}`, price: 10 }).then(
            ({ denial }) => denial === undefined && served++,
            () => {},
          );
          await world.runUntil(world.nowMs + 10_000);
        }
        // The first operations may time out, until one of them has requested a new report.
        expect(served).toBeGreaterThanOrEqual(14);
      }),
      { numRuns: 60 },
    );
  });

  it('a server that always reports an immediate retry gets only a few requests', async () => {
    const world = createWorld();
    const pacer = createClient(world);
    let asked = 0;
    const result = pacer.run({ key: 'a' }, async () => {
      asked++;
      return { result: 'denied', report: { denial: { retryAfterMs: 0 } } };
    });
    await world.runUntil(100_000);
    expect(await result).toBe('denied');
    expect(asked).toBeLessThan(20);
  });

  it('operations are sent in parallel when the server reports no budget', async () => {
    const world = createWorld();
    const pacer = createClient(world);
    const ask = () =>
      pacer.run({ key: 'a' }, async () => {
        await world.wait(1000);
        return { result: undefined, report: {} };
      });
    for (let turn = 0; turn < 4; turn++) {
      void ask();
      await world.runUntil(world.nowMs + 1000);
    }
    const startMs = world.nowMs;
    let doneMs = 0;
    void Promise.all(Array.from({ length: 50 }, ask)).then(() => {
      doneMs = world.nowMs;
    });
    await world.runUntil(startMs + 50_000);
    expect(doneMs - startMs).toBe(1000);
  });

  it('a bucket that once reported no refill is probed again by one operation at a time', async () => {
    const world = createWorld();
    const api = createApi(world, { capacity: 100, restorePerSecond: 0 });
    const pacer = createClient(world);
    await sendOne();
    Object.assign(api, { restorePerSecond: 50 });
    const rest = Promise.allSettled([sendOne(), sendOne(), sendOne()]);
    await world.runUntil(100_000);
    expect((await rest).filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(api.denied).toBeLessThanOrEqual(1);

    async function sendOne() {
      const sent = send({ world, api, pacer }, { key: 'a', price: 100 });
      if (!pacer.quota()) await world.runUntil(1000);
      return sent;
    }
  });

  it('a client sends no operation before the end of the window that the server reports', async () => {
    const world = createWorld();
    const pacer = createClient(world);
    let asked = 0;
    const ask = () =>
      pacer.run({ key: 'a', price: 1 }, async () => {
        asked++;
        const bucket = { capacity: 10, available: 0, restorePerSecond: 0, resetAfterMs: 3_600_000 - world.nowMs };
        return { result: undefined, report: { requestedCost: 1, bucket } };
      });
    await ask();
    for (let minute = 0; minute < 30; minute++) {
      void ask().catch(() => {});
      await world.runUntil(world.nowMs + 60_000);
    }
    expect(asked).toBe(1);
  });

  it('the wait of Retry-After follows the Date header of a server whose clock is wrong', () => {
    const hourAgo = Date.now() - 3_600_000;
    const headers: Record<string, string> = {
      date: new Date(hourAgo).toUTCString(),
      'retry-after': new Date(hourAgo + 5000).toUTCString(),
    };
    const { denial } = readTollgate(undefined, { status: 429, header: (name) => headers[name] ?? null });
    expect(denial!.retryAfterMs).toBe(5000);
  });

  it.each<[string, () => Response, number]>([
    ['HTML', () => new Response('<h1>Oops</h1>', { headers: { 'content-type': 'text/html' } }), 200],
    ['no body', () => new Response(null, { status: 204 }), 204],
    ['null', () => Response.json(null), 200],
    ['incomplete JSON', () => new Response('{"data":', { headers: { 'content-type': 'application/json' } }), 200],
    ['malformed errors', () => Response.json({ errors: [null, 1], extensions: 'x' }), 200],
    ['an empty batch', () => Response.json([]), 200],
  ])('a response with %s is passed on unchanged', async (_, answer, status) => {
    const pacedFetch = createPacedFetch(async () => answer());
    expect((await pacedFetch('http://example.test/graphql', MUTATION)).status).toBe(status);
  });
});

describe('operations that have run', () => {
  const ran = { data: { save: { name: 'x' } } };
  it.each<[string, unknown]>([
    ['a field was denied behind the API', { ...ran, errors: [{ ...THROTTLED, path: ['other'] }] }],
    ['a denied field has made all data null', { data: null, errors: [{ ...THROTTLED, path: ['a'] }] }],
    ['only the last operation of a batch was denied', [ran, { errors: [THROTTLED] }]],
    ['only the first operation of a batch was denied', [{ errors: [THROTTLED] }, ran]],
  ])('an operation that has run is never sent again: %s', async (_, answer) => {
    for (const status of [200, 429]) {
      let sent = 0;
      const pacedFetch = createPacedFetch(async () => {
        sent++;
        return Response.json(answer, { status });
      });
      const response = await pacedFetch('http://example.test/graphql', MUTATION);
      expect(await response.json()).toEqual(answer);
      expect(sent).toBe(1);
    }
  });

  it('a batch that was denied as a whole is sent again', async () => {
    let sent = 0;
    const pacedFetch = createPacedFetch(async () =>
      Response.json(sent++ === 0 ? [{ errors: [THROTTLED] }, { errors: [THROTTLED] }] : [ran, ran]),
    );
    expect(await (await pacedFetch('http://example.test/graphql', MUTATION)).json()).toEqual([ran, ran]);
    expect(sent).toBe(2);
  });

  it('Apollo Client gets one result of an operation that is sent again, even if its link responds synchronously', async () => {
    let sent = 0;
    const atOnce = new ApolloLink(
      () =>
        new Observable<ApolloLink.Result>((observer) => {
          observer.next((sent++ === 0 ? { errors: [THROTTLED] } : { data: { a: 1 } }) as ApolloLink.Result);
          observer.complete();
        }),
    );
    const client = new ApolloClient({ cache: new InMemoryCache(), link: ApolloLink.from([tollgateLink(), atOnce]) });
    const { data } = await client.query({ query: gql('{ a }') });
    expect(data).toEqual({ a: 1 });
    expect(sent).toBe(2);
  });
});

describe('a pacer that is no longer needed', () => {
  const full = { bucket: { capacity: 10, available: 0, restorePerSecond: 0.1 }, requestedCost: 10 };

  it('a pacer has no timer and no listener left after all waiting operations are aborted', async () => {
    let timers = 0;
    const setTimer = (callback: () => void, delayMs: number) => {
      timers++;
      const timer = setTimeout(callback, delayMs);
      return () => {
        timers--;
        clearTimeout(timer);
      };
    };
    const pacer = createPacer({ setTimer });
    await pacer.run({ key: 'a' }, async () => ({ result: undefined, report: full }));
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = countListeners(signal);
    const waiting = pacer.admit({ key: 'a', signal }).catch(() => 'aborted');
    expect(timers).toBe(1);
    expect(listeners()).toBe(1);
    controller.abort();
    expect(await waiting).toBe('aborted');
    expect(timers).toBe(0);
    // A signal that all operations of a page share does not accumulate listeners.
    const shared = new AbortController();
    const free = createPacer();
    const kept = countListeners(shared.signal);
    for (let turn = 0; turn < 100; turn++)
      await free.run({ key: 'a', signal: shared.signal }, async () => ({ result: 1, report: {} }));
    expect(kept()).toBe(0);
  });

  it('operations that wait behind an aborted operation are admitted', async () => {
    const world = createWorld();
    const api = createApi(world, { capacity: 100, restorePerSecond: 1 });
    const pacer = createClient(world);
    const first = send({ world, api, pacer }, { key: 'first', price: 95 });
    await world.runUntil(100);
    await first;
    const controller = new AbortController();
    const large = pacer.admit({ key: 'large', price: 100, priority: 1, signal: controller.signal }).catch(() => {});
    let smallMs = 0;
    void pacer.admit({ key: 'small', price: 1 }).then(() => {
      smallMs = world.nowMs;
    });
    world.at(1000, () => controller.abort());
    await world.runUntil(20_000);
    await large;
    expect(smallMs).toBeGreaterThanOrEqual(1000);
    expect(smallMs).toBeLessThan(2000);
  });

  it('a pacer lets the process and a worker exit', () => {
    const entry = fileURLToPath(new URL('../../packages/client/src/index.ts', import.meta.url));
    const contents = `
      import { isMainThread, parentPort, Worker } from 'node:worker_threads';
      import { createPacedFetch } from ${JSON.stringify(entry)};
      if (isMainThread) {
        const worker = new Worker(process.argv[1] ? new URL(import.meta.url) : '', {});
        worker.on('message', (message) => console.log(message));
      } else {
        const cost = { requestedQueryCost: 9, throttleStatus: { maximumAvailable: 9, currentlyAvailable: 0, restoreRate: 0.1 } };
        const send = createPacedFetch(async () => Response.json({ data: {}, extensions: { cost } }));
        const init = { method: 'POST', body: '{ "query": "{ a }" }' };
        await send('http://example.test/graphql', init);
        const controller = new AbortController();
        const waiting = send('http://example.test/graphql', { ...init, signal: controller.signal }).catch((error) => error.name);
        setTimeout(() => controller.abort(), 50);
        parentPort.postMessage(await waiting);
      }`;
    const { outputFiles } = buildSync({
      stdin: { contents, resolveDir: '/' },
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
    });
    const program = outputFiles[0]!.text.replace(
      /process\.argv\[1\] \? new URL\(import\.meta\.url\) : ""/,
      'new URL("data:text/javascript," + encodeURIComponent(process.env.PROGRAM))',
    );
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      env: { ...process.env, PROGRAM: program },
      timeout: 120_000,
    });
    expect(printed.trim()).toBe('AbortError');
  });
});

function countListeners(signal: AbortSignal): () => number {
  const listeners = new Set<unknown>();
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners.delete(args[1]);
    remove(...args);
  };
  return () => listeners.size;
}
