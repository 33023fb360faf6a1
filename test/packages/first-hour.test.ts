import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { packPackages } from '../../scripts/pack-packages.mjs';
import { barriersOf, keepScreenshot, openBrowser, type WatchedPage, watchedPage } from '../browser/open-browser.js';
import { eventually, loaded } from '../browser/pages/console-kit.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { ADMIN_TOKEN } from '../helpers/platform.js';
import { freePort, startRedisServer } from '../helpers/servers.js';
import { openServerDatabase } from '../postgres/databases.js';

// This test follows a new user. They install the packed packages into an empty folder, and protect
// an API without annotations as docs/getting-started.md describes. Then they write and enforce a
// rule in the console. Redis, PostgreSQL and the browser are real.

const SCHEMA = `
import { makeExecutableSchema } from '@graphql-tools/schema';

const typeDefs = /* GraphQL */ \`
  type Query { orders: [Order!]!, report: Report }
  type Order { id: ID, items: [Item!]! }
  type Item { name: String }
  type Report { total: Int }
\`;
const ten = (create) => Array.from({ length: 10 }, create);
const resolvers = {
  Query: { orders: () => ten((_, id) => ({ id })), report: () => ({ total: 7 }) },
  Order: { items: () => ten(() => ({ name: 'pen' })) },
};
export const schema = makeExecutableSchema({ typeDefs, resolvers });
`;

/** The server of docs/getting-started.md, with the stores of steps 6 and 7 of that page. */
const SERVER = `
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { createTollgate } from 'tollgate';
import { schema } from './schema.js';

const tollgate = await createTollgate({
  schema,
  redis: process.env.REDIS_URL,
  postgres: process.env.DATABASE_URL,
  service: 'shop',
  deadlineMs: ${PATIENT_MS},
  ...(process.env.SHADOW && { mode: 'SHADOW' }),
  // Stands for the sessions of a real server.
  identify: ({ contextValue: { req } }) => ({ user: req.headers['x-session'] }),
});
const server = new ApolloServer({ schema, plugins: [tollgate.plugin()], documentStore: tollgate.documentStore });
const { url } = await startStandaloneServer(server, {
  listen: { port: 0 },
  context: async ({ req }) => ({ req }),
});
console.log('Ready at ' + url);
process.once('SIGTERM', async () => {
  await server.stop();
  await tollgate.close();
});
`;

/** A process that the user has started in a terminal. */
interface Started {
  child: ChildProcess;
  output(): string;
  stop(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-first-hour-'));
const running: Started[] = [];
let tarballs: string[];
let redis: Awaited<ReturnType<typeof startRedisServer>>;
let database: Awaited<ReturnType<typeof openServerDatabase>>;
let browser: Browser;
let environment: Record<string, string>;

beforeAll(async () => {
  [redis, database, browser] = await Promise.all([startRedisServer(), openServerDatabase('empty'), openBrowser()]);
  environment = { ...environmentOf(), REDIS_URL: redis.url, DATABASE_URL: database.url };
  tarballs = Object.values(await packPackages(folder));
}, 600_000);

afterAll(async () => {
  await browser?.close();
  for (const { stop } of running.reverse()) await stop();
  await database?.dispose();
  await redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function environmentOf(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    HOST: '127.0.0.1',
    NODE_ENV: 'development',
  };
}

/** Starts a command in the folder of the user and waits until it prints a line that matches. */
async function start(args: string[], env: Record<string, string>, ready: RegExp): Promise<Started & { found: string }> {
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...environment, ...env } });
  let printed = '';
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const found = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk;
        const match = ready.exec(printed)?.[1];
        if (match !== undefined) resolve(match);
      });
    }
    const fail = (what: string) => reject(new Error(`${args.join(' ')} ${what}:\n${printed}`));
    void exited.then(() => fail('ended'));
    setTimeout(fail, START_MS, 'printed no address').unref();
  });
  const started = {
    child,
    found,
    output: () => printed,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
  running.push(started);
  return started;
}

interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the test reads the members that it needs.
  body: any;
}

async function send(url: string, user: string, query: string): Promise<Answered> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session': user },
    body: JSON.stringify({ query }),
  });
  return { status: response.status, body: await response.json() };
}

/** Calls of each caller. Three calls each are allowed later, so six of these are too many. */
const CALLS = [7, 2, 5, 3];
const ALLOWED = 3;
const TOO_MANY = CALLS.reduce((sum, calls) => sum + Math.max(0, calls - ALLOWED), 0);

/** Sends the traffic, and returns the number of operations that were denied. */
async function sendTraffic(url: string, day: string): Promise<number> {
  let denied = 0;
  for (const [caller, calls] of CALLS.entries()) {
    for (let call = 0; call < calls; call++) {
      const { status } = await send(url, `${day}-${caller}`, '{ report { total } }');
      expect([200, 429]).toContain(status);
      if (status === 429) denied++;
    }
  }
  return denied;
}

/** Denials by the rule, as the console shows them: those of each caller of a day. */
interface Shown {
  denied: Record<string, number>;
  shadowDenied: Record<string, number>;
}

/** Reloads the page of the rule and reads its table of affected callers. */
async function shownOf(page: Page, day: string): Promise<Shown> {
  await page.reload();
  await loaded(page, 'reports-per-user');
  const shown: Shown = { denied: {}, shadowDenied: {} };
  const rows = page.getByRole('region', { name: 'Affected callers, last 24 h' }).locator('tbody tr');
  for (const row of await rows.all()) {
    const [name = '', denied, shadowDenied] = await row.getByRole('cell').allInnerTexts();
    // The kind of the caller follows the name.
    const caller = name.split('\n')[0]!;
    if (!caller.startsWith(day)) continue;
    if (denied !== '0') shown.denied[caller] = Number(denied);
    if (shadowDenied !== '0') shown.shadowDenied[caller] = Number(shadowDenied);
  }
  return shown;
}

