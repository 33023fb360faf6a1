import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FULL_CONSOLE, fillConsole } from '../../bench/console/fill-console.js';
import { ADMIN_TOKEN, type Platform, startPlatform } from '../helpers/platform.js';
import { startRedisServer, type TestServer } from '../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.js';
import { openServerDatabase } from '../postgres/databases.js';
import { keepScreenshot, openBrowser, violationsOf } from './open-browser.js';
import { eventually, untilAffordable } from './pages/console-kit.js';
import { changeRuleOften, fillRest } from './states/fill-rest.js';
import { layoutProblems } from './states/layout-problems.js';
import { DIALOGS, EMPTY, LARGE, type ShownDialog, type ShownPage, WAITING } from './states/shown-pages.js';
import { focusProblems } from './states/walk-by-tab.js';

// `npm run test:states`: every page of the console in every state, at every width, light and dark.
// The pictures are in screenshots/states/.

const WIDTHS = [390, 768, 1280, 1920];
/**
 * Widths at which accessibility is checked. Each other width combines the frame of one of these
 * widths with the tables of the other.
 */
const CHECKED = [390, 1280];
const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 768: 1024, 1280: 800, 1920: 1080 };
const SCHEMES = ['light', 'dark'] as const;
/** Script that returns `in the dialog` if the focus is there, and else the focused element. */
const FOCUS = `document.activeElement.closest('[role="dialog"]') ? 'in the dialog' : document.activeElement.outerHTML.slice(0, 200)`;
const ADMIN = '**/admin/graphql';
const LOGIN: ShownPage = { name: 'login', path: '' };
const NO_SESSION = { cookies: [], origins: [] };

let browser: Browser;
let large: Setting;
let empty: Setting;
let page: Page | undefined;

/** The history of a browser. The tests are compiled without the types of the DOM. */
interface PushState {
  pushState(state: null, unused: string, url: string): void;
}

/** A platform with its data, and a session of its administrator. */
interface Setting {
  platform: Platform;
  session: Awaited<ReturnType<BrowserContext['storageState']>>;
  postgres: TcpProxy;
  stop(): Promise<void>;
}

beforeAll(async () => {
  browser = await openBrowser();
  [large, empty] = await Promise.all([openLarge(), openEmpty()]);
}, 1_200_000);

afterAll(async () => {
  await browser?.close();
  await large?.stop();
  await empty?.stop();
});

afterEach(async () => {
  await page?.context().close();
  page = undefined;
});

async function openLarge(): Promise<Setting> {
  const database = await fillConsole(FULL_CONSOLE);
  await fillRest(database.url);
  const setting = await openSetting(database, ['--demo']);
  await changeRuleOften(setting.platform.url);
  return setting;
}

async function openEmpty(): Promise<Setting> {
  const { url, dispose } = await openServerDatabase();
  return openSetting({ url, stop: dispose }, []);
}

async function openSetting(database: Pick<TestServer, 'url' | 'stop'>, args: string[]): Promise<Setting> {
  const [redis, postgres] = await Promise.all([startRedisServer(), startTcpProxy(database.url)]);
  const env = { REDIS_URL: redis.url, DATABASE_URL: postgres.url, HOST: '127.0.0.1' };
  const platform = await startPlatform({ env, args });
  const context = await browser.newContext();
  const first = await context.newPage();
  await first.goto(`${platform.url}/console/`);
  await logIn(first, ADMIN_TOKEN);
  await first.getByRole('heading', { name: 'Overview' }).waitFor({ timeout: 60_000 });
  const session = await context.storageState();
  await context.close();
  return {
    platform,
    session,
    postgres,
    async stop() {
      await platform.stop();
      await postgres.close();
      await redis.stop();
      await database.stop();
    },
  };
}

async function logIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Admin token').fill(token);
  await page.keyboard.press('Enter');
}

