import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPlatform } from '../helpers/embedded-platform.js';
import { type Platform, startPlatform } from '../helpers/platform.js';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.js';
import { barriersOf, keepScreenshot, openBrowser, type WatchedPage, watchedPage } from './open-browser.js';
import { eventually, loaded } from './pages/console-kit.js';

// The console of a platform without any traffic, and its pages when the connection to the platform
// breaks.

const run = promisify(execFile);
/** A window of 1,280 x 720 pixels at 200 % browser zoom. It has 640 x 360 CSS pixels. */
const ZOOMED = { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 };
const NARROWEST = 320;

/**
 * Every page, with its text for the empty state, and whether it shows a command that creates data.
 */
const PAGES: [title: string, path: string, empty: RegExp | null, fills: boolean][] = [
  ['Overview', '?range=15m', /^No traffic in this period/, true],
  ['Denials', 'denials', /^No denials in this period/, false],
  ['Callers', 'callers', /^No traffic in this period/, true],
  ['Operations', 'operations', /^No traffic in this period/, true],
  ['Rules', 'rules?mode=OFF', /^No rules/, true],
  ['Rules', 'rules?retired=true', /^No retired rules/, false],
  ['Tiers', 'tiers?retired=true', /^No retired tiers/, false],
  ['Fields', 'fields?tab=costs', /^No traffic in this period/, true],
  ['Fields', 'fields?field=Nothing', /^No field matches/, false],
  ['Export', 'export', /^No traffic in this period/, true],
  ['Health', 'health', /^Counters are kept in this process/, true],
  ['Admin tokens', 'tokens', /^No tokens yet/, false],
  ['History', 'history?name=unknown', /^No changes/, false],
  ['search-per-user', 'rule?name=search-per-user', /^None/, false],
  ['pro', 'tier?name=pro', /^No requests on this tier/, false],
  ['demo-mobile-app', 'caller?user=demo-mobile-app', /^No such caller/, false],
  ['New rule', 'rule-form', null, false],
  ['New tier', 'tier-form', null, false],
  ['Explorer', 'explorer', /^Enter a user/, false],
];

let platform: Platform;
let proxy: TcpProxy;
let browser: Browser;
let session: Awaited<ReturnType<BrowserContext['storageState']>>;
const open: WatchedPage[] = [];

beforeAll(async () => {
  [platform, browser] = await Promise.all([startPlatform({ env: { HOST: '127.0.0.1' } }), openBrowser()]);
  proxy = await startTcpProxy(platform.url);
  const context = await browser.newContext();
  await logIn(await context.newPage(), platform, origin());
  session = await context.storageState();
  await context.close();
});

/** Logs in with the link that the platform has printed. */
async function logIn(page: Page, { output }: Platform, at: string): Promise<void> {
  const link = /http:\/\/\S+(\/console\/#code=\S+)/.exec(output())![1]!;
  await page.goto(at + link);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

afterAll(async () => {
  await browser?.close();
  await proxy?.close();
  await platform?.stop();
});

afterEach(async () => {
  await proxy.set({ kind: 'pass' });
  const complaints = open.flatMap((one) => one.complaints);
  for (const { page } of open.splice(0)) await page.context().close();
  expect(complaints).toEqual([]);
});

const origin = () => `http://127.0.0.1:${proxy.port}`;

async function visit(path: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ storageState: session, ...options });
  const watched = await watchedPage(context);
  open.push(watched);
  await watched.page.goto(`${origin()}/console/${path}`);
  return watched;
}

/** Advances the clock of the page by three seconds and returns the number of elements. */
async function later(page: Page, locator: Locator): Promise<number> {
  await page.clock.runFor(3_000);
  return locator.count();
}

