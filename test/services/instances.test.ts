import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { startEmbeddedPlatform } from '../helpers/embedded-platform.js';
import { ADMIN_TOKEN, type Platform, post, startPlatform } from '../helpers/platform.js';
import { startRedisServer, type TestServer } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };

interface Instance {
  id: string;
  isAnswering: boolean;
  service: string | null;
  version: string;
  host: string;
  pid: number;
  startedAt: string;
  lastSeenAt: string;
  localShare: number;
  state: string;
  problems: string[];
}

async function instancesBy(url: string, args = ''): Promise<Instance[]> {
  const { body } = await post(
    `${url}/admin/graphql`,
    `{ instances${args} { id isAnswering service version host pid startedAt lastSeenAt localShare state problems } }`,
    ADMIN,
  );
  expect(body.errors).toBeUndefined();
  return body.data.instances;
}

describe('processes that share one Redis and one PostgreSQL', () => {
  let redis: TestServer;
  let database: Awaited<ReturnType<typeof openServerDatabase>>;
  const platforms: Platform[] = [];
  beforeAll(async () => {
    [redis, database] = await Promise.all([startRedisServer(), openServerDatabase()]);
    const env = { REDIS_URL: redis.url, DATABASE_URL: database.url };
    platforms.push(...(await Promise.all([startPlatform({ env }), startPlatform({ env })])));
  });
  afterAll(async () => {
    await Promise.all(platforms.map((platform) => platform.stop()));
    await redis.stop();
    await database.dispose();
  });
  const pidsBy = async (platform: Platform) => (await instancesBy(platform.url)).map(({ pid }) => pid).sort();

  it('the list of instances contains all processes, with their health and their share of the limits', async () => {
    const pids = platforms.map((platform) => platform.process.pid!).sort();
    await until('both are listed, each with half of the limits', async () => {
      const listed = await instancesBy(platforms[0]!.url);
      return listed.length === 2 && listed.every(({ localShare }) => localShare === 0.5);
    });
    for (const platform of platforms) {
      const listed = await instancesBy(platform.url);
      expect(listed.map(({ pid }) => pid).sort()).toEqual(pids);
      expect(listed.filter(({ isAnswering }) => isAnswering).map(({ pid }) => pid)).toEqual([platform.process.pid]);
      for (const one of listed) {
        expect(one).toMatchObject({
          service: null,
          state: 'READY',
          problems: [],
          version: expect.stringMatching(/^\d/),
        });
        expect(one.host).not.toBe('');
        expect(Date.parse(one.startedAt)).toBeLessThanOrEqual(Date.parse(one.lastSeenAt));
      }
    }
    expect(await instancesBy(platforms[0]!.url, '(first: 1)')).toHaveLength(1);
  });

  it('a running server that protects an API is listed with its service name', async () => {
    const tollgate = await createTollgate({
      schema: buildSchema('type Query { a: Int }'),
      postgres: database.url,
      service: 'shop',
      logger: { info() {}, warn() {}, error() {} },
    });
    await until('the instance is listed', async () => (await instancesBy(platforms[0]!.url)).length === 3);
    // This server has no Redis and counts separately, so it enforces each limit in full.
    expect((await instancesBy(platforms[0]!.url)).at(-1)).toMatchObject({
      service: 'shop',
      localShare: 1,
      pid: process.pid,
    });
    await tollgate.close();
    await until('the instance is removed', async () => (await instancesBy(platforms[0]!.url)).length === 2);
  });

  it('the list of instances contains the problems of each process', async () => {
    await redis.stop();
    await until('both report that Redis is unavailable', async () => {
      const listed = await instancesBy(platforms[1]!.url);
      return listed.every(
        ({ state, problems }) => state === 'DEGRADED' && /^Redis .* has not answered/.test(problems[0]!),
      );
    });
  });

  it('a killed process is no longer listed 15 seconds after its last report', async () => {
    const [left, killed] = platforms as [Platform, Platform];
    await killed.kill();
    expect(await pidsBy(left)).toContain(killed.process.pid);
    // Moves the last report of the killed process into the past, instead of waiting.
    const passes = (ms: number) =>
      database.db.query(`update instances set seen_at = seen_at - $2::bigint * interval '1 ms' where pid = $1`, [
        killed.process.pid!,
        ms,
      ]);
    await passes(15_000);
    expect(await pidsBy(left)).toEqual([left.process.pid]);
    // When another minute has passed, the row of the instance is deleted.
    await passes(60_000);
    await until('the row of the killed process is deleted', async () => {
      const rows = await database.db.query('select 1 from instances where pid = $1', [killed.process.pid!]);
      return rows.length === 0;
    });
  });
});

describe('list of instances of an embedded platform', () => {
  it('an embedded platform lists only itself, with a share of 1 of each limit', async () => {
    const platform = await startEmbeddedPlatform();
    try {
      await until('the instance is listed', async () => (await instancesBy(platform.url)).length === 1);
      expect(await instancesBy(platform.url)).toMatchObject([
        { isAnswering: true, pid: platform.process.pid, localShare: 1, state: 'READY' },
      ]);
    } finally {
      await platform.stop();
    }
  });
});
