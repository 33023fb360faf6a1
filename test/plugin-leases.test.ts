import { ApolloServer, HeaderMap } from '@apollo/server';
import { buildSchema } from 'graphql';
import { afterEach, expect, it } from 'vitest';
import { createTollgate } from '../src/create-tollgate.js';
import type { RuleInput } from '../src/index.js';

const ONE_AT_A_TIME: RuleInput = {
  name: 'one at a time',
  scope: 'USER',
  field: '*',
  measure: 'REQUESTS',
  limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 3_600_000 }],
};

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server whose answers come in two parts; the second when it is told to. */
async function serveInParts({ fails = false } = {}) {
  const schema = buildSchema('type Query { first: Int, second: Int }');
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  async function* parts() {
    await finished;
    if (fails) throw new Error('the source broke off');
    yield { hasNext: false, incremental: [{ path: [], data: { second: 2 } }] };
  }
  const tollgate = await createTollgate<{ signal?: AbortSignal }>({
    schema,
    identify: () => ({ user: 'ann' }),
    abortSignal: ({ signal }) => signal,
    rules: [ONE_AT_A_TIME],
    logger: { info() {}, warn() {}, error() {} },
  });
  const server = new ApolloServer<{ signal?: AbortSignal }>({
    schema,
    plugins: [tollgate.plugin()],
    // graphql 16 cannot execute @defer: this is what an executor that can hands to Apollo.
    legacyExperimentalExecuteIncrementally: () => ({
      initialResult: { hasNext: true, data: { first: 1 } },
      subsequentResults: parts(),
    }),
  });
  open.push(
    () => server.stop(),
    () => tollgate.close(),
  );
  async function ask(contextValue: { signal?: AbortSignal } = {}) {
    const headers = new HeaderMap([['accept', 'multipart/mixed; deferSpec=20220824']]);
    const http = { method: 'POST', headers, search: '', body: {} };
    const { body } = await server.executeOperation({ query: '{ first }', http }, { contextValue });
    return body;
  }
  const taken = async () =>
    (await tollgate.quota({ user: 'ann' })).find(({ rule }) => rule === ONE_AT_A_TIME.name)?.used;
  return { ask, taken, finish };
}

/** The answer's further parts, as a transport reads them. */
function partsOf(body: Awaited<ReturnType<Awaited<ReturnType<typeof serveInParts>>['ask']>>) {
  if (body.kind !== 'incremental') throw new Error('expected an answer in parts');
  return (body.subsequentResults as AsyncIterable<unknown>)[Symbol.asyncIterator]();
}

it('holds a place until the last part of an answer is out', async () => {
  const { ask, taken, finish } = await serveInParts();
  const parts = partsOf(await ask());
  expect(await taken()).toBe(1);
  expect((await ask()).kind).toBe('single'); // Denied: the only place is taken.
  finish();
  expect(await parts.next()).toMatchObject({ done: false });
  expect(await taken()).toBe(1);
  expect(await parts.next()).toMatchObject({ done: true });
  expect(await taken()).toBe(0);
});

it('gives a place back when nobody reads the further parts', async () => {
  const { ask, taken, finish } = await serveInParts();
  const parts = partsOf(await ask());
  finish();
  await parts.next();
  await parts.return?.();
  expect(await taken()).toBe(0);
});

it('gives a place back when a further part fails', async () => {
  const { ask, taken, finish } = await serveInParts({ fails: true });
  const parts = partsOf(await ask());
  finish();
  await expect(parts.next()).rejects.toThrow('broke off');
  expect(await taken()).toBe(0);
});

it('gives a place back when the client leaves before the second part is asked for', async () => {
  const { ask, taken } = await serveInParts();
  const gone = new AbortController();
  await ask({ signal: gone.signal });
  expect(await taken()).toBe(1);
  gone.abort();
  expect(await taken()).toBe(0);
});
