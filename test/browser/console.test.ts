import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, type Platform, startPlatform } from '../helpers/platform.js';
import { startRedisServer } from '../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.js';
import { openServerDatabase } from '../postgres/databases.js';
import { reportFigure } from '../report/figures.js';
import { barriersOf, clearPage, keepScreenshot, openBrowser, type WatchedPage, watchedPage } from './open-browser.js';
import { describeAdminApi } from './pages/admin-api.js';
import { describeCallerChanges } from './pages/caller-changes.js';
import { describeCallers } from './pages/callers.js';
import { eventually, goTo, loaded, tabTo, untilAffordable } from './pages/console-kit.js';
import { describeDenials } from './pages/denials.js';
import { describeDocuments } from './pages/documents.js';
import { describeExport } from './pages/export.js';
import { describeHealth } from './pages/health.js';
import { describeHostileNames } from './pages/hostile-names.js';
import { describeIntegrations } from './pages/integrations.js';
import { describeNextObject } from './pages/next-object.js';
import { describeOpenStreams } from './pages/open-streams.js';
import { describeOperations } from './pages/operations.js';
import { describePausesAndDays } from './pages/pauses-and-days.js';
import { describeRanges } from './pages/ranges.js';
import { describeRules } from './pages/rules.js';
import { describeSearch } from './pages/search.js';
import { describeStates } from './pages/states.js';
import { describeTenMinutes } from './pages/ten-minutes.js';
import { describeTiers } from './pages/tiers.js';
import { describeTokens } from './pages/tokens.js';

/** Folder of the console, which the test command builds. */
const BUILT = fileURLToPath(new URL('../../dist/console/', import.meta.url));
const MOST_ENTRY_BYTES = 130 * 1024;
const MOST_LAYOUT_SHIFT = 0.05;

const PAGES = [
  ['Overview', '/'],
  ['Denials', '/denials'],
  ['Callers', '/callers'],
  ['Operations', '/operations'],
  ['Rules', '/rules'],
  ['Tiers', '/tiers'],
  ['Documents', '/documents'],
  ['Fields', '/fields'],
  ['Explorer', '/explorer'],
  ['Export', '/export'],
  ['Health', '/health'],
  ['Admin API', '/graphql'],
  ['Admin tokens', '/tokens'],
  ['History', '/history'],
] as const;
/** Script that returns the layout shift so far and the time of the first content. */
const LOOK = `new Promise((resolve) => {
  let shift = 0;
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (shift += value)));
  observer.observe({ type: 'layout-shift', buffered: true });
  // A slow machine may paint after the page has loaded.
  new PerformanceObserver((list) => {
    const paint = list.getEntriesByName('first-contentful-paint')[0];
    if (paint) setTimeout(() => resolve({ shift, paintMs: paint.startTime }), 100);
  }).observe({ type: 'paint', buffered: true });
})`;
const NO_SESSION = { cookies: [], origins: [] };

let platform: Platform;
let browser: Browser;
let redisServer: Awaited<ReturnType<typeof startRedisServer>>;
let redis: TcpProxy;
let database: Awaited<ReturnType<typeof openServerDatabase>>;
let session: Awaited<ReturnType<BrowserContext['storageState']>>;
let link: string;
const open: { context: BrowserContext; complaints: string[] }[] = [];
/** Page of the tests that do not need a separate one. */
let shared: WatchedPage;
let isSharedTaken = false;

beforeAll(async () => {
  [redisServer, database] = await Promise.all([startRedisServer(), openServerDatabase()]);
  redis = await startTcpProxy(redisServer.url);
  const servers = { REDIS_URL: redis.url, DATABASE_URL: database.url, HOST: '127.0.0.1' };
  [platform, browser] = await Promise.all([
    startPlatform({ env: { ...servers, TOLLGATE_DEMO: 'true', TOLLGATE_TRAFFIC: 'true', TOLLGATE_DECISIONS: 'true' } }),
    openBrowser(),
  ]);
  link = /http:\/\/\S+#code=\S+/.exec(platform.output())![0].replace('localhost', '127.0.0.1');
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(page.url()).not.toContain('code');
  session = await context.storageState();
  await context.close();
  shared = await watchedPage(await browser.newContext({ storageState: session }));
});

afterAll(async () => {
  await browser?.close();
  await platform?.stop();
  await redis?.close();
  await redisServer?.stop();
  await database?.dispose();
});

beforeEach(() => untilAffordable(platform.url));

