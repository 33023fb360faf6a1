import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentRegistry } from '../../../src/registry/create-document-registry.js';
import { createLiveDocuments } from '../../../src/registry/create-live-documents.js';
import { documentOfText } from '../../../src/registry/read-manifest.js';
import { createRulesStore } from '../../../src/rules/store/rules-store.js';
import { type Platform, post, startPlatform } from '../../helpers/platform.js';
import { startRedisServer } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';
import { openServerDatabase } from '../../postgres/databases.js';
import { ACTOR, pusherOf } from '../../registry/pusher-of.js';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const apq = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });

describe('two instances of the platform with registered documents', () => {
  let database: Awaited<ReturnType<typeof openServerDatabase>>;
  let redisServer: Awaited<ReturnType<typeof startRedisServer>>;
  let redis: Redis;
  let instances: Platform[];
  beforeAll(async () => {
    [database, redisServer] = await Promise.all([openServerDatabase(), startRedisServer()]);
    redis = new Redis(redisServer.url);
    const env = { REDIS_URL: redisServer.url, DATABASE_URL: database.url };
    // The first instance migrates the tables.
    instances = [await startPlatform({ env, args: ['--demo'] })];
    instances.push(await startPlatform({ env, args: ['--demo'] }));
    // No request of these tests is denied for its cost, however many the machine sends.
    const unlimited = await createRulesStore(database.db).updateTier({ name: 'free', capacity: null }, ACTOR);
    expect(unlimited).toMatchObject({ ok: true });
    for (const { url } of instances)
      await until('callers have no bucket', async () => {
        const { body } = await post(`${url}/graphql`, '{ __typename }');
        return body.extensions.cost.throttleStatus === null;
      });
  });
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await redis.quit();
    await Promise.all([redisServer.stop(), database.dispose()]);
  });

  async function ask(instance: Platform, body: object) {
    const response = await fetch(`${instance.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const { data, errors } = JSON.parse(text);
    return {
      status: response.status,
      text,
      hasData: data?.countries !== undefined,
      code: errors?.[0]?.extensions?.code,
    };
  }

  it('A46: store no text under the hash of another, neither by a request nor by a write to Redis', async () => {
    const [here, there] = instances as [Platform, Platform];
    const [text, other] = ['{ countries(first: 1) { name } }', '{ countries(first: 2) { name } }'];
    expect(await ask(here, { query: text, ...apq(hashOf(other)) })).toMatchObject({ status: 400, hasData: false });
    for (const instance of instances)
      expect((await ask(instance, apq(hashOf(other)))).code).toBe('PERSISTED_QUERY_NOT_FOUND');
    const place = `tg:cache:documents:apq:${hashOf(other).slice(0, 3)}`;
    await redis.set(place, hashOf(other) + text);
    expect((await ask(there, apq(hashOf(other)))).code).toBe('PERSISTED_QUERY_NOT_FOUND');
    // The right text replaces the wrong one, for all instances.
    expect((await ask(here, { query: other, ...apq(hashOf(other)) })).hasData).toBe(true);
    await until('the text is shared', async () => (await redis.get(place)) === hashOf(other) + other);
    expect((await ask(there, apq(hashOf(other)))).hasData).toBe(true);
  });

  it('A46: do not register the text of an automatic persisted query', async () => {
    const text = '{ countries(first: 3) { name } }';
    expect((await ask(instances[0]!, { query: text, ...apq(hashOf(text)) })).hasData).toBe(true);
    for (const instance of instances)
      expect((await ask(instance, { documentId: `sha256:${hashOf(text)}` })).code).toBe('DOCUMENT_NOT_FOUND');
    const [row] = await database.db.query<{ count: number }>('select count(*)::int as count from registered_documents');
    expect(row!.count).toBe(0);
  });

  it('A45: reject ids that are too long, without repeating them', async () => {
    for (const [length, status] of [
      [257, 400],
      [50_000, 400],
      [2 ** 20, 413],
    ] as const) {
      for (const body of [{ documentId: 'x'.repeat(length) }, { doc_id: 'x'.repeat(length) }]) {
        const answer = await ask(instances[0]!, body);
        expect({ length, status: answer.status, hasData: answer.hasData }).toEqual({ length, status, hasData: false });
        expect(answer.text).not.toContain('xxxx');
      }
    }
    const long = await ask(instances[0]!, apq('f'.repeat(50_000)));
    expect(long).toMatchObject({ hasData: false });
    expect(long.text).not.toContain('ffff');
  });

  it('A47: retire a version under traffic: each request gets its data or DOCUMENT_NOT_FOUND, and none gets data later', async () => {
    const document = documentOfText('query Retired { countries(first: 4) { name } }');
    await pusherOf(database.db)({ app: 'web', version: '1', documents: [document] });
    const byId = { documentId: document.id };
    for (const instance of instances)
      await until('the instance knows the version', async () => (await ask(instance, byId)).hasData);
    const seen = instances.map((): string[] => []);
    let isOver = false;
    const traffic = instances.map(async (instance, index) => {
      while (!isOver) {
        const { status, hasData, code } = await ask(instance, byId);
        seen[index]!.push(hasData ? 'data' : `${status} ${code}`);
        // One address may send 6,000 requests a minute.
        await setTimeout(5);
      }
    });
    const registry = createDocumentRegistry(database.db, createRulesStore(database.db).write);
    expect(await registry.retire({ app: 'web', version: '1', unusedDays: 0 }, ACTOR)).toMatchObject({ ok: true });
    await until('both instances reject the id', () => seen.every((answers) => answers.at(-1) !== 'data'));
    const rejectedAt = seen.map((answers) => answers.length);
    await until('both instances get further requests', () =>
      seen.every((all, at) => all.length > rejectedAt[at]! + 20),
    );
    isOver = true;
    await Promise.all(traffic);
    for (const answers of seen) {
      expect(new Set(answers)).toEqual(new Set(['data', answers.at(-1)!]));
      expect(answers.at(-1)).toMatch(/ DOCUMENT_NOT_FOUND$/);
      expect(answers.slice(answers.indexOf(answers.at(-1)!))).not.toContain('data');
    }
  });
});

it('A45: a flood of unknown ids reads nothing from Redis and PostgreSQL', async () => {
  const database = await openServerDatabase();
  try {
    const [known] = [documentOfText('{ known }')];
    await pusherOf(database.db)({ app: 'web', version: '1', documents: [known] });
    let reads = 0;
    const query: typeof database.db.query = (...given) => {
      reads++;
      return database.db.query(...given);
    };
    const shared = { get: async () => void reads++, set: async () => {} };
    const live = createLiveDocuments({ db: { query }, shared, maxBytes: 2 ** 20 });
    await live.refresh();
    reads = 0;
    for (let index = 0; index < 10_000; index++) {
      for (const id of [`sha256:${hashOf(`${index}`)}`, `own-${index}`, `web~1~${index}`])
        expect(live.find(id, { app: 'web' })).toBeUndefined();
    }
    expect(reads).toBe(0);
    expect(live.bytes).toBe(0);
    expect(await live.find(known.id, {})).toMatchObject({ text: known.text });
    expect(reads).toBeGreaterThan(0);
  } finally {
    await database.dispose();
  }
});
