import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { expect, it, onTestFinished } from 'vitest';
import { createKeptSchema } from '../../src/gateway/schema/kept-schema.js';
import { openUpstreamSchema, type UpstreamSchemaOptions } from '../../src/gateway/schema/open-upstream-schema.js';

const UPSTREAM = 'https://api.example.com/graphql';
const ONE = 'type Query { item: Item, old: Int } type Item { name: String }';
const TWO = 'type Query { item(id: ID): Item, fresh: Int } type Item { name: String }';

/** Creates an upstream in this process. With `sdl` undefined it is unavailable. */
function upstreamOf(sdl: string | undefined) {
  const upstream = {
    sdl,
    asked: 0,
    async ask() {
      upstream.asked++;
      if (upstream.sdl === undefined) throw new Error('connect ECONNREFUSED');
      // The extensions differ in each response, but they do not change the schema.
      return { data: introspectionFromSchema(buildSchema(upstream.sdl)), extensions: { took: upstream.asked } };
    },
  };
  return upstream;
}

async function open(options: Partial<UpstreamSchemaOptions> & Pick<UpstreamSchemaOptions, 'ask'>) {
  const log: string[] = [];
  const write = (first: unknown, second?: string) => void log.push(second ?? String(first));
  const schema = await openUpstreamSchema({ logger: { info: write, warn: write, error: write }, ...options });
  onTestFinished(() => schema.close());
  return { schema, log };
}

const fieldsOf = (schema: Awaited<ReturnType<typeof open>>['schema']) =>
  Object.keys(schema.current().getQueryType()!.getFields());

it('an unchanged schema is not applied again, and a changed one is applied with its differences in the log', async () => {
  const upstream = upstreamOf(ONE);
  const { schema, log } = await open(upstream);
  const seen: number[] = [];
  schema.onChange((next) => seen.push(Object.keys(next.getTypeMap()).length));
  await schema.refresh('asked to');
  expect({ seen, log }).toEqual({ seen: [], log: [] });
  upstream.sdl = TWO;
  await schema.refresh('SIGHUP');
  expect(seen).toHaveLength(1);
  expect(log).toEqual([
    'The schema has changed (SIGHUP): 1 added (Query.fresh), 1 removed (Query.old), 1 changed (Query.item)',
  ]);
  expect(fieldsOf(schema)).toEqual(['item', 'fresh']);
});

it('an unusable schema leaves the previous one in force, and each reason is logged only once in a row', async () => {
  const upstream = upstreamOf(ONE);
  const { schema, log } = await open(upstream);
  schema.onChange((next) => {
    if (next.getQueryType()?.getFields()['fresh']) throw new TypeError('Query.fresh: cannot be priced');
  });
  for (const sdl of [TWO, TWO, undefined, undefined]) {
    upstream.sdl = sdl;
    await schema.refresh('asked to');
  }
  expect(log).toEqual(Array(2).fill('The schema could not be refreshed: the previous one stays in force'));
  expect(fieldsOf(schema)).toEqual(['item', 'old']);
  upstream.sdl = ONE;
  await schema.refresh('asked to');
  expect(log.at(-1)).toBe('The schema of the upstream can be refreshed again');
});

it('the schema is polled from a file as well as from an upstream', async () => {
  const upstream = upstreamOf(ONE);
  const asked = await open({ ask: upstream.ask, pollMs: 10 });
  const file = join(mkdtempSync(join(tmpdir(), 'tollgate-schema-')), 'schema.graphql');
  writeFileSync(file, ONE);
  const read = await open({ ask: upstream.ask, file, pollMs: 10 });
  upstream.sdl = TWO;
  writeFileSync(file, TWO);
  await expect.poll(() => [fieldsOf(asked.schema), fieldsOf(read.schema)]).toEqual(Array(2).fill(['item', 'fresh']));
});

it('a gateway starts with the stored schema of its own upstream when that upstream is unreachable', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'tollgate-kept-')), 'data', 'upstream-schema.json');
  const kept = createKeptSchema({ path, upstream: UPSTREAM });
  await expect(open({ ...upstreamOf(undefined), kept })).rejects.toThrow(/cannot be read: connect ECONNREFUSED/);
  await open({ ...upstreamOf(ONE), kept });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const { keptAt } = JSON.parse(readFileSync(path, 'utf8'));
  const upstream = upstreamOf(undefined);
  const later = await open({ ask: upstream.ask, kept });
  expect(fieldsOf(later.schema)).toEqual(['item', 'old']);
  expect(later.log).toEqual([
    `The schema of the upstream cannot be read: prices are based on the schema stored at ${keptAt}`,
  ]);
  upstream.sdl = TWO;
  await later.schema.refresh('asked to');
  expect(fieldsOf(later.schema)).toEqual(['item', 'fresh']);
  const another = createKeptSchema({ path, upstream: 'https://other.example.com/graphql' });
  await expect(open({ ...upstreamOf(undefined), kept: another })).rejects.toThrow(/cannot be read/);
  writeFileSync(path, 'half of a fi');
  await expect(open({ ...upstreamOf(undefined), kept })).rejects.toThrow(/cannot be read/);
});

it('a stored schema belongs to one upstream URL with its query string and contains neither', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'tollgate-kept-')), 'upstream-schema.json');
  const url = `${UPSTREAM}?key=a-secret`;
  await createKeptSchema({ path, upstream: url }).write('{"a":1}');
  expect(readFileSync(path, 'utf8')).not.toMatch(/a-secret|api\.example/);
  expect(await createKeptSchema({ path, upstream: url }).read()).toMatchObject({ text: '{"a":1}' });
  expect(await createKeptSchema({ path, upstream: UPSTREAM }).read()).toBeUndefined();
});