afterEach(async () => {
  const complaints = [...open, shared].flatMap((one) => one.complaints);
  for (const { context } of open.splice(0)) await context.close();
  if (isSharedTaken) await clearPage(shared);
  isSharedTaken = false;
  expect(complaints).toEqual([]);
});

async function visit(path: string, options?: BrowserContextOptions): Promise<WatchedPage> {
  const watched = options === undefined && !isSharedTaken ? shared : await ownPage(options);
  if (watched === shared) isSharedTaken = true;
  await watched.page.goto(`${platform.url}${path}`);
  return watched;
}

async function ownPage(options: BrowserContextOptions | undefined): Promise<WatchedPage> {
  const context = await browser.newContext({ storageState: session, ...options });
  const watched = await watchedPage(context);
  open.push({ context, complaints: watched.complaints });
  return watched;
}

/**
 * Expects no problems except rejected requests, which a browser reports in its console.
 */
function expectRejectionsAlone(complaints: string[]): void {
  expect(complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([]);
}

describe('login and logout', () => {
  it('a login link works once', async () => {
    const { page, complaints } = await visit('/console/', { storageState: NO_SESSION });
    await page.goto(link);
    await page.reload();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expectRejectionsAlone(complaints);
  });

  it('an admin token opens the console, and logging out closes it', async () => {
    const { page, complaints } = await visit('/console/', { storageState: NO_SESSION });
    await page.getByLabel('Admin token').fill('wrong');
    await page.keyboard.press('Enter');
    await eventually(() => page.getByRole('alert').textContent()).toMatch(/not a valid admin token/);
    await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expectRejectionsAlone(complaints);
  });
});

describe('a page whose code cannot be loaded', () => {
  it('a page whose code cannot be loaded shows an error and loads on a later visit', async () => {
    const { page, complaints } = await visit('/console/health', {});
    await loaded(page, 'Health');
    await page.route('**/assets/tiers-page-*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Tiers', exact: true }).click();
    await page.getByText('This page could not be loaded. The server is unreachable').waitFor();
    await page.unroute('**/assets/tiers-page-*.js');
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await loaded(page, 'Rules');
    await page.getByRole('link', { name: 'Tiers', exact: true }).click();
    await loaded(page, 'Tiers');
    expect(complaints.splice(0).filter((text) => !/ERR_FAILED|could not be loaded/.test(text))).toEqual([]);
  });
});

