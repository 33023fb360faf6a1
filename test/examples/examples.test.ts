import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packPackages, withPacked } from '../../scripts/pack-packages.mjs';
import { barriersOf, keepScreenshot, openBrowser, watchedPage } from '../browser/open-browser.js';

// These tests do what a new user does: they install, start and use each example over HTTP, with
// packed packages. The schemas of the examples do not declare the length of lists.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Answer {
  status: number;
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions: Record<string, unknown> }[];
  extensions: { cost: { requestedQueryCost: number; actualQueryCost?: number } };
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-examples-'));
let tarballs: Record<string, string>;

beforeAll(async () => {
  tarballs = await packPackages(folder);
  install(together);
  // The installation of the packages of six servers takes minutes on a busy machine.
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Installs several examples together: separate installations would write the same files repeatedly.
 */
function install(names: readonly string[]): void {
  const workspaces = names.map((name) => {
    cpSync(join(ROOT, 'examples', name), join(folder, name), { recursive: true });
    withPacked(join(folder, name, 'package.json'), tarballs);
    return name;
  });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'examples', private: true, workspaces }));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: 'ignore' });
  execFileSync('npm', ['run', '--silent', '--workspaces', '--if-present', 'prestart'], {
    cwd: folder,
    stdio: 'ignore',
  });
}

/**
 * Returns the command that starts an example: that of `npm run example` for `BY_COMMAND`, and the
 * example's own `start` script for the others.
 */
function commandOf(name: string): { args: string[]; cwd: string } {
  if (name === BY_COMMAND) return { args: ['scripts/run-example.mjs', name, JSON.stringify(tarballs)], cwd: ROOT };
  const { scripts } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'));
  return { args: scripts.start.split(' ').slice(1), cwd: join(folder, name) };
}

/** Starts an example and collects its output. */
async function start(name: string) {
  const env = { ...process.env, PORT: '0', NODE_ENV: 'development' };
  const { args, cwd } = commandOf(name);
  const server: ChildProcess = spawn(process.execPath, args, { cwd, env });
  const printed: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [server.stdout!, server.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        printed.push(line);
        const ready = /^Ready at (\S+)$/.exec(line)?.[1];
        if (ready) resolve(ready);
      });
    }
    server.once('exit', (code) => reject(new Error(`${name} ended with ${code}:\n${printed.join('\n')}`)));
  });
  return {
    url,
    printed,
    async ask(query: string, headers: Record<string, string> = {}, variables: object = {}): Promise<Answer> {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      });
      return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
    },
    async stop(): Promise<number | null> {
      const ended = new Promise<number | null>((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      return ended;
    },
  };
}

type Example = Awaited<ReturnType<typeof start>>;

/** Operations for each example, and the lists whose size is reported as a guess at the start. */
const examples: Readonly<Record<string, { affordable: string; huge: string; guessed: string[] }>> = {
  'apollo-standalone': {
    affordable: '{ users(first: 50) { id } }',
    huge: '{ users(first: 50000) { id } }',
    guessed: ['Query.users'],
  },
  express: {
    affordable: '{ books(limit: 50) { id } }',
    huge: '{ books(limit: 50000) { id } }',
    guessed: ['Query.books', 'Query.shelf'],
  },
  fastify: {
    affordable: '{ stations(first: 50) { id } }',
    huge: '{ stations(first: 50000) { id } }',
    guessed: ['Query.stations'],
  },
  'type-graphql': {
    affordable: '{ albums(take: 50) { id } }',
    huge: '{ albums(take: 50000) { id } }',
    guessed: ['Query.albums'],
  },
  nest: {
    affordable: '{ tracks(limit: 50) { id } }',
    huge: '{ tracks(limit: 50000) { id } }',
    guessed: [],
  },
  'quota-bar': {
    affordable: '{ books(limit: 50) { id } }',
    huge: '{ books(limit: 50000) { id } }',
    guessed: ['Query.books'],
  },
  subgraph: {
    affordable: '{ products(first: 50) { id } }',
    huge: '{ products(first: 50000) { id } }',
    guessed: ['Query.products'],
  },
};

/**
 * Example that is started with `npm run example`. The command treats all examples alike, so one is
 * enough.
 */
const BY_COMMAND = 'express';
const together = Object.keys(examples).filter((name) => name !== BY_COMMAND);

it('this test covers every example', () => {
  const folders = readdirSync(join(ROOT, 'examples'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(examples).sort());
});

it.each(Object.keys(examples))('the package.json of example %s lists every imported package', (name) => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'examples', name, 'package.json'), 'utf8'));
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies };
  const sources = readdirSync(join(ROOT, 'examples', name), { recursive: true, encoding: 'utf8' });
  const imported = sources
    .filter((file) => /\.[jt]sx?$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) => [
      ...readFileSync(join(ROOT, 'examples', name, file), 'utf8').matchAll(
        /^import (?:[^;']* from )?'([^'.][^']*)';/gm,
      ),
    ])
    .map(([, specifier]) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier!)![0])
    .filter((one) => !one.startsWith('node:'));
  expect(imported).toContain('tollgate');
  expect(imported.filter((one) => !(one in dependencies))).toEqual([]);
});

