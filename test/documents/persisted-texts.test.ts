import { createHash } from 'node:crypto';
import { ApolloServer } from '@apollo/server';
import { buildSchema } from 'graphql';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPersistedTexts } from '../../src/documents/create-persisted-texts.js';
import { createSharedCache } from '../../src/rules/live/shared-cache.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { startRedisServer } from '../helpers/servers.js';
import { until } from '../helpers/until.js';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const TEXT = '{ item { id } }';
const KEY = `apq:${hashOf(TEXT)}`;
const PROBE = `apq:${hashOf('{ item { __typename } }')}`;
const PLACE = `tg:cache:documents:apq:${hashOf(TEXT).slice(0, 3)}`;

let server: Awaited<ReturnType<typeof startRedisServer>>;
let redis: Redis;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  server = await startRedisServer();
  redis = new Redis(server.url);
});
beforeEach(() => redis.flushdb());
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(async () => {
  await redis.quit();
  await server.stop();
});

/** Creates the store of texts of one of several instances. */
const instance = (options: { maxBytes?: number } = {}) =>
  createPersistedTexts({ shared: createSharedCache(redis, () => 'documents'), ...options });

/** Waits until an instance finds the text. On a busy machine, Redis may reply after its deadline. */
const untilKnown = (texts: ReturnType<typeof instance>) =>
  until('the instance knows the text', async () => (await texts.get(KEY)) === TEXT);

describe('texts of persisted queries', () => {
  it('instances that share a Redis know the same texts, and read each text from Redis once', async () => {
    const [here, there] = [instance(), instance()];
    await here.set(KEY, TEXT);
    await untilKnown(there);
    await redis.flushdb();
    expect(await there.get(KEY)).toBe(TEXT);
    expect(await instance().get(KEY)).toBeUndefined();
  });

  it('a text from Redis is used only if it has the requested hash', async () => {
    for (const forged of [
      '{ other }',
      `${hashOf(TEXT)}{ other }`,
      '',
      hashOf(TEXT),
      `${hashOf('{ other }')}{ other }`,
    ]) {
      await redis.set(PLACE, forged);
      expect(await instance().get(KEY)).toBeUndefined();
    }
    await redis.del(PLACE);
    await redis.lpush(PLACE, 'no text');
    expect(await instance().get(KEY)).toBeUndefined();
    // An invalid value is overwritten.
    await instance().set(KEY, TEXT);
    await untilKnown(instance());
  });

  it('the texts in Redis are limited in number and size, and expire', async () => {
    const texts = instance();
    const long = `{ item } #${'x'.repeat(10_000)}`;
    await texts.set(`apq:${hashOf(long)}`, long);
    expect(await redis.dbsize()).toBe(0);
    expect(await texts.get(`apq:${hashOf(long)}`)).toBe(long);
    const all = Array.from({ length: 9000 }, (_, index) => `{ a${index}: item }`);
    await Promise.all(all.map((text) => texts.set(`apq:${hashOf(text)}`, text)));
    const places = await redis.dbsize();
    expect(places).toBeGreaterThan(3000);
    expect(places).toBeLessThanOrEqual(4096);
    expect(await redis.pttl((await redis.randomkey())!)).toBeGreaterThan(0);
  });

  it('an identifier that is not a hash causes no lookup', async () => {
    const asked: string[] = [];
    const shared = { get: async (key: string) => void asked.push(key), set: async () => {} };
    const texts = createPersistedTexts({ shared });
    for (const name of ['', 'x'.repeat(100_000), `${hashOf(TEXT)}0`, hashOf(TEXT).toUpperCase(), '../../etc']) {
      expect(await texts.get(`apq:${name}`)).toBeUndefined();
    }
    expect(asked).toEqual([]);
  });

  it('a limited number of lookups wait for Redis, and further ones return immediately', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = 0;
    const shared = {
      get: async () => {
        asked++;
        await held;
        return undefined;
      },
      set: async () => {},
    };
    const texts = createPersistedTexts({ shared });
    const flood = Array.from({ length: 500 }, (_, index) => texts.get(`apq:${hashOf(`${index}`)}`));
    await Promise.all(flood.slice(100));
    expect(asked).toBe(32);
    release();
    await Promise.all(flood);
    await texts.get(KEY);
    expect(asked).toBe(33);
  });

  it('a text is written once even if its client sends text and hash each time', async () => {
    let written = 0;
    const shared = { get: async () => undefined, set: async () => void written++ };
    const texts = createPersistedTexts({ shared });
    for (let time = 0; time < 5; time++) await texts.set(KEY, TEXT);
    expect(written).toBe(1);
  });

  it('a text is shared only up to 8,192 bytes, whatever its characters are', async () => {
    const written: string[] = [];
    const shared = { get: async () => undefined, set: async (_: string, text: string) => void written.push(text) };
    const texts = createPersistedTexts({ shared });
    for (const text of ['x'.repeat(8192), 'x'.repeat(8193), '€'.repeat(2730), '€'.repeat(2731)])
      await texts.set(`apq:${createHash('sha256').update(text).digest('hex')}`, text);
    expect(written.map((text) => Buffer.byteLength(text) - 64)).toEqual([8192, 8190]);
  });
});

