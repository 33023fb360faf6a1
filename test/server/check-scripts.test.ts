import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import { checkScripts } from '../../src/server/commands/doctor/check-scripts.js';
import { startRedisServer } from '../helpers/servers.js';

let redis: Awaited<ReturnType<typeof startRedisServer>>;
beforeAll(async () => {
  redis = await startRedisServer();
});
afterAll(() => redis.stop());

describe('the script check of doctor', () => {
  it('the script check passes on a working Redis server and leaves no key', async () => {
    expect(await checkScripts(redis.url)).toMatchObject({
      level: 'OK',
      message: 'give the same decisions as this process in 7 steps',
    });
    const client = new Redis(redis.url);
    expect(await client.keys('*')).toEqual([]);
    client.disconnect();
  });

  it('the script check reports the step at which the scripts decide differently, with the expected result', async () => {
    // This simulates a server that loses the corrections of settlements.
    const forgetful = { settle: async () => {} };
    expect(await checkScripts(redis.url, (options) => ({ ...createLimiter(options), ...forgetful }))).toMatchObject({
      level: 'FAILURE',
      message: expect.stringMatching(
        /^give other decisions than this process: correct it to 1: expected .*"used":1.*, got .*"used":4/,
      ),
    });
  });

  it('the script check fails when the server rejects scripts', async () => {
    const without = await startRedisServer(['EVALSHA', 'EVAL'].flatMap((name) => ['--rename-command', name, '']));
    try {
      expect(await checkScripts(without.url)).toMatchObject({
        level: 'FAILURE',
        message: expect.stringMatching(/^do not run: .*unknown command/i),
      });
    } finally {
      await without.stop();
    }
  });

  it('the script check fails when the server does not reply', async () => {
    const gone = await startRedisServer();
    await gone.stop();
    expect(await checkScripts(gone.url)).toMatchObject({
      level: 'FAILURE',
      message: expect.stringMatching(/^do not run: /),
    });
  });
});