/** Opens a page. Its network can be changed before it loads. */
async function open(
  { platform, session }: Setting,
  { path }: ShownPage,
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<Page> {
  const context = await browser.newContext({ storageState: session, viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  if (session !== NO_SESSION) await untilAffordable(platform.url);
  page.setDefaultTimeout(60_000);
  await prepare(page);
  await page.goto(`${platform.url}/console/${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return page;
}

/** Opens a dialog with the keyboard. */
async function openDialog(
  page: Page,
  { opener, open = (page) => page.keyboard.press('Enter') }: ShownDialog,
): Promise<void> {
  await opener(page).focus();
  await open(page);
  await page.getByRole('dialog').waitFor();
}

async function untilLoaded(page: Page): Promise<void> {
  await eventually(() => page.locator('.skeleton').count()).toBe(0);
}

/** Returns the errors that the page shows. */
function failures(page: Page): Promise<string[]> {
  return page.locator('.notice-error').allInnerTexts();
}

/** Looks at the page at each width, light and dark, and returns all that is wrong with it. */
async function problemsOf(page: Page, name: string): Promise<string[]> {
  const problems: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHTS[width]! });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      await keepScreenshot(page, `states/${name.replaceAll(' ', '-')}-${width}-${colorScheme}`);
      const found: string[] = [];
      if (CHECKED.includes(width)) {
        found.push(...(await violationsOf(page, colorScheme === 'light' ? 'everything' : 'colours')));
      }
      // The layout is the same in all colors.
      if (colorScheme === 'light') found.push(...(await layoutProblems(page)));
      problems.push(...found.map((problem) => `${width} ${colorScheme}: ${problem}`));
    }
  }
  return problems;
}

const titled = <Shown extends ShownPage>(pages: readonly Shown[]) => pages.map((one) => [one.name, one] as const);

describe('pages with 100,000 callers and 90 days of usage', () => {
  it.each(titled(LARGE))('%s shows many rows at every width', async (name, shown) => {
    const page = await open(large, shown);
    await untilLoaded(page);
    expect(await failures(page)).toEqual([]);
    expect(await problemsOf(page, `large/${name}`)).toEqual([]);
  });

  it.each(titled(DIALOGS))('%s fits into every width', async (name, shown) => {
    const page = await open(large, shown);
    await untilLoaded(page);
    await openDialog(page, shown);
    await untilLoaded(page);
    expect(await problemsOf(page, `dialogs/${name}`)).toEqual([]);
  });
});

describe('pages without data', () => {
  it.each(titled(EMPTY))('%s shows at every width why it is empty and what to do', async (name, shown) => {
    const page = await open(empty, shown);
    await untilLoaded(page);
    for (const one of await page.locator('.empty').all()) {
      // The title, and a hint, a command or a link.
      expect(await one.locator(':is(h1, .empty-title) ~ *').allInnerTexts(), await one.innerText()).not.toEqual([]);
    }
    expect(await problemsOf(page, `empty/${name}`)).toEqual([]);
  });
});

describe('pages whose data does not arrive', () => {
  it.each(titled(WAITING))('%s shows a placeholder at every width while it loads', async (name, shown) => {
    const page = await open(large, shown, (page) => page.route(ADMIN, () => {}));
    await page
      .getByRole('status', { name: /^Loading/ })
      .first()
      .waitFor();
    expect(await problemsOf(page, `loading/${name}`)).toEqual([]);
  });

  it.each(titled(WAITING))('%s shows an error with a retry at every width', async (name, shown) => {
    const page = await open(large, shown, (page) => page.route(ADMIN, (route) => route.abort()));
    const retry = page.locator('main').getByRole('button', { name: 'Retry' });
    await retry.first().waitFor();
    await untilLoaded(page);
    expect(await problemsOf(page, `error/${name}`)).toEqual([]);
    await untilAffordable(large.platform.url);
    await page.unroute(ADMIN);
    await retry.first().focus();
    await page.keyboard.press('Enter');
    await eventually(() => failures(page)).toEqual([]);
    // The focus stays in the part that was loaded again.
    expect(await page.evaluate('document.activeElement !== document.body')).toBe(true);
  });
});

describe('the login', () => {
  const SESSION = '**/console/session';
  const openLogin = (prepare?: (page: Page) => Promise<unknown>) =>
    open({ ...empty, session: NO_SESSION }, LOGIN, prepare);

  it('the login form fits into every width, also while it waits and after a wrong token', async () => {
    const page = await openLogin();
    const problems = await problemsOf(page, 'login/form');
    await logIn(page, 'wrong');
    await page.getByText('not a valid admin token').waitFor();
    problems.push(...(await problemsOf(page, 'login/error')));
    // The focus stays in the field, and the button is next.
    await page.keyboard.press('Tab');
    expect(await page.getByRole('button', { name: 'Log in' }).and(page.locator(':focus')).count()).toBe(1);
    await page.route(SESSION, () => {});
    await logIn(page, ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Logging in' }).waitFor();
    problems.push(...(await problemsOf(page, 'login/loading')));
    expect(problems).toEqual([]);
  });

  it('the console shows a placeholder while it does not know the session', async () => {
    const page = await openLogin((page) => page.route(SESSION, () => {}));
    await page.getByRole('status', { name: 'Loading page' }).waitFor();
    expect(await problemsOf(page, 'login/session-loading')).toEqual([]);
  });

  it('the console does not ask for a token while the server is unreachable, and a retry opens the page', async () => {
    const page = await open(empty, LOGIN, (page) => page.route(SESSION, (route) => route.abort()));
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    expect(await page.getByLabel('Admin token').count()).toBe(0);
    expect(await problemsOf(page, 'login/session-error')).toEqual([]);
    await page.unroute(SESSION);
    await page.getByRole('button', { name: 'Retry' }).press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});

describe('pages without PostgreSQL', () => {
  it('every page shows what is missing while PostgreSQL is away, and shows it after a retry', async () => {
    await large.postgres.set({ kind: 'refuse' });
    // A session that begins without PostgreSQL does not need it later.
    const page = await open({ ...large, session: NO_SESSION }, LOGIN);
    await logIn(page, ADMIN_TOKEN);
    const goTo = async ({ path }: ShownPage) => {
      await page.evaluate(
        (to) => (globalThis as unknown as { history: PushState }).history.pushState(null, '', to),
        `/console/${path}`,
      );
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await untilLoaded(page);
    };
    const problems: string[] = [];
    for (const shown of WAITING) {
      await goTo(shown);
      const text = await page.locator('main').innerText();
      if (/Log in|could not be displayed/.test(text)) problems.push(`${shown.name}: ${text.slice(0, 200)}`);
      problems.push(...(await layoutProblems(page)).map((one) => `${shown.name}: ${one}`));
      await keepScreenshot(page, `states/without-postgres/${shown.name.replaceAll(' ', '-')}`);
    }
    await large.postgres.set({ kind: 'pass' });
    for (const shown of WAITING) {
      await untilAffordable(large.platform.url);
      await goTo(shown);
      const press = async () => {
        await page
          .locator('main')
          .getByRole('button', { name: 'Retry' })
          .first()
          .click({ timeout: 1000 })
          .catch(() => {});
        return failures(page);
      };
      await eventually(press).toEqual([]);
    }
    expect(problems).toEqual([]);
  });
});

describe('the keyboard', () => {
  it.each(
    titled(LARGE).flatMap(([name, shown]) => [390, 1280].map((width) => [name, width, shown] as const)),
  )('Tab walks through %s in its order at %i pixels, with a visible focus', async (_name, width, shown) => {
    const page = await open(large, shown, (page) => page.setViewportSize({ width, height: HEIGHTS[width]! }));
    await untilLoaded(page);
    expect(await focusProblems(page)).toEqual([]);
  });

  it.each(titled(DIALOGS))('%s keeps the focus inside, and Escape gives it back', async (_name, shown) => {
    const page = await open(large, shown);
    await untilLoaded(page);
    await openDialog(page, shown);
    for (let tab = 0; tab < 30; tab++) {
      await page.keyboard.press('Tab');
      // Guards around the dialog send the focus back into it.
      await eventually(() => page.evaluate(FOCUS)).toBe('in the dialog');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(() => shown.opener(page).and(page.locator(':focus')).count()).toBe(1);
  });
});