describe('instances behind a load balancer', () => {
  const schema = buildSchema('type Query { item: Item } type Item { id: ID }');
  /** Starts one instance that accepts requests with a hash and optionally a text. */
  async function serve() {
    const tollgate = await createTollgate({
      schema,
      identify: () => ({ user: 'ann' }),
      redis: server.url,
      tiers: [
        {
          name: 'small',
          capacity: 10,
          refillAmount: 1,
          refillPeriodMs: 86_400_000,
          maxCostPerOperation: 5,
          isDefault: true,
        },
      ],
      logger: { info() {}, warn() {}, error() {} },
    });
    // Until it has connected to Redis, an instance has only the texts that it stored itself.
    await instance().set(PROBE, '{ item { __typename } }');
    await until('the instance asks Redis', async () => (await tollgate.persistedTexts.get(PROBE)) !== undefined);
    await redis.flushdb();
    const apollo = new ApolloServer({
      schema,
      plugins: [tollgate.plugin()],
      persistedQueries: { cache: tollgate.persistedTexts },
    });
    closers.push(
      () => tollgate.close(),
      () => apollo.stop(),
    );
    return async (sha256Hash: string, query?: string) => {
      const extensions = { persistedQuery: { version: 1, sha256Hash } };
      const { body } = await apollo.executeOperation({ ...(query !== undefined && { query }), extensions });
      if (body.kind !== 'single') throw new Error('expected one result');
      const { fee } = (body.singleResult.extensions?.['cost'] ?? {}) as { fee?: number };
      return { code: body.singleResult.errors?.[0]?.extensions?.['code'], fee };
    };
  }

  it('an instance executes the text that another instance stored for a hash, without a fee', async () => {
    const [here, there] = [await serve(), await serve()];
    expect((await here(hashOf(TEXT), TEXT)).code).toBeUndefined();
    await until('the text is written', async () => (await redis.exists(PLACE)) === 1);
    await expect.poll(() => there(hashOf(TEXT))).toEqual({ code: undefined, fee: undefined });
    expect((await there(hashOf('{ unknown }'))).code).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it('the text of an invalid or too expensive operation is not stored', async () => {
    const here = await serve();
    const expensive = `{ ${Array.from({ length: 9 }, (_, index) => `a${index}: item { id }`).join(' ')} }`;
    const codes: unknown[] = [];
    for (const text of ['{ nope }', '{ item', expensive]) codes.push((await here(hashOf(text), text)).code);
    expect(codes).toEqual(['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED', 'MAX_COST_EXCEEDED']);
    // The text of an admitted operation is stored. The rejected texts were sent earlier, so they
    // would have been stored before it.
    await here(hashOf(TEXT), TEXT);
    await until('the text is written', async () => (await redis.exists(PLACE)) === 1);
    expect(await redis.keys('tg:cache:documents:*')).toEqual([PLACE]);
  });
});