/**
 * Returns the elements beyond the right edge of the window that cannot be scrolled to within their
 * own box.
 */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('main a, main button, main input, main select, main h1, main h2')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.table-scroll, .tabs, .cm-editor'))
    .map((one) => one.outerHTML.slice(0, 120))`);
}

describe('pages of a platform without traffic', () => {
  let watched: WatchedPage;
  beforeAll(async () => {
    watched = await watchedPage(await browser.newContext({ storageState: session, ...ZOOMED }));
  });
  afterAll(() => watched?.page.context().close());

  it.each(PAGES)('%s (%s) shows its empty state and is complete at 200 % zoom', async (title, path, empty, fills) => {
    const { page, complaints } = watched;
    await page.setViewportSize(ZOOMED.viewport);
    await page.goto(`${origin()}/console/${path}`);
    await loaded(page, title);
    if (empty !== null) {
      const notice = page.locator('.empty', { hasText: new RegExp(empty.source.slice(1)) }).first();
      await notice.waitFor();
      expect(await notice.innerText()).toMatch(empty);
      expect(await notice.getByRole('button', { name: 'Copy command' }).count()).toBe(fills ? 1 : 0);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await barriersOf(page, colorScheme === 'light' ? 'everything' : 'colours')).toEqual([]);
    }
    await keepScreenshot(page, `empty-${path.replaceAll(/\W+/g, '-')}`);
    for (const width of [ZOOMED.viewport.width, NARROWEST]) {
      await page.setViewportSize({ width, height: 360 });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await cutOff(page)).toEqual([]);
    }
    // The navigation must also work at 200 % zoom.
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Rules' }).waitFor();
    expect(complaints.splice(0)).toEqual([]);
  });
});

describe('the connection to the platform', () => {
  it('a broken connection is reported next to the live data and in a banner until it works again', async () => {
    const { page, complaints } = await visit('../healthz');
    await page.clock.install();
    await page.goto(`${origin()}/console/?range=15m`);
    await loaded(page, 'Overview');
    const stream = page.getByRole('status').filter({ hasText: 'Live updates are disconnected' });
    const banner = page.getByRole('status').filter({ hasText: 'Cannot reach the server' });
    expect([await stream.count(), await banner.count()]).toEqual([0, 0]);
    await proxy.set({ kind: 'refuse' });
    await stream.waitFor();
    await eventually(() => later(page, banner)).toBe(1);
    expect(await barriersOf(page)).toEqual([]);
    await keepScreenshot(page, 'cut-off');
    await proxy.set({ kind: 'pass' });
    await eventually(() => later(page, stream)).toBe(0);
    await eventually(() => later(page, banner)).toBe(0);
    await loaded(page, 'Overview');
    // The browser reports each failed attempt.
    expect(complaints.splice(0).filter((text) => !/ERR_|Failed to fetch/.test(text))).toEqual([]);
  });

  it('a silent connection is closed, and the stream is opened again', async () => {
    const { page, complaints } = await visit('../healthz');
    await page.clock.install();
    let streams = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('subscription LiveTraffic')) streams++;
    });
    await page.goto(`${origin()}/console/?range=15m`);
    await loaded(page, 'Overview');
    const quiet = page.getByText('No traffic right now');
    await quiet.waitFor();
    expect(streams).toBe(1);
    await proxy.set({ kind: 'half-open' });
    await eventually(async () => {
      await page.clock.runFor(3_000);
      return streams;
    }).toBe(2);
    await proxy.set({ kind: 'pass' });
    // Messages arrive in real time, so the clock of the page must not advance much faster.
    await eventually(async () => {
      await page.clock.runFor(300);
      return quiet.count();
    }).toBe(1);
    complaints.splice(0);
  });
});

describe('a page that was open during an upgrade', () => {
  it('a page that was open during an upgrade announces the new version and shows it after a reload', async () => {
    const { page } = await visit('../healthz');
    await page.clock.install();
    await page.goto(`${origin()}/console/rules`);
    await loaded(page, 'Rules');
    const banner = page.getByRole('status').filter({ hasText: 'The server runs version 99.0.0' });
    expect(await banner.count()).toBe(0);
    await page.route('**/admin/graphql', async (route) => {
      const answer = await (await route.fetch()).json();
      if (answer.data?.health?.process) answer.data.health.process.version = '99.0.0';
      await route.fulfill({ json: answer });
    });
    await eventually(() => later(page, banner)).toBe(1);
    expect(await barriersOf(page)).toEqual([]);
    await page.unroute('**/admin/graphql');
    await banner.getByRole('button', { name: 'Reload' }).click();
    await loaded(page, 'Rules');
    expect(await banner.count()).toBe(0);
  });
});

describe('requests of another origin on the same host', () => {
  const RETIRE = JSON.stringify({ query: 'mutation { tierRetire(input: { name: "pro" }) { userErrors { code } } }' });
  let evil: Server;
  let evilOrigin: string;
  beforeAll(async () => {
    evil = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>evil</p>'));
    await once(evil.listen(0, '127.0.0.1'), 'listening');
    evilOrigin = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
  });
  afterAll(() => evil.close());

  it.each([
    ['a simple request', 'text/plain', 'no-cors'],
    ['JSON', 'application/json', 'cors'],
  ] as const)('a page of another origin changes nothing by %s, even with the session cookie', async (_, type, mode) => {
    const { page, complaints } = await visit('rules');
    await page.goto(evilOrigin);
    const answered: number[] = [];
    page.on('response', (response) => answered.push(response.status()));
    const init: RequestInit = {
      method: 'POST',
      mode,
      credentials: 'include',
      headers: { 'content-type': type },
      body: RETIRE,
    };
    const outcome = await page.evaluate(
      ({ url, init }) =>
        fetch(url, init).then(
          ({ type }) => type,
          ({ name }: Error) => name,
        ),
      { url: `${origin()}/admin/graphql`, init },
    );
    expect(outcome).toBe(mode === 'cors' ? 'TypeError' : 'opaque');
    // The browser does not send the request with JSON, because its preflight fails. It sends the
    // simple request with the cookie, and the server rejects it because of its origin. Without the
    // cookie, the server rejects the same request for another reason.
    if (mode === 'no-cors') {
      const withoutCookie = await fetch(`${origin()}/admin/graphql`, {
        ...init,
        headers: { 'content-type': type, connection: 'close' },
      });
      await eventually(async () => answered).toEqual([403]);
      expect(withoutCookie.status).not.toBe(403);
    }
    await page.goto(`${origin()}/console/tier?name=pro`);
    await loaded(page, 'pro');
    await page.getByRole('button', { name: 'Retire' }).waitFor();
    complaints.splice(0);
  });

  it('a page of another origin cannot show the console in a frame', async () => {
    const { page, complaints } = await visit('rules');
    await page.goto(evilOrigin);
    await page.setContent(`<iframe src="${origin()}/console/"></iframe>`);
    await eventually(async () => complaints.join()).toMatch(/frame-ancestors/);
    expect(page.frames()[1]!.url()).not.toContain('/console');
    complaints.splice(0);
  });
});

describe('the command of an empty page', () => {
  let fresh: Platform;
  beforeAll(async () => {
    fresh = await startEmbeddedPlatform({ env: { HOST: '127.0.0.1' } });
  });
  afterAll(() => fresh?.stop());

  it('the command on an empty page creates the data that the page lacks', async () => {
    const watched = await watchedPage(await browser.newContext());
    open.push(watched);
    const { page } = watched;
    const at = new URL(fresh.url).origin;
    await logIn(page, fresh, at);
    await page.goto(`${at}/console/operations?range=1h`);
    await loaded(page, 'Operations');
    const command = await page.locator('.empty .command code').innerText();
    const { stdout } = await run('sh', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject({ data: { __typename: 'Query' } });
    await eventually(async () => {
      await page.reload();
      await loaded(page, 'Operations');
      return page.getByRole('row', { name: /Hello/ }).count();
    }).toBe(1);
  });
});
