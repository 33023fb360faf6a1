import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENT_MS } from '../helpers/patient.js';
import { ADMIN_TOKEN } from '../helpers/platform.js';
import { findBinary, freePort, startRedisServer, type TestServer } from '../helpers/servers.js';
import { SHORT_LIVED } from '../helpers/short-lived.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';
import { type CommandLine, commandLines } from './command-lines.js';
import { codeBlocks, PAGES, ROOT } from './documents.js';

// Runs the command lines of the documentation. All of them use one platform, which the documented
// command `tollgate-platform start` starts.

/** Lines that are not run here, with the reason. Every other line is run. */
const NOT_RUN: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^npm (ci|install)\b/, 'needs the registry: npm run test:installed installs the packages'],
  [
    /^([A-Z]+=\d+ )*npm run (bench|load|simulate|soak)\b/,
    'takes minutes: documentation.test.ts looks for the scripts and benches',
  ],
  [/^npx tsx bench\//, 'takes minutes'],
  [/^npm run example\b/, 'examples.test.ts starts every example'],
  [/^(npm run test:|npx vitest run\b)/, 'runs other tests'],
  [/^docker compose\b.* up\b/, 'needs Docker: deploy.test.ts reads compose.yaml and compose.balanced.yaml'],
  [/^docker (build|push)\b/, 'needs Docker and a registry: image.test.ts runs the steps of the Dockerfile'],
  [/^kubectl /, 'needs a cluster'],
  [/^(pg_dump|psql|pg_restore|createdb|redis-cli) /, 'backup.test.ts and recovery.test.ts run the commands'],
  [/^helm install\b/, 'needs a cluster: chart.test.ts renders the chart'],
  [/^node scripts\/measure-structure\.mjs --list$/, 'reads the whole of src/: npm run check runs it'],
  [/^(npx )?tollgate documents /, 'documents-command.test.ts runs every action, and the job of docs/documents.md'],
  [/^node --watch$/, 'an option of Node, not a whole command'],
  [/^tollgate cost (--explain|--costs FILE|--check-schema)$/, 'names an option: whole commands with it are run'],
  [/^npx tollgate-platform decide\b/, 'decide-process.test.ts starts the command'],
  [/^tollgate gateway --demo$/, 'subscriptions.test.ts of test/demo starts the command'],
  [/^tollgate gateway --(costs FILE|upstream URL)$/, 'names an option: the gateway is run as docs/gateway.md has it'],
];

const START = 'npx tollgate-platform start';
const GATEWAY = 'npx tollgate-platform gateway --upstream https://api.example.com/graphql --observe';

interface Ran {
  status: number | null;
  output: string;
  /** HTTP status of `curl`. */
  httpStatus: number | undefined;
  /** Reads a file that the command has written. */
  file(name: string): string;
}

/** Checks of a line, in addition to the exit status 0. */
const RUN: Readonly<Record<string, (ran: Ran) => void>> = {
  'tollgate doctor': ({ output }) => expect(output).toMatch(/Redis.*\n(?:.*\n)*.*PostgreSQL/),
  'tollgate migrate status': ({ output }) => expect(output).not.toBe(''),
  'tollgate migrate up': () => {},
  'tollgate capacity --users 10M --rps 100k --limits 6 --regions 3': ({ output }) =>
    expect(output).toMatch(/^instances +\d/m),
  'tollgate rules plan policy.yaml': ({ output }) => expect(output).toMatch(SUMMARY_OF_PLAN),
  'tollgate rules apply policy.yaml --comment "release 7"': ({ output }) => expect(output).toMatch(SUMMARY_OF_PLAN),
  'npx tollgate rules test cases.yaml': ({ output }) => expect(output).toMatch(/^1 case passed$/m),
  'tollgate cost --schema schema.graphql --query queries/a.graphql --query queries/b.graphql --budget 500': ({
    output,
  }) => expect(output).toContain('queries/b.graphql'),
  'tollgate cost --schema schema.graphql --query queries/a.graphql --json > cost.json': ({ file }) =>
    expect(JSON.parse(file('cost.json'))).toMatchObject({
      cost: 340,
      typeCost: expect.any(Number),
      fieldCost: expect.any(Number),
      fields: expect.any(Array),
    }),
  'tollgate cost --schema schema.graphql --query queries/a.graphql --diff cost.json': () => {},
  'tollgate cost --schema schema.graphql --manifest prices.json queries/*.graphql': ({ file }) =>
    expect(Object.keys(JSON.parse(file('prices.json')))).not.toEqual([]),
  'npx tollgate cost --schema schema.graphql --manifest prices.json queries/*.graphql': ({ file }) =>
    expect(Object.keys(JSON.parse(file('prices.json')))).not.toEqual([]),
  'tollgate cost --schema schema.graphql --query queries/a.graphql --profile query-complexity': ({ output }) =>
    expect(output).toContain('queries/a.graphql A: 3'),
  'tollgate cost --schema schema.graphql --costs costs.yaml --check-schema': () => {},
  'tollgate cost --schema FILE --check-schema': () => {},
  'tollgate cost --schema shop.graphql --check-schema': ({ output }) =>
    expect(output).toContain('add "*.userErrors": { assumedSize: 1 }'),
  'tollgate cost --print-preset shopify': ({ output }) => expect(output).toContain('"*.selectedOptions"'),
  'tollgate cost --schema S --query Q --explain': ({ output }) => expect(output).toContain('20'),
};

