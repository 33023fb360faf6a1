import { Command, Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import { loadScriptCommand } from '../../../src/limiter/redis/load-script-command.js';
import { PATIENT } from '../../helpers/patient.js';
import { startRedisServer } from '../../helpers/servers.js';

const LIMIT: LimitCharge = {
  id: 'calls',
  scope: 'USER',
  algorithm: 'FIXED_WINDOW',
  amount: 2,
  windowMs: 3_600_000,
  cost: 1,
};

const SOME = { text: '', sha: 'some-sha', acrossSlots: false };

describe('script commands', async () => {
  const make = await loadScriptCommand();

  it('a script command has the same bytes as the command that ioredis sends', () => {
    const keys = ['tg:{t.acme}:U:u.~hashed', 'tg:{t.acme}:T:'];
    const request = Buffer.from([0, 13, 10, 255, 36]);
    const theirs = new Command('evalsha', ['some-sha', '2', ...keys, request, '1700000000000']);
    expect(make(SOME, keys, request, '1700000000000').toWritable({})).toEqual(theirs.toWritable({}));
  });

  it('a script for several hash slots declares one key and passes the others after its arguments', () => {
    const keys = ['tg:{u.ada}:U:u.ada', 'tg:{u.bob}:U:u.bob', 'tg:{g.all}:G:'];
    const request = Buffer.from([0, 13, 10, 255, 36]);
    const theirs = new Command('evalsha', ['some-sha', '1', keys[0]!, request, '', ...keys.slice(1)]);
    expect(make({ ...SOME, acrossSlots: true }, keys, request, '').toWritable({})).toEqual(theirs.toWritable({}));
  });

  it('a script command goes to the hash slot of its keys', () => {
    const keys = ['tg:{t.acme}:U:u.ada', 'tg:{t.acme}:T:'];
    expect(make(SOME, keys, Buffer.alloc(1), '').getSlot()).toBe(new Command('get', [keys[1]!]).getSlot());
  });

  it('a script uses the key prefix of a given client, whether or not Redis has loaded the script', async () => {
    const server = await startRedisServer();
    const redis = new Redis(server.url, { keyPrefix: 'theirs:' });
    const bare = new Redis(server.url);
    const limiter = createLimiter({ redis, ...PATIENT });
    const charge = async () => (await limiter.charge({ subject: { user: 'ada' }, limits: [LIMIT] })).admitted;
    expect(await charge()).toBe(true);
    await bare.script('FLUSH');
    expect(await charge()).toBe(true);
    expect(await charge()).toBe(false);
    expect(await bare.keys('*ada*')).toEqual(['theirs:tg:{u.ada}:U:u.ada']);
    await limiter.close();
    await Promise.all([redis.quit(), bare.quit()]);
    await server.stop();
  });
});
