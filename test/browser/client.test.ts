import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGateway, serveUpstream } from '../gateway/gateway.js';
import { type ProtectedApi, protectedApi } from '../helpers/testkit.js';
import { openBrowser, type WatchedPage, watchedPage } from './open-browser.js';

// These tests run the client in a real Chromium, on a page of another origin than the API. There, a
// client can read only the headers that the browser exposes.

const CLIENT = fileURLToPath(new URL('../../packages/client/src/index.ts', import.meta.url));
/**
 * Ten of these operations empty the gateway's bucket, which does not refill. The platform's bucket
 * refills completely in a second.
 */
const QUERY = 'query Items { items(first: 10) { name } }';
const CAPACITY = 100;

/**
 * Script for a page and a worker: sends twenty operations through `createPacedFetch` and reports
 * the result.
 */
const PACED = (url: string) => `
  import { createPacedFetch } from ${JSON.stringify(CLIENT)};
  let denied = 0;
  const send = createPacedFetch(undefined, { onEvent: ({ type }) => type === 'DENIED' && denied++ });
  const ask = async () => {
    const body = JSON.stringify({ query: ${JSON.stringify(QUERY)} });
    const response = await send(${JSON.stringify(url)}, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return (await response.json()).data?.items.length;
  };
  export async function run() {
    const lengths = [await ask(), ...(await Promise.all(Array.from({ length: 19 }, ask)))];
    return { lengths, denied, capacity: send.pacer.quota().capacity };
  }`;

let browser: Browser;
let origin: string;
let platform: ProtectedApi;
let gatewayUrl: string;
let watched: WatchedPage;
const scripts = new Map<string, string>();

const pages = createServer((request, response) => {
  const script = scripts.get(request.url ?? '');
  response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
  response.end(script ?? '<!doctype html><link rel="icon" href="data:,"><title>An app</title>');
});

async function bundle(contents: string): Promise<string> {
  const options = { bundle: true, format: 'esm', platform: 'browser', write: false } as const;
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: '/' } });
  return outputFiles[0]!.text;
}

beforeAll(async () => {
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const upstream = await serveUpstream();
  const [gateway] = await Promise.all([
    openGateway(upstream.url, {}, { TOLLGATE_CORS_ORIGINS: origin }, CAPACITY),
    (async () => {
      platform = await protectedApi({
        corsOrigins: [origin],
        tier: { capacity: CAPACITY, refillAmount: 100, refillPeriodMs: 1000 },
      });
    })(),
    (async () => {
      browser = await openBrowser();
    })(),
  ]);
  gatewayUrl = gateway.url;
  scripts.set('/paced.js', await bundle(PACED(platform.url)));
  scripts.set('/worker.js', await bundle(`${PACED(platform.url)}\nrun().then(postMessage);`));
  watched = await watchedPage(await browser.newContext());
  await watched.page.goto(origin);
});

afterAll(async () => {
  await browser?.close();
  await platform?.close();
  pages.closeAllConnections();
  pages.close();
});

describe('a page of another origin', () => {
  it.each([
    ['the platform', () => platform.url, 1000],
    ['the gateway', () => gatewayUrl, 86_400_000],
  ])('a page of another origin reads the remaining tokens from %s, and after a denial the time to wait', async (_, url, mostPerTokenMs) => {
    const [answer, denial] = await watched.page.evaluate(
      async ({ address, query }) => {
        const read = async (text: string) => {
          const response = await fetch(address, {
            method: 'POST',
            headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
            body: JSON.stringify({ query: text }),
          });
          const { errors, extensions } = (await response.json()) as {
            errors?: { extensions: { retryAfterMs?: number; code?: string } }[];
            extensions?: { cost?: { throttleStatus?: { restoreRate: number } } };
          };
          return {
            status: response.status,
            headers: Object.fromEntries(response.headers) as Record<string, string>,
            restoreRate: extensions?.cost?.throttleStatus?.restoreRate,
            ...errors?.[0]?.extensions,
          };
        };
        const first = await read(query);
        // Send 30 requests in parallel, and repeat that until one is denied. On a busy machine, the
        // bucket refills meanwhile.
        let denied: typeof first | undefined;
        for (let round = 0; round < 20 && denied === undefined; round++) {
          const answers = await Promise.all(Array.from({ length: 30 }, () => read(query)));
          denied = answers.find(({ status }) => status === 429);
        }
        return [first, denied];
      },
      { address: url(), query: QUERY },
    );
    const names = ['ratelimit', 'ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
    expect(Object.keys(answer!.headers)).toEqual(expect.arrayContaining([...names, 'x-ratelimit-cost']));
    expect(answer).toMatchObject({ status: 200, restoreRate: expect.any(Number) });
    expect(denial).toMatchObject({ code: 'THROTTLED', retryAfterMs: expect.any(Number) });
    expect(Object.keys(denial!.headers)).toEqual(expect.arrayContaining([...names, 'retry-after']));
    // Retry-After is in whole seconds: not earlier than retryAfterMs, and less than a second later.
    const early = Number(denial!.headers['retry-after']) * 1000 - denial!.retryAfterMs!;
    expect(early).toBeGreaterThanOrEqual(0);
    expect(early).toBeLessThan(1000);
    expect(denial!.retryAfterMs).toBeLessThanOrEqual(mostPerTokenMs * CAPACITY);
  });

  it.each([
    ['on the page', "import('/paced.js').then(({ run }) => run())"],
    [
      'in a worker',
      `new Promise((resolve, reject) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = reject;
      })`,
    ],
  ])('a page of another origin paces operations %s, and all of them get a response', async (_, program) => {
    const { lengths, denied, capacity } = await watched.page.evaluate<{
      lengths: number[];
      denied: number;
      capacity: number;
    }>(program);
    expect(lengths).toEqual(Array.from({ length: 20 }, () => 5));
    expect(capacity).toBe(CAPACITY);
    // A previous test has emptied the bucket, so the first operations may be denied.
    expect(denied).toBeLessThanOrEqual(4);
  });
});