const SUMMARY_OF_PLAN = /^\d+ to create, \d+ to update, \d+ to retire, \d+ unchanged$/m;

/** Placeholders in a page for the files of the reader. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  FILE: 'schema.graphql',
  S: 'schema.graphql',
  Q: 'queries/a.graphql',
};

const DEMO = readFileSync(join(ROOT, 'packages/platform/schema/demo.graphql'), 'utf8');
const FILES: Readonly<Record<string, string>> = {
  'schema.graphql': DEMO,
  'queries/a.graphql': 'query A { countries(first: 20) { borders { name } } }',
  'queries/b.graphql': 'query B($first: Int = 7) { countries(first: $first) { name } }',
  'policy.yaml': blockOf('docs/admin-api.md', 'search-per-user'),
};
/** Files of a page that describes another API. */
const FILES_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/cost-model.md': {
    'shop.graphql': `
      type Query { cart: Int }
      type Mutation { cartCreate: CartCreatePayload, cartRemove: CartRemovePayload }
      type CartCreatePayload { userErrors: [UserError!]! }
      type CartRemovePayload { userErrors: [UserError!]! }
      type UserError { message: String }
    `,
  },
  'docs/recipes.md': {
    'cases.yaml': blockOf('docs/recipes.md', 'schema: schema.graphql'),
    'costs.yaml': 'Query.search: { weight: 2 }',
    'queries/search.graphql': 'query Search($text: String!) { search(text: $text) }',
    'schema.graphql': 'type Query { search(text: String!): String }',
  },
  'docs/gateway.md': {
    'costs.yaml': blockOf('docs/gateway.md', 'Query.search'),
    'schema.graphql': `
      type Query { search(text: String!): [String!]!  users(top: Int): Users! }
      type Users { edges: [String!]! }
      type Mutation { save: Boolean }
    `,
  },
};

function blockOf(page: string, word: string): string {
  const found = codeBlocks().find(
    ({ place, language, code }) => place.startsWith(page) && language === 'yaml' && code.includes(word),
  );
  if (!found) throw new Error(`${page}: no block of YAML has ${word}`);
  return found.code;
}

const lines = commandLines();
const reasonOf = ({ text }: CommandLine) => NOT_RUN.find(([line]) => line.test(text))?.[1];
const isCurl = ({ text }: CommandLine) => text.startsWith('curl ');
const isServer = ({ text }: CommandLine) => text === START || text === GATEWAY;

let folder: string;
let redis: TestServer;
let database: Awaited<ReturnType<typeof openServerDatabase>>;
let env: Record<string, string>;
let platform: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  if (!findBinary('curl')) throw new Error('curl is not in PATH: the pages use it');
  folder = mkdtempSync(join(tmpdir(), 'tollgate-commands-'));
  installCommands(join(folder, 'bin'));
  for (const page of PAGES.keys()) writeFiles(join(folder, page), { ...FILES, ...FILES_OF[page] });
  [redis, database] = await Promise.all([startRedisServer(), openServerDatabase()]);
  env = {
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    HOME: folder,
    REDIS_URL: redis.url,
    DATABASE_URL: database.url,
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    TOLLGATE_REDIS_DEADLINE_MS: String(PATIENT_MS),
  };
  platform = await startServer(START, { TOLLGATE_DEMO: 'true', TOLLGATE_TRAFFIC: 'true' });
});

afterAll(async () => {
  await platform?.stop();
  await redis?.stop();
  await database?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Installs the commands of the package, from the build. */
function installCommands(bin: string): void {
  const cli = `exec ${process.execPath} ${SHORT_LIVED.join(' ')} ${join(ROOT, 'dist/cli.js')} "$@"`;
  const npx = `case "$1" in tollgate|tollgate-platform) shift; ${cli};; *) echo "npx: $1" >&2; exit 127;; esac`;
  writeFiles(bin, { tollgate: `#!/bin/sh\n${cli}\n`, npx: `#!/bin/sh\n${npx}\n` });
  for (const name of ['tollgate', 'npx']) chmodSync(join(bin, name), 0o755);
}

function writeFiles(into: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(into, name)), { recursive: true });
    writeFileSync(join(into, name), text);
  }
}

