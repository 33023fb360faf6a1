import fc from 'fast-check';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { slotOf } from '../../../src/limiter/redis/slot-of.js';
import { startRedisServer } from '../../helpers/servers.js';

test('slotOf returns the hash slot that Redis computes for a key', async () => {
  const server = await startRedisServer(['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf']);
  const redis = new Redis(server.url);
  try {
    const tag = fc.string({
      unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(tag, async (text) => {
        fc.pre(!/[{}]/.test(text));
        expect(slotOf(text)).toBe(await redis.cluster('KEYSLOT', `tg:{${text}}:U:${text}`));
      }),
    );
  } finally {
    redis.disconnect();
    await server.stop();
  }
});
