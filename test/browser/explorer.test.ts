import { buildSchema } from 'graphql';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import { startEmbeddedPlatform } from '../helpers/embedded-platform.js';
import { ADMIN_TOKEN, type Platform, startPlatform } from '../helpers/platform.js';
import { startRedisServer, type TestServer } from '../helpers/servers.js';
import { openServerDatabase } from '../postgres/databases.js';
import { barriersOf, keepScreenshot, openBrowser, type WatchedPage, watchedPage } from './open-browser.js';
import { eventually, loaded, overflowOf, tabTo } from './pages/console-kit.js';

// The explorer of the console: on the platform with the sample API, and on a platform that gets to
// know the APIs of other processes.

const WIDTHS = [390, 768, 1280, 1920];
const HISTORY = 'tollgate-explorer-history';
const LONG_NAME = 'aFieldWhoseNameIsMuchTooLongForOneLineOfThePanelThatShowsTheDocumentationOfTheSchema';
const OPERATION = `query Neighbors($first: Int) {
  countries(first: $first) { name borders { name languages { name } } }
}`;

let browser: Browser;
const open: WatchedPage[] = [];

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser?.close());

afterEach(async () => {
  const complaints = open.flatMap((one) => one.complaints);
  for (const { page } of open.splice(0)) await page.context().close();
  expect(complaints).toEqual([]);
});

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Logs in with the token: a platform without the sample API prints no link. */
async function logIn(platform: Platform): Promise<Session> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${platform.url}/console/`);
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
}

async function visitAs(platform: Platform, storageState: Session, path: string, options: BrowserContextOptions = {}) {
  const watched = await watchedPage(await browser.newContext({ storageState, ...options }));
  open.push(watched);
  await watched.page.goto(`${platform.url}/console/${path}`);
  return watched.page;
}

/**
 * Checks that nothing is cut off at any width, and that the page is accessible in light and dark
 * mode.
 */
async function expectFit(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width);
      expect(await overflowOf(page), `${name} at ${width} pixels`).toEqual([]);
      await keepScreenshot(page, `${name}-${width}-${colorScheme}`);
    }
    expect(await barriersOf(page, colorScheme === 'light' ? 'everything' : 'colours')).toEqual([]);
  }
}

const panelOf = (page: Page) => page.getByRole('tabpanel');
const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Operation' });

describe('the explorer of the sample API', () => {
  let platform: Platform;
  let session: Session;
  beforeAll(async () => {
    platform = await startEmbeddedPlatform({ env: { HOST: '127.0.0.1' } });
    session = await logIn(platform);
  });
  afterAll(() => platform?.stop());

  async function visit(params: Record<string, string> = {}): Promise<Page> {
    const page = await visitAs(platform, session, `explorer?${new URLSearchParams(params)}`);
    await loaded(page, 'Explorer');
    return page;
  }

  it('the explorer with its price, schema and history fits into 390, 768, 1,280 and 1,920 pixels and is accessible in light and dark mode', async () => {
    const page = await visit({ query: OPERATION, variables: '{ "first": 20 }', user: 'somebody' });
    await page.getByRole('row', { name: /Country\.languages/ }).waitFor();
    await page.getByRole('region', { name: 'Check for a caller' }).getByText(/^Tier/).waitFor();
    await page.getByRole('region', { name: 'Affordability by tier' }).getByText('too expensive').waitFor();
    await expectFit(page, 'explorer-price');
    // The check finds a table that is too wide for its card.
    const widen = (width: string) =>
      page.evaluate(`document.querySelector('.price-table').style.minWidth = '${width}'`);
    await widen('3000px');
    expect((await overflowOf(page)).join()).toContain('table-scroll');
    await widen('');
    await page.getByRole('tab', { name: 'Schema' }).click();
    await panelOf(page).getByRole('button', { name: 'Country', exact: true }).click();
    await panelOf(page)
      .getByText(/list size: 16/)
      .waitFor();
    await expectFit(page, 'explorer-type');
    await panelOf(page).getByRole('button', { name: 'borders', exact: true }).click();
    await panelOf(page).getByText('16 (@listSize)').waitFor();
    await expectFit(page, 'explorer-field');
    await page.getByRole('tab', { name: 'History' }).click();
    await panelOf(page)
      .getByRole('button', { name: /query Neighbors/ })
      .waitFor();
    await expectFit(page, 'explorer-history');
  });

  it('the explorer names the API that it prices', async () => {
    const page = await visit();
    await page.getByText('API: Sample API').waitFor();
    expect(await page.getByRole('combobox', { name: 'API', exact: true }).count()).toBe(0);
  });

  it('the schema is searched and browsed by keyboard, with arguments, descriptions and costs, and a field is inserted', async () => {
    const page = await visit({ query: '{ countries(first: 2) { name } }' });
    await tabTo(page, page.getByRole('tab', { name: 'Price' }));
    await page.keyboard.press('ArrowRight');
    const search = page.getByLabel('Search types, fields and arguments');
    await tabTo(page, search);
    await page.keyboard.type('REGIONS');
    const found = panelOf(page).getByRole('button', { name: 'Query.regions', exact: true });
    await tabTo(page, found);
    await page.keyboard.press('Enter');
    const panel = panelOf(page);
    await panel.getByText('The regions of the world, ordered by name.').waitFor();
    await panel.getByText('6 (@listSize)').waitFor();
    expect(await panel.getByText('1 per object (default)').count()).toBe(1);
    await tabTo(page, panel.getByRole('button', { name: 'Insert into operation' }));
    await page.keyboard.press('Enter');
    await panel.getByText('Inserted', { exact: true }).waitFor();
    await eventually(() => editorOf(page).innerText()).toMatch(
      /countries\(first: 2\) \{ name \}\s+regions \{\s+__typename/,
    );
    // Two countries and six regions: the operation with the inserted field is valid.
    await page.getByRole('tab', { name: 'Price 8' }).waitFor();

    // The button `[Region!]!` shows the type of the field, and `Back` shows the field again.
    await tabTo(page, panel.getByRole('button', { name: '[Region!]!', exact: true }));
    await page.keyboard.press('Enter');
    await panel.getByRole('heading', { name: 'Region', exact: true }).waitFor();
    await tabTo(page, panel.getByRole('button', { name: 'Back' }));
    await page.keyboard.press('Enter');
    await panel.getByText('The regions of the world, ordered by name.').waitFor();
  });

  it('arguments are found and shown with their types and defaults', async () => {
    const page = await visit();
    await page.getByRole('tab', { name: 'Schema' }).click();
    await page.getByLabel('Search types, fields and arguments').fill('first');
    await panelOf(page).getByRole('button', { name: 'Query.countries(first:)', exact: true }).click();
    const args = panelOf(page).getByRole('region', { name: 'Arguments' });
    await args.waitFor();
    expect(await args.innerText()).toMatch(/first: Int = 20/);
    await page.getByLabel('Search types, fields and arguments').fill('nothing of this name');
    await panelOf(page).getByText('No name matches').waitFor();
  });

  it('the editor and the price open the documentation of a field', async () => {
    const page = await visit({ query: '{ countries(first: 2) { borders { name } } }' });
    await page.getByRole('button', { name: 'Country.borders', exact: true }).click();
    const panel = panelOf(page);
    await panel.getByRole('heading', { name: 'Country.borders' }).waitFor();
    await editorOf(page).click();
    await page.keyboard.press('Control+Home');
    for (let letter = 0; letter < 5; letter++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Control+d');
    await panel.getByRole('heading', { name: 'Query.countries' }).waitFor();
  });

  it('a field of another type is not inserted where it would be invalid', async () => {
    const page = await visit({ query: '{ countries(first: 2) { name } }' });
    await page.getByRole('tab', { name: 'Schema' }).click();
    await page.getByLabel('Search types, fields and arguments').fill('Region.name');
    await panelOf(page).getByRole('button', { name: 'Region.name', exact: true }).click();
    await panelOf(page).getByRole('button', { name: 'Insert into operation' }).click();
    await panelOf(page).getByText('Place the cursor inside a selection of Region.').waitFor();
    expect(await editorOf(page).innerText()).toBe('{ countries(first: 2) { name } }');
  });

  it('priced operations are restored from the history with their variables after a reload', async () => {
    const page = await visit({ query: OPERATION, variables: '{ "first": 3 }' });
    const entry = panelOf(page).getByRole('button', { name: /query Neighbors/ });
    await page.getByRole('tab', { name: 'History' }).click();
    await entry.waitFor();
    await page.goto(`${platform.url}/console/explorer?query={regions{name}}`);
    await page.getByRole('tab', { name: 'Price 6' }).waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await eventually(() => panelOf(page).getByRole('listitem').count()).toBe(2);
    await entry.click();
    await eventually(() => editorOf(page).innerText()).toMatch(/^query Neighbors/);
    expect(await page.getByLabel('Variables (JSON)').inputValue()).toBe('{ "first": 3 }');
    await page.getByRole('row', { name: /3 \(first: \$first\)/ }).waitFor();
    // The editor can undo the replacement.
    await editorOf(page).click();
    await page.keyboard.press('Control+z');
    await eventually(() => editorOf(page).innerText()).toBe('{regions{name}}');
  });

  it('the history is cleared with one click, and the toast restores it', async () => {
    const page = await visit({ query: '{ regions { name } }' });
    await page.getByRole('tab', { name: 'History' }).click();
    await panelOf(page)
      .getByRole('button', { name: /regions/ })
      .waitFor();
    await page.getByRole('button', { name: 'Clear history' }).click();
    await panelOf(page).getByText('No priced operations yet').waitFor();
    expect(await page.evaluate(`localStorage.getItem('${HISTORY}')`)).toBeNull();
    await page.getByRole('button', { name: 'Undo' }).click();
    await panelOf(page)
      .getByRole('button', { name: /regions/ })
      .waitFor();
  });

  it('the history keeps the newest thirty operations, and ignores what it cannot read', async () => {
    // On this page, no operation is priced and added to the history.
    const page = await visitAs(platform, session, 'health');
    const pastOf = (at: number) => ({
      query: `query Past${at} { regions { name } }`,
      variables: '',
      service: null,
      cost: 6,
      pricedAt: new Date(at * 1000).toISOString(),
    });
    const stored = JSON.stringify([{ query: 5 }, ...Array.from({ length: 30 }, (_, at) => pastOf(30 - at))]);
    await page.evaluate(`localStorage.setItem('${HISTORY}', ${JSON.stringify(stored)})`);
    await page.goto(`${platform.url}/console/explorer?query={regions{name}}`);
    await page.getByRole('tab', { name: 'History' }).click();
    const entries = panelOf(page).getByRole('listitem');
    await eventually(() => entries.first().innerText()).toMatch(/\{regions\{name\}\}/);
    expect(await entries.count()).toBe(30);
    expect(await entries.filter({ hasText: /Past1 / }).count()).toBe(0);
    expect(await entries.last().innerText()).toMatch(/Past2 /);
    await page.evaluate(`localStorage.setItem('${HISTORY}', 'no JSON')`);
    await page.reload();
    await page.getByRole('tab', { name: 'History' }).click();
    await eventually(() => entries.count()).toBe(1);
  });

  it('the history stores neither secrets in variables nor the key and the user of the page', async () => {
    const page = await visit({
      query: 'query Find($token: String!) { search(text: $token) { __typename } }',
      variables: '{ "token": "a-secret-token" }',
      user: 'a-user-who-is-checked',
    });
    await page.getByRole('tab', { name: 'History' }).click();
    await panelOf(page)
      .getByRole('button', { name: /query Find/ })
      .waitFor();
    const stored = await page.evaluate<string>('JSON.stringify({ ...localStorage })');
    expect(stored).toContain('query Find');
    expect(stored).not.toMatch(/a-secret-token|a-user-who-is-checked|demo-pro/);
  });
});

describe('the explorer of a platform that knows no API at first', () => {
  let redis: TestServer;
  let database: Awaited<ReturnType<typeof openServerDatabase>>;
  let platform: Platform;
  let session: Session;
  const protecting: Tollgate[] = [];
  beforeAll(async () => {
    [redis, database] = await Promise.all([startRedisServer(), openServerDatabase()]);
    platform = await startPlatform({
      env: { REDIS_URL: redis.url, DATABASE_URL: database.url, HOST: '127.0.0.1' },
    });
    session = await logIn(platform);
  });
  afterEach(async () => {
    for (const tollgate of protecting.splice(0)) await tollgate.close();
    await database.db.query('delete from service_schemas');
  });
  afterAll(async () => {
    await platform?.stop();
    await redis?.stop();
    await database?.dispose();
  });

  /** Publishes the schema of a service, as the line that the console shows does. */
  async function publish(service: string, sdl: string): Promise<void> {
    const tollgate = await createTollgate({
      schema: buildSchema(sdl),
      service,
      postgres: database.url,
      redis: redis.url,
      identify: () => ({}),
      logger: { info() {}, warn() {}, error() {} },
    });
    protecting.push(tollgate);
  }
  const SHOP = `type Query { items(first: Int!): [Item!]! ${LONG_NAME}(${LONG_NAME}: String): [Item] } type Item { name: String }`;
  const BOOKS = 'type Query { books: [Book!]! } type Book { title: String pages: [Page!]! } type Page { number: Int }';

  it('the output of the start and the empty explorer show how to add an API, and the explorer finds it without a reload', async () => {
    const line = /const tollgate = await createTollgate\(\{ .*service: 'my-api'.*\}\);/;
    const command = 'npx tollgate-platform gateway --upstream https://api.example.com/graphql';
    const printed = line.exec(platform.output())?.[0];
    expect(printed).toBeDefined();
    expect(platform.output()).toContain(command);
    const page = await visitAs(platform, session, 'explorer');
    await loaded(page, 'Explorer');
    await page.getByText('No API is known yet').waitFor();
    expect(await page.locator('.command code').allInnerTexts()).toEqual([printed, command]);
    expect(await page.getByRole('button', { name: 'Copy command' }).count()).toBe(2);
    await expectFit(page, 'explorer-no-api');
    await publish('shop', SHOP);
    await page.getByText('API: shop').waitFor();
    await editorOf(page).click();
    await page.keyboard.type('{ items(first: 4) { name } }');
    await eventually(() => page.getByTestId('cost').textContent()).toBe('4');
  });

  it('the output of the start names the APIs that servers have published', async () => {
    await publish('books', BOOKS);
    await publish('shop', SHOP);
    const later = await startPlatform({ env: { REDIS_URL: redis.url, DATABASE_URL: database.url, HOST: '127.0.0.1' } });
    try {
      expect(later.output()).toMatch(/^ {2}API {6}books, shop \(published by their servers\)$/m);
      expect(later.output()).not.toContain('createTollgate');
    } finally {
      await later.stop();
    }
  });

  it('with several APIs, the explorer prices the chosen one, and its link and its history keep the choice', async () => {
    await publish('shop', SHOP);
    await publish('books', BOOKS);
    const page = await visitAs(platform, session, `explorer?query=${encodeURIComponent('{ books { title } }')}`);
    await loaded(page, 'Explorer');
    const choice = page.getByRole('combobox', { name: 'API', exact: true });
    await choice.waitFor();
    expect(await choice.locator('option').allInnerTexts()).toEqual(['books', 'shop']);
    await eventually(() => page.getByTestId('cost').textContent()).toBe('10');
    await page.getByRole('tab', { name: 'History' }).click();
    await panelOf(page)
      .getByText(/10 tokens.*books/)
      .waitFor();
    await choice.selectOption('shop');
    await page.getByRole('tab', { name: 'Price' }).click();
    await page.getByRole('alert').filter({ hasText: 'Cannot query field "books"' }).waitFor();
    expect(new URL(page.url()).searchParams.get('service')).toBe('shop');
    // Completion and documentation are those of the chosen API.
    await page.getByRole('tab', { name: 'Schema' }).click();
    await panelOf(page).getByRole('button', { name: 'Query', exact: true }).click();
    await panelOf(page).getByRole('button', { name: LONG_NAME, exact: true }).waitFor();
    await expectFit(page, 'explorer-several');
    await page.reload();
    await loaded(page, 'Explorer');
    expect(await choice.inputValue()).toBe('shop');
    await page.getByRole('tab', { name: 'History' }).click();
    await panelOf(page).getByRole('button', { name: /books/ }).click();
    await eventually(() => choice.inputValue()).toBe('books');
    await eventually(() => page.getByTestId('cost').textContent()).toBe('10');
  });

  it('the documentation marks a list whose size no annotation sets as guessed', async () => {
    await publish('books', BOOKS);
    const page = await visitAs(platform, session, 'explorer');
    await page.getByRole('tab', { name: 'Schema' }).click();
    await panelOf(page).getByRole('button', { name: 'Book', exact: true }).click();
    const pages = panelOf(page).getByRole('listitem').filter({ hasText: 'pages' });
    await pages.getByText('guessed').waitFor();
    expect(await pages.innerText()).toMatch(/1 per object \(default\) · list size: default 10 guessed/);
    await page.getByRole('button', { name: 'pages', exact: true }).click();
    await panelOf(page).getByText('No annotation sets this size.').waitFor();
  });

  it('the form of a rule completes fields of all APIs by any part of their names', async () => {
    await publish('shop', SHOP);
    await publish('books', BOOKS);
    const page = await visitAs(platform, session, 'rule-form');
    await loaded(page, 'New rule');
    const options = () =>
      page
        .locator('datalist option')
        .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
    await page.getByLabel(/^Field/).fill('');
    await eventually(options).toEqual(['Query.books', `Query.${LONG_NAME}`, 'Query.items']);
    await page.getByLabel(/^Field/).fill('BOOK');
    await eventually(options).toEqual(['Book.pages', 'Book.title', 'Query.books']);
    await page.getByLabel(/^Field/).fill('items');
    await eventually(options).toEqual(['Query.items']);
  });
});
