import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import { asUser, deniedTo, restrict } from '../helpers/acl-user.js';
import { ADMIN_TOKEN, post, runToEnd, startPlatform } from '../helpers/platform.js';
import { startRedisCluster } from '../helpers/redis-cluster.js';
import { startRedisServer } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const limits = (['USER', 'IP', 'GLOBAL'] as const).map((scope) => ({
  id: scope,
  scope,
  algorithm: 'TOKEN_BUCKET' as const,
  capacity: 10,
  refillAmount: 1,
  refillPeriodMs: 60_000,
  cost: 1,
}));

describe('Redis user with the documented permissions', () => {
  it('the documented Redis permissions are enough for a platform and for doctor', async () => {
    const redis = await startRedisServer();
    const database = await openServerDatabase();
    const admin = new Redis(redis.url);
    await restrict(admin);
    const env = { REDIS_URL: asUser(redis.url), DATABASE_URL: database.url };
    const doctor = await runToEnd(['doctor'], { ...env, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN });
    expect(doctor.output).not.toMatch(/^failure .*Redis (scripts|version)/m);
    const platform = await startPlatform({ env, args: ['--demo'] });
    try {
      const key = { 'x-api-key': 'demo-free' };
      const asked = await post(`${platform.url}/graphql`, '{ countries(first: 3) { name } }', key);
      expect(asked.body.extensions?.cost?.degraded ?? false).toBe(false);
      const change = 'mutation { subjectAssignTier(input: { user: "u", tier: "pro" }) { userErrors { message } } }';
      expect((await post(`${platform.url}/admin/graphql`, change, ADMIN)).body.errors).toBeUndefined();
      const watch = await fetch(`${platform.url}/admin/graphql/stream`, {
        method: 'POST',
        headers: { ...ADMIN, 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { liveTraffic { at } }' }),
      });
      await watch.body?.cancel();
      await (await fetch(`${platform.url}/metrics`)).text();
      const ready = await (await fetch(`${platform.url}/readyz`)).text();
      expect(ready).not.toContain('Redis');
    } finally {
      await platform.stop();
      expect(await deniedTo(admin)).toEqual([]);
      admin.disconnect();
      await database.dispose();
      await redis.stop();
    }
  });

  it('the documented Redis permissions are enough for a Redis Cluster', async () => {
    const cluster = await startRedisCluster({ replicas: false });
    const nodes = cluster.ports.map((port) => new Redis(port, '127.0.0.1'));
    await Promise.all(nodes.map((node) => restrict(node)));
    const limiter = createLimiter({ redis: asUser(cluster.url), deadlineMs: 10_000 });
    try {
      await limiter.opened;
      await until('the Cluster decides', async () => limiter.health()[0]!.state === 'CLOSED');
      const decision = await limiter.charge({ subject: { user: 'ann', ip: '10.0.0.1' }, limits });
      expect(decision).toMatchObject({ admitted: true, degraded: false });
      if (decision.admitted) await limiter.settle(decision.receipt, { USER: 0, IP: 0, GLOBAL: 0 });
    } finally {
      await limiter.close();
      for (const node of nodes) {
        expect(await deniedTo(node)).toEqual([]);
        node.disconnect();
      }
      await cluster.stop();
    }
  });
});