/** Returns the denials of a day by caller that the rule causes. */
function expectedOf(day: string): Record<string, number> {
  const tooMany = CALLS.flatMap((calls, caller) => (calls > ALLOWED ? [[`${day}-${caller}`, calls - ALLOWED]] : []));
  return Object.fromEntries(tooMany);
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

const START_MS = 120_000;
const SHADOW = { SHADOW: 'yes' };
const READY = /Ready at (\S+)/;

it('a new user sees in shadow mode what a rule would deny, and enforcing it denies exactly that', async () => {
  const beganMs = performance.now();
  const steps: string[] = [];
  const step = (name: string) => void steps.push(`${((performance.now() - beganMs) / 1000).toFixed(0)} s ${name}`);
  onTestFailed(() => print(`${steps.join('\n')}\n${running.map(({ output }) => output().slice(-3000)).join('\n')}`));

  writeFileSync(join(folder, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }');
  writeFileSync(join(folder, 'schema.js'), SCHEMA);
  writeFileSync(join(folder, 'server.js'), SERVER);
  const own = ['@apollo/server', '@graphql-tools/schema', 'graphql@16', 'ioredis', 'pg'];
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...flags, ...tarballs, ...own], { cwd: folder, stdio: 'pipe' });
  step('installed');

  // The API runs in shadow mode. The first response above the budget names the limit.
  let api = await start(['server.js'], SHADOW, READY);
  step('the API runs');
  const costs: { left: number; price: number; wouldDeny: string | undefined }[] = [];
  while (costs.at(-1)?.wouldDeny === undefined) {
    const { status, body } = await send(api.found, 'first', '{ orders { id items { name } } }');
    expect(status).toBe(200);
    const { requestedQueryCost, throttleStatus, shadow } = body.extensions.cost;
    costs.push({ left: throttleStatus.currentlyAvailable, price: requestedQueryCost, wouldDeny: shadow?.wouldDeny });
    expect(costs.length).toBeLessThan(100);
  }
  const over = costs.at(-1)!;
  expect(over.wouldDeny).toMatch(/^tier:/);
  expect(over.left).toBeLessThan(over.price);
  expect(costs.length).toBeGreaterThan(1);
  await eventually(async () => api.output()).toMatch(/SHADOW: tier:default would have denied an operation/);
  step('a would-be denial is in the response and in the log');

  // The user opens the console at the printed address, and writes a rule.
  const platform = await start(
    ['node_modules/tollgate-platform/bin/tollgate-platform.js', 'start'],
    {
      PORT: String(await freePort()),
      TOLLGATE_REDIS_DEADLINE_MS: String(PATIENT_MS),
      TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    },
    /console {2}(http:\S+\/console\/)/,
  );
  step('the platform runs');
  const watched: WatchedPage = await watchedPage(await browser.newContext());
  const { page } = watched;
  // `watchedPage` reports requests to other hosts than this address.
  await page.goto(platform.found.replace('localhost', '127.0.0.1'));
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Log in' }).click();
  await loaded(page, 'Overview');
  await page.getByRole('link', { name: 'Rules', exact: true }).click();
  await loaded(page, 'Rules');
  await page.getByRole('link', { name: 'New rule' }).first().click();
  await loaded(page, 'New rule');
  await page.getByLabel('Name', { exact: true }).fill('reports-per-user');
  await page.getByLabel(/^Field/).fill('Query.report');
  await page.getByLabel('Measures').selectOption('CALLS');
  await page.getByLabel('Amount').fill(String(ALLOWED));
  await page.getByLabel('Window (seconds)').fill('86400');
  await keepScreenshot(page, 'first-hour-rule-form');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await loaded(page, 'reports-per-user');
  step('a shadow rule is in force');

  // The rule is in force within two seconds. Responses do not show a shadow rule, so the test reads
  // the console.
  await eventually(async () => {
    for (let call = 0; call <= ALLOWED; call++) await send(api.found, 'probe', '{ report { total } }');
    return Object.keys((await shownOf(page, 'probe')).shadowDenied);
  }).toEqual(['probe']);
  expect(await sendTraffic(api.found, 'first-day')).toBe(0);
  await eventually(() => shownOf(page, 'first-day')).toEqual({ denied: {}, shadowDenied: expectedOf('first-day') });
  expect(await barriersOf(page)).toEqual([]);
  await keepScreenshot(page, 'first-hour-shadow');
  step('the console shows what the rule would have denied');

  // The user enforces the rule, and removes `mode: 'SHADOW'` from the server.
  await page.getByRole('combobox', { name: 'Mode' }).selectOption('ENFORCE');
  await page.getByRole('button', { name: 'Save' }).click();
  const anyway = page.getByRole('button', { name: 'Enforce anyway' });
  await anyway.waitFor();
  await anyway.click();
  await page.locator('.pill', { hasText: 'enforce' }).waitFor();
  await api.stop();
  api = await start(['server.js'], {}, READY);
  expect(await sendTraffic(api.found, 'second-day')).toBe(TOO_MANY);
  step('the same traffic is denied');
  await eventually(() => shownOf(page, 'second-day')).toEqual({ denied: expectedOf('second-day'), shadowDenied: {} });
  await keepScreenshot(page, 'first-hour-enforced');
  step('the console shows the same number of denials');
  // The browser reports that the request before the login got 401.
  expect(watched.complaints.filter((text) => !text.includes('401'))).toEqual([]);
  print(`The steps of a new user ended after:\n${steps.join('\n')}`);
}, 900_000);