describe.each(Object.entries(examples))('example %s', (name, { affordable, huge, guessed }) => {
  let example: Example;
  beforeAll(async () => {
    example = await start(name);
  });
  afterAll(async () => {
    await example?.stop();
  });

  it('the example prices a list by its size argument and rejects a list of 50,000', async () => {
    const admitted = await example.ask(affordable);
    expect(admitted).toMatchObject({
      status: 200,
      extensions: { cost: { requestedQueryCost: 50, actualQueryCost: 50 } },
    });
    const denied = await example.ask(huge);
    expect(denied.status).toBe(400);
    expect(denied.data ?? null).toBeNull();
    expect(denied.errors![0]!.extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED' });
    expect(denied.errors![0]!.message).toMatch(/50,?000/);
  });

  it('the example prices a list by a size in a variable', async () => {
    const [field, argument] = /(\w+)\((\w+):/.exec(huge)!.slice(1);
    const query = `query ($n: Int) { ${field}(${argument}: $n) { id } }`;
    expect((await example.ask(query, {}, { n: 7 })).extensions.cost.requestedQueryCost).toBe(7);
    expect((await example.ask(query, {}, { n: 50_000 })).data ?? null).toBeNull();
  });

  it('the example returns the introspection result for tools', async () => {
    const answer = await example.ask(getIntrospectionQuery());
    expect(answer.errors).toBeUndefined();
    expect(answer.data).toHaveProperty('__schema');
  });

  it('the example prints once at the start the lists that have only the default size', () => {
    const warnings = example.printed.filter((line) => /@listSize/.test(line));
    expect(warnings).toHaveLength(Math.min(1, guessed.length));
    const named = [...warnings.join().matchAll(/(\w+\.\w+): (?:this list has no known size|if )/g)].map(
      (match) => match[1],
    );
    expect(named).toEqual(guessed);
  });
});

describe('WebSockets of the example nest', () => {
  it('operations over WebSockets are charged to the caller of the handshake', async () => {
    // Both packages are dependencies of Nest.
    const load = createRequire(join(folder, 'nest/package.json'));
    const { createClient } = load('graphql-ws') as {
      createClient(options: object): {
        iterate(request: { query: string }): AsyncIterable<object>;
        dispose(): unknown;
      };
    };
    const example = await start('nest');
    const url = example.url.replace(/^http/, 'ws');
    const client = createClient({ url, webSocketImpl: load('ws'), retryAttempts: 0 });
    const listen = async (query: string) => {
      const answers: object[] = [];
      for await (const answer of client.iterate({ query })) answers.push(answer);
      return answers;
    };
    try {
      const cost = { requestedQueryCost: 500, throttleStatus: { maximumAvailable: 1000 } };
      expect(await listen('subscription { played(limit: 500) { id } }')).toMatchObject([
        { data: { played: [{ id: '1' }, {}, {}] }, extensions: { cost } },
        { data: { played: [{ id: '1' }, {}, {}] } },
      ]);
      const denied = { extensions: { code: 'THROTTLED' } };
      expect(await listen('{ tracks(limit: 900) { id } }')).toMatchObject([{ errors: [denied] }]);
      // Over HTTP, this is the same caller with the same bucket.
      expect(await example.ask('{ tracks(limit: 900) { id } }')).toMatchObject({ status: 429, errors: [denied] });
      expect(example.printed.filter((line) => line.includes('"level":40'))).toEqual([]);
    } finally {
      await client.dispose();
      await example.stop();
    }
  });
});

describe('page of the example quota-bar', () => {
  let example: Example;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    [example, browser] = await Promise.all([start('quota-bar'), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await example?.stop();
  });

  it('the page loads more than the budget without a denial, and shows the remaining tokens during the refill', async () => {
    const { page, complaints } = await watchedPage(await browser.newContext({ viewport: { width: 320, height: 700 } }));
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/graphql')) statuses.push(response.status());
    });
    await page.goto(example.url.replace('localhost', '127.0.0.1').replace(/graphql$/, ''));
    const status = page.getByRole('status');
    await status.getByText('No request has been sent yet').waitFor();
    await page.getByRole('button', { name: 'Load all 500 books' }).click();
    await status.getByText(/requests wait/).waitFor();
    await keepScreenshot(page, 'example-quota-bar');
    await page.getByText('500 loaded').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(500);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(statuses).toEqual(Array.from({ length: 25 }, () => 200));
    await status.getByText('200 of 200 tokens left').waitFor();
    expect(await page.getByRole('meter').getAttribute('value')).toBe('200');
    expect(await barriersOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(complaints).toEqual([]);
  });
});