describe('the pages of the console', () => {
  let context: BrowserContext;
  let watched: WatchedPage;
  let keysOf: Map<string, string[]>;
  beforeAll(async () => {
    context = await browser.newContext({ storageState: session });
    watched = await watchedPage(context);
    const { page } = watched;
    await page.goto(`${platform.url}/console/`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const names = await dialog.locator('dd').allInnerTexts();
    const keys = await dialog.locator('dt').allInnerTexts();
    keysOf = new Map(names.map((name, at) => [name, keys[at]!.trim().split(/\s+/)]));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
  afterAll(() => context?.close());

  it.each(
    PAGES,
  )('%s opens with its shortcut, is accessible in light and dark mode and fits into 1,440, 768 and 320 pixels', async (title, path) => {
    const { page, complaints } = watched;
    await page.setViewportSize({ width: 1280, height: 720 });
    // In the editor a letter key is text, not a shortcut.
    await page.locator('main').focus();
    expect(keysOf.get(title)).toHaveLength(2);
    for (const key of keysOf.get(title)!) await page.keyboard.press(key);
    await loaded(page, title);
    expect(new URL(page.url()).pathname).toBe(`/console${path}`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await keepScreenshot(page, `${title.toLowerCase().replaceAll(' ', '-')}-${colorScheme}`);
      expect(await barriersOf(page, colorScheme === 'light' ? 'everything' : 'colours')).toEqual([]);
    }
    for (const width of [1440, 768, 320]) {
      await page.setViewportSize({ width, height: 640 });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    expect(complaints.splice(0)).toEqual([]);
  });
});

describe('rules by keyboard', () => {
  it('a rule can be created, simulated, changed and retired by keyboard, and the history shows who did it', async () => {
    const { page } = await visit('/console/rules');
    await loaded(page, 'Rules');
    await page.getByRole('link', { name: 'New rule' }).focus();
    await page.keyboard.press('Enter');
    await loaded(page, 'New rule');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('few-countries');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Query.nothing');
    await page.getByRole('button', { name: 'Simulate on the last 24 h' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('status').innerText()).toMatch(/If enforced: 0 of/);
    await page.getByRole('button', { name: 'Create' }).focus();
    await page.keyboard.press('Enter');
    // No schema has the field, so it may be a mistake.
    await page.getByRole('alert').filter({ hasText: 'Query.nothing' }).waitFor();
    await page.getByRole('button', { name: 'Create anyway' }).focus();
    await page.keyboard.press('Enter');
    await loaded(page, 'few-countries');
    expect(await page.locator('.pill', { hasText: 'shadow' }).count()).toBe(1);
    await page.getByRole('combobox', { name: 'Mode' }).focus();
    await page.keyboard.type('Enforce');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('.pill', { hasText: 'enforce' }).count()).toBe(1);
    await page.getByRole('link', { name: 'Edit' }).click();
    await loaded(page, 'Edit rule');
    await page.getByLabel('Name').fill('no-countries');
    await page.getByLabel('Amount').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save anyway' }).click();
    await loaded(page, 'no-countries');
    const definition = page.getByRole('region', { name: 'Definition' });
    await eventually(() => definition.innerText()).toMatch(/7 tokens per minute per user/);
    await page.getByRole('button', { name: 'Retire' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click();
    await page.getByRole('button', { name: 'Reactivate' }).click();
    // The warnings of the original save appear again before the confirmation.
    const question = page.getByRole('dialog');
    await question.getByText('Query.nothing').waitFor();
    await question.getByRole('button', { name: 'Reactivate anyway' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Retire' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click();
    await page.getByRole('button', { name: 'Reactivate' }).waitFor();
    await page.getByText('Rule no-countries retired').last().waitFor();
    await page.goto(`${platform.url}/console/history`);
    await loaded(page, 'History');
    expect(await page.getByRole('row').nth(1).innerText()).toMatch(/admin retired the rule/);
    expect(await page.getByRole('row').nth(2).innerText()).toMatch(/admin restored the rule/);
    // The history shows the name of the rule, not its number in the database.
    expect(await page.getByRole('row').nth(6).innerText()).toMatch(/admin created the rule no-countries/);
  });

  it('a mistake in a rule is shown at its field', async () => {
    const { page } = await visit('/console/rule-form');
    await loaded(page, 'New rule');
    await page.getByLabel('Name').fill('search-per-user');
    await page.getByLabel(/^Field/).fill('no field');
    await page.getByRole('button', { name: 'Create' }).click();
    const field = page.locator('.field', { has: page.getByLabel('Field') });
    await eventually(() => field.innerText()).toMatch(/expected/);
    expect(await page.getByRole('alert').count()).toBeGreaterThan(0);
    expect(await barriersOf(page)).toEqual([]);
  });
});

describeCallers({ visit, barriersOf });
describeCallerChanges({ visit, platform: () => platform });
describeDenials({ visit });
describeRanges({ visit, databaseUrl: () => database.url });
describeNextObject({ visit });
describeTiers({ visit });
describeRules({ visit, databaseUrl: () => database.url, platform: () => platform });
describeTenMinutes({ visit, platform: () => platform });
describeDocuments({ visit, platform: () => platform });
describeOperations({ visit });
describeOpenStreams({ visit, platform: () => platform });
describeExport({ visit });
describeTokens({ visit });
describePausesAndDays({ visit });
describeSearch({ visit });
describeAdminApi({ visit });
describeHealth({ visit, redis: () => redis });
describeStates({ visit });

describe('a browser with a wrong clock', () => {
  it('a browser whose clock is hours ahead shows the last hour of the platform', async () => {
    const { page } = await visit('/healthz', {});
    await page.clock.install({ time: Date.now() + 5 * 3_600_000 });
    await page.goto(`${platform.url}/console/?range=1h`);
    await loaded(page, 'Overview');
    await page
      .getByRole('region', { name: 'Top callers by cost' })
      .getByRole('link', { name: 'demo-' })
      .first()
      .waitFor();
    expect(await page.getByText('No traffic in this period').count()).toBe(0);
  });
});

describe('an idle page', () => {
  it('an idle page stops sending requests, so that its session can end, and resumes when its user returns', async () => {
    const { page, complaints } = await visit('/healthz', {});
    await page.clock.install();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/admin/graphql')) asked++;
    });
    await page.goto(`${platform.url}/console/?range=15m`);
    await loaded(page, 'Overview');
    const before = asked;
    await page.clock.runFor('01:00');
    await eventually(async () => asked).toBeGreaterThan(before);
    await page.clock.runFor('04:30');
    // The requests of these minutes are reported one after the other.
    let alone = -1;
    const isQuiet = async () => {
      const isUnchanged = asked === alone;
      alone = asked;
      return isUnchanged;
    };
    await expect.poll(isQuiet, { interval: 1000 }).toBe(true);
    await page.clock.runFor('20:00');
    // Each of its requests would have been reported before this one.
    await page.evaluate('fetch("/healthz").then(() => {})');
    expect(asked).toBe(alone);
    await page.mouse.move(100, 100);
    await eventually(async () => asked).toBeGreaterThan(alone);
    // The page sends the requests of many minutes in a moment, which may exceed an administrator's
    // budget.
    expect(complaints.splice(0).filter((text) => !text.includes('429'))).toEqual([]);
  });
});

describe('the explorer', () => {
  it('the explorer prices and runs an operation, shows what each tier pays, and previews a caller', async () => {
    const query = encodeURIComponent('{ countries(first: 50) { borders { name } } }');
    const { page } = await visit(`/console/explorer?query=${query}`);
    await eventually(() => page.getByTestId('cost').textContent()).toBe('850');
    const tiers = page.getByRole('region', { name: 'Affordability by tier' });
    await eventually(() => tiers.getByRole('row', { name: /free/ }).innerText()).toMatch(/85%/);
    await page.getByLabel('User').fill('somebody');
    const preview = page.getByRole('region', { name: 'Check for a caller' });
    await eventually(() => preview.innerText()).toMatch(/Tier free: admitted/);
    await page.getByRole('button', { name: 'Run' }).click();
    const answer = page.getByRole('region', { name: 'Response' });
    await eventually(() => answer.innerText()).toContain('"countries"');
  });

  it('the editor ignores the shortcuts of the console, completes fields and loses the focus with Tab', async () => {
    const { page } = await visit('/console/explorer');
    await loaded(page, 'Explorer');
    await page.getByRole('textbox', { name: 'Operation' }).click();
    await page.keyboard.press('Control+End');
    for (let letter = 0; letter < 4; letter++) await page.keyboard.press('Backspace');
    await page.keyboard.type(' gr');
    expect(new URL(page.url()).pathname).toBe('/console/explorer');
    for (let letter = 0; letter < 2; letter++) await page.keyboard.press('Backspace');
    await page.keyboard.type('cap');
    const editor = page.getByRole('textbox', { name: 'Operation' });
    const capital = page.getByRole('option', { name: /capital/ });
    let wasThere = false;
    // Completions need the schema, which may still be loading. A list that has just opened ignores
    // Enter, because the user may have meant to insert a line break.
    const completes = async () => {
      const isThere = (await capital.count()) === 1;
      if (!isThere) await page.keyboard.press('Control+Space');
      else if (wasThere) await page.keyboard.press('Enter');
      wasThere = isThere;
      return editor.innerText();
    };
    await expect.poll(completes, { interval: 200 }).toContain('capital');
    await page.keyboard.type(' } }');
    await page.getByRole('cell', { name: /Country\.capital/ }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('TEXTAREA');
  });
});

describe('the explorer by keyboard', () => {
  it('an operation can be written, priced, previewed and run by keyboard, and survives navigation', async () => {
    const { page } = await visit('/console/');
    await loaded(page, 'Overview');
    await goTo(page, 'e', 'Explorer');
    const editor = page.getByRole('textbox', { name: 'Operation' });
    await tabTo(page, editor);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('query Few($first: Int) { countries(first: $first) { name } }');
    expect(await editor.getAttribute('aria-description')).toMatch(/^Tab leaves the editor/);
    await page.getByText('Tab leaves the editor').waitFor();
    await page.keyboard.press('Tab');
    const variables = page.getByLabel('Variables (JSON)');
    expect(await variables.and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Shift+Tab');
    expect(await editor.and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Tab');
    await page.keyboard.type('{ "first": 7 }');
    await page.getByRole('cell', { name: /Query\.countries/ }).waitFor();
    await eventually(() => page.getByRole('row', { name: /Query\.countries/ }).innerText()).toContain(
      '7 (first: $first)',
    );
    const answer = page.getByRole('region', { name: 'Response' });
    await page.keyboard.press('Control+Enter');
    await eventually(() => answer.innerText()).toContain('"countries"');

    await tabTo(page, page.getByLabel('User'));
    await page.keyboard.type('somebody');
    const preview = page.getByRole('region', { name: 'Check for a caller' });
    await eventually(() => preview.innerText()).toMatch(/Tier free: admitted/);

    await tabTo(page, page.getByLabel('API key', { exact: true }));
    await page.keyboard.type('without');
    await tabTo(page, page.getByRole('button', { name: 'Run', exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page, answer);
    await goTo(page, 'o', 'Overview');
    await page.goBack();
    await loaded(page, 'Explorer');
    expect(await editor.innerText()).toMatch(/query Few/);
    expect(await variables.inputValue()).toBe('{ "first": 7 }');
  });
});

describe('the editor', () => {
  it('the editor replaces a selection of several lines without violating the content security policy', async () => {
    const text = 'query A {\n  countries(first: 1) {\n    name # all\n    borders { name }\n  }\n}';
    const { page } = await visit(`/console/explorer?query=${encodeURIComponent(text)}`);
    const editor = page.getByRole('textbox', { name: 'Operation' });
    await editor.click();
    await page.keyboard.press('Control+Home');
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowDown'])
      await page.keyboard.press(key);
    await page.keyboard.type('odes');
    await eventually(() => editor.innerText()).toMatch(/^query A \{\s+codes +borders/);
    await page.keyboard.press('Control+z');
    await eventually(() => editor.innerText()).toMatch(/countries\(first: 1\)/);
  });
});

describe('the page of the sample API', () => {
  it('the page of the sample API prices and runs operations without a login and is accessible', async () => {
    const { page } = await visit('/graphql', { storageState: NO_SESSION });
    await loaded(page, 'Sample API');
    await eventually(() => page.locator('.stat-value').textContent()).toBe('340');
    // From the beginning the page names the caller whose bucket it charges.
    expect(await page.locator('.lead').innerText()).toMatch(/the key demo-pro\. Reading the schema costs ten tokens/);
    await page.getByRole('button', { name: 'Run' }).click();
    await eventually(() => page.getByRole('region', { name: 'Response' }).innerText()).toContain('"countries"');
    expect(await barriersOf(page)).toEqual([]);
    await keepScreenshot(page, 'sample-api');
  });
});

describe('the first load of the console', () => {
  it('the first load transfers at most 130 KB of compressed code', () => {
    const html = readFileSync(join(BUILT, 'index.html'), 'utf8');
    const files = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file]) => file!);
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(BUILT, file))).length, 0);
    expect(files.length).toBeGreaterThan(1);
    expect(bytes).toBeLessThan(MOST_ENTRY_BYTES);
  });

  it('a page whose code arrives before the session is known appears without a placeholder', async () => {
    const { page } = await ownPage({});
    await page.addInitScript(`
      globalThis.placeholders = 0;
      new MutationObserver(() => (placeholders += document.querySelectorAll('[aria-label="Loading page"]').length))
        .observe(document, { childList: true, subtree: true });`);
    // The code of the page requests its chart first.
    const isThere = page.waitForRequest(/stacked-chart/);
    await page.route('**/console/session', async (route) => {
      await isThere;
      await page.evaluate('new Promise(requestAnimationFrame)');
      await route.continue();
    });
    await page.goto(`${platform.url}/console/`);
    await loaded(page, 'Overview');
    expect(await page.evaluate('placeholders')).toBe(0);
  });

  it('the console shows everything around a page while the code of the page is loading', async () => {
    const { page } = await ownPage({});
    // The request gets neither a response nor an error.
    await page.route(/overview-page/, () => {});
    await page.goto(`${platform.url}/console/`);
    await page.getByRole('status', { name: 'Loading page' }).waitFor();
    await page.getByRole('button', { name: 'Log out' }).waitFor();
  });

  it.for([
    ['Overview', '/console/'],
    ['Explorer', '/console/explorer'],
    ['Health', '/console/health'],
    ['Rules', '/console/rules'],
  ] as const)('%s does not shift its layout once it is visible', async ([title, path], context) => {
    const { page } = await visit(path, {});
    await loaded(page, title);
    const { shift, paintMs } = await page.evaluate<{ shift: number; paintMs: number }>(LOOK);
    reportFigure(context, `first contentful paint after ${paintMs} ms, layout shift ${shift}`);
    expect(shift).toBeLessThan(MOST_LAYOUT_SHIFT);
  });
});

// These tests run last, because the names that they create stay in every list.
describeHostileNames({ visit });
describeIntegrations({ visit });
