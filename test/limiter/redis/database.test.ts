import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLimiter, type MonitoredLimiter } from '../../../src/limiter/create-limiter.js';
import type { EngineFailure } from '../../../src/limiter/redis/engine-failure.js';
import { startRedisServer } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';
import { someone } from '../engines.js';

// These tests check that the limiter uses only the database that its URL names.

let server: Awaited<ReturnType<typeof startRedisServer>>;
let admin: Redis;
beforeAll(async () => {
  server = await startRedisServer(['--databases', '16']);
  admin = new Redis(server.url);
  await admin.call('ACL', 'SETUSER', 'limited', 'on', '>secret', '~*', '&*', '+@all', '-select');
});
afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

const charge = (limiter: MonitoredLimiter) =>
  limiter.charge({
    subject: someone(),
    limits: [{ id: 'window', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 10, windowMs: 86_400_000, cost: 1 }],
  });
const keyspace = async () => (await admin.info('keyspace')).match(/^db\d+/gm) ?? [];

test.each([
  ['does not exist', '', 99, 'DB index is out of range'],
  ['the user may not select', 'limited:secret@', 5, 'NOPERM'],
])('the limiter does not replace a database that %s by another one, and the failure names the database', async (_, credentials, number, reason) => {
  const failures: EngineFailure[] = [];
  const limiter = createLimiter({
    redis: `redis://${credentials}127.0.0.1:${server.port}/${number}`,
    observer: { failed: (failure) => void failures.push(failure) },
  });
  try {
    await limiter.opened;
    expect(await charge(limiter)).toMatchObject({ admitted: true, degraded: true });
    expect(limiter.health()).toMatchObject([{ state: expect.stringMatching(/OPEN/), reason: 'auth' }]);
    expect(failures[0]).toMatchObject({ class: 'auth', alarm: true });
    expect(String(failures[0]!.error)).toContain(`cannot use database ${number} of Redis`);
    expect(String(failures[0]!.error)).toContain(reason);
    // The limiter retries within half a second. These attempts must use no other database either.
    await pause(1500);
    expect(await charge(limiter)).toMatchObject({ degraded: true });
    expect(await keyspace()).toEqual([]);
  } finally {
    await limiter.close();
  }
});

test('an existing database is used as soon as the user may select it', async () => {
  await admin.call('ACL', 'SETUSER', 'later', 'on', '>secret', '~*', '&*', '+@all', '-select');
  const limiter = createLimiter({ redis: `redis://later:secret@127.0.0.1:${server.port}/5` });
  try {
    await limiter.opened;
    expect(await charge(limiter)).toMatchObject({ degraded: true });
    await admin.call('ACL', 'SETUSER', 'later', '+select');
    await until('it decides', async () => !(await charge(limiter)).degraded);
    expect(await keyspace()).toEqual(['db5']);
  } finally {
    await limiter.close();
    await admin.flushall();
  }
});
