import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The ten minutes of somebody new: each example is packed, installed and started as they would, and asked over HTTP.
// Nothing in their schemas says how long a list is.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Answer {
  status: number;
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions: Record<string, unknown> }[];
  extensions: { cost: { requestedQueryCost: number; actualQueryCost?: number } };
}

const packed = mkdtempSync(join(tmpdir(), 'tollgate-packed-'));
let tarball: string;

beforeAll(() => {
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed];
  tarball = join(packed, execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' }).trim());
});

afterAll(() => rmSync(packed, { recursive: true, force: true }));

/** An example that runs, and what it has printed. */
async function start(name: string) {
  const env = { ...process.env, PORT: '0', NODE_ENV: 'development' };
  const server: ChildProcess = spawn(process.execPath, ['scripts/run-example.mjs', name, tarball], { cwd: ROOT, env });
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

const examples = {
  'apollo-standalone': { affordable: '{ users(first: 50) { id } }', huge: '{ users(first: 50000) { id } }' },
  express: { affordable: '{ books(limit: 50) { id } }', huge: '{ books(limit: 50000) { id } }' },
  'type-graphql': { affordable: '{ albums(take: 50) { id } }', huge: '{ albums(take: 50000) { id } }' },
  subgraph: { affordable: '{ products(first: 50) { id } }', huge: '{ products(first: 50000) { id } }' },
};

it('has every example in this test', () => {
  const folders = readdirSync(join(ROOT, 'examples'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(examples).sort());
});

describe.each(Object.entries(examples))('the example %s', (name, { affordable, huge }) => {
  let example: Example;
  beforeAll(async () => {
    example = await start(name);
  }, 120_000);
  afterAll(async () => {
    await example?.stop();
  });

  it('prices a list by the argument that sizes it, and refuses one of 50,000', async () => {
    const admitted = await example.ask(affordable);
    expect(admitted).toMatchObject({
      status: 200,
      extensions: { cost: { requestedQueryCost: 50, actualQueryCost: 50 } },
    });
    const refused = await example.ask(huge);
    expect(refused.status).toBe(400);
    expect(refused.data ?? null).toBeNull();
    expect(refused.errors![0]!.extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED' });
    expect(refused.errors![0]!.message).toMatch(/50,?000/);
  });

  it('sees a size that comes in a variable', async () => {
    const [field, argument] = /(\w+)\((\w+):/.exec(huge)!.slice(1);
    const query = `query ($n: Int) { ${field}(${argument}: $n) { id } }`;
    expect((await example.ask(query, {}, { n: 7 })).extensions.cost.requestedQueryCost).toBe(7);
    expect((await example.ask(query, {}, { n: 50_000 })).data ?? null).toBeNull();
  });

  it('answers the introspection query of tools', async () => {
    const answer = await example.ask(getIntrospectionQuery());
    expect(answer.errors).toBeUndefined();
    expect(answer.data).toHaveProperty('__schema');
  });

  it('says at start which lists have only the default size, or says nothing where there are none', () => {
    expect(example.printed.filter((line) => /@listSize/.test(line)).length).toBeLessThanOrEqual(1);
  });
});