/** Returns the line with the addresses and file names of this test. */
function asRun(text: string): string {
  return text
    .replace(/\b(?:http:\/\/)?localhost:4000\b/g, () => platform.url)
    .replace('https://api.example.com/graphql', () => `${platform.url}/graphql`)
    .replace(/ (FILE|S|Q)(?= |$)/g, (_, name) => ` ${PLACEHOLDERS[name]}`);
}

function shell(line: string, cwd: string, more: Record<string, string> = {}) {
  const child = spawn('sh', ['-c', line], { cwd, env: { ...env, ...more } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, output: () => output };
}

async function run({ page, text }: CommandLine): Promise<Ran> {
  // This command reads a file that another test writes. Tests must not depend on each other, so
  // this function writes the file first.
  if (text.endsWith('--diff cost.json'))
    await run({ page, text: text.replace('--diff cost.json', '--json > cost.json') });
  const cwd = join(folder, page);
  const line = asRun(text);
  const { ended, output } = shell(text.startsWith('curl ') ? `${line} -w '\\n%{http_code}'` : line, cwd);
  const status = await ended;
  const [, body, code] = /^(.*)\n(\d{3})$/s.exec(output()) ?? [];
  return {
    status,
    output: body ?? output(),
    httpStatus: code === undefined ? undefined : Number(code),
    file: (name) => readFileSync(join(cwd, name), 'utf8'),
  };
}

/** Runs a command that serves until it gets a signal. */
async function startServer(line: string, settings: Record<string, string> = {}) {
  const port = await freePort();
  const { child, ended, output } = shell(`exec ${line}`, folder, {
    PORT: String(port),
    HOST: '127.0.0.1',
    ...settings,
  });
  const url = `http://127.0.0.1:${port}`;
  await until(`${line} answers`, async () => {
    if (child.exitCode !== null) throw new Error(`${line} ended with ${child.exitCode}:\n${output()}`);
    return fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    url,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

describe('command lines of the documentation', () => {
  it('each documented command line has a check or a reason why it does not run', () => {
    const known = (line: CommandLine) => line.text in RUN || isCurl(line) || isServer(line) || reasonOf(line);
    expect(lines.filter((line) => !known(line))).toEqual([]);
    // Every line of the lists above occurs on a page.
    const texts = new Set(lines.map(({ text }) => text));
    expect([START, GATEWAY, ...Object.keys(RUN)].filter((text) => !texts.has(text))).toEqual([]);
    expect(NOT_RUN.filter(([line]) => !lines.some(({ text }) => line.test(text)))).toEqual([]);
  });

  it.each(
    lines.filter(({ text }) => text in RUN),
  )('the command line in $page has the documented result: $text', async (line) => {
    const ran = await run(line);
    expect(ran.status, ran.output).toBe(0);
    RUN[line.text]!(ran);
  });

  it('the documented admin API request returns rules and tiers', async () => {
    const { status, httpStatus, output } = await run(curlOf('docs/admin-api.md'));
    expect([status, httpStatus], output).toEqual([0, 200]);
    const { rules, tiers } = JSON.parse(output).data;
    expect(rules.nodes[0]).toEqual({
      name: expect.any(String),
      mode: expect.any(String),
      field: expect.any(String),
      scope: expect.any(String),
    });
    expect(tiers.nodes).toContainEqual({ name: 'pro', capacity: expect.any(Number) });
  });

  it('the documented usage export returns CSV lines with their number at the end', async () => {
    const { status, httpStatus, output } = await run(curlOf('docs/usage.md'));
    expect([status, httpStatus], output).toEqual([0, 200]);
    expect(output.trim().split('\n').at(-1)).toMatch(/^# end, \d+ rows?$/);
  });

  it('the documented live traffic request receives events', async () => {
    const { text, page } = curlOf('docs/observability.md');
    const { child, ended, output } = shell(`exec ${asRun(text)}`, join(folder, page));
    await until('an event has arrived', () => /event: next\ndata: .*"liveTraffic":\{"processes":\d/.test(output()));
    child.kill('SIGTERM');
    await ended;
  });

  it('the documented gateway command forwards operations and exits with status 0', async () => {
    const gateway = await startServer(asRun(GATEWAY), { TOLLGATE_DATA_DIR: join(folder, 'gateway') });
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'demo-free' },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    expect([response.status, await response.json()]).toMatchObject([200, { data: { __typename: 'Query' } }]);
    expect(await gateway.stop()).toBe(0);
  });

  it('each documented command line with curl has a test in this file', () => {
    expect(lines.filter(isCurl).map(({ page }) => page)).toEqual([
      'docs/admin-api.md',
      'docs/observability.md',
      'docs/usage.md',
    ]);
  });
});

function curlOf(page: string): CommandLine {
  return lines.find((line) => line.page === page && isCurl(line))!;
}
