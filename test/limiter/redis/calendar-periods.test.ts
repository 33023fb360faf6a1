import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createChargeIds } from '../../../src/limiter/charge/charge-receipt.js';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import { createScriptRunner, type ScriptRunner } from '../../../src/limiter/redis/create-script-runner.js';
import { keysFor } from '../../../src/limiter/redis/keys-for.js';
import { RequestWriter } from '../../../src/limiter/redis/request-writer.js';
import { SCRIPTS } from '../../../src/limiter/redis/scripts.js';
import { PATIENT } from '../../helpers/patient.js';
import { someone } from '../engines.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MIDNIGHT = Date.UTC(2024, 1, 1);
const month = {
  id: 'month',
  scope: 'USER',
  algorithm: 'CALENDAR_WINDOW',
  amount: 10,
  every: 'MONTH',
  cost: 1,
} as const satisfies LimitCharge;

const client = new Redis(inject('redisUrl'));
const nextChargeId = createChargeIds();
let redisTime = MIDNIGHT;
let runner: ScriptRunner;
beforeAll(async () => {
  runner = createScriptRunner({ redis: inject('redisUrl'), now: () => redisTime, onConnectionError() {} });
  await runner.opened;
});
afterAll(async () => {
  await runner.close();
  client.disconnect();
});

/** Charges like a process whose estimate of the time of Redis is wrong by `errorMs`. */
async function charge(subject: ReturnType<typeof someone>, limit: LimitCharge, errorMs: number): Promise<boolean> {
  const writer = new RequestWriter();
  writer.addCharge(createChargeReader().read(subject, [limit]), nextChargeId(), 0, keysFor(subject));
  const reply = await runner.run(SCRIPTS.charge, writer.finish(redisTime + errorMs));
  return reply.read(1)[0] === 1;
}

describe('the clock of Redis chooses the period', () => {
  test('two instances whose clocks differ by 2 s admit the amount once before the boundary and once after it', async () => {
    for (const errors of [
      [-1000, 1000],
      [1000, -1000],
    ] as const) {
      const subject = someone();
      const all: boolean[] = [];
      for (const time of [MIDNIGHT - 500, MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + 500]) {
        redisTime = time;
        for (const errorMs of errors) all.push(await charge(subject, { ...month, cost: 10 }, errorMs));
      }
      expect(all).toEqual([true, false, false, false, true, false, false, false]);
    }
  });

  test('an estimate that is wrong by many periods is corrected by the reply, and the charge is made once', async () => {
    redisTime = MIDNIGHT;
    for (const errorMs of [-400 * DAY_MS, -62 * DAY_MS, 61 * DAY_MS, 4000 * DAY_MS]) {
      const subject = someone();
      const limit: LimitCharge = { ...month, every: 'HOUR', amount: 2 };
      const limits = [limit];
      const limiter = createLimiter({ redis: client, now: () => redisTime, ...PATIENT });
      expect(await charge(subject, limit, errorMs)).toBe(true);
      expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 1 }]);
      await limiter.close();
    }
  });
});

describe('the record of a calendar window', () => {
  test('it is the record of a fixed window, so that an older instance keeps the other counters of its partition', async () => {
    const subject = someone();
    redisTime = MIDNIGHT;
    await charge(subject, { ...month, carryOver: { percent: 10, max: 5 } }, 0);
    const [key] = await client.keys(`*${subject.user}*`);
    const value = (await client.getBuffer(key!))!;
    const bytesOfHeader = 15;
    const bytesOfFixedWindow = 23;
    expect(value).toHaveLength(bytesOfHeader + bytesOfFixedWindow);
    expect(value[bytesOfHeader]).toBe(2);
  });

  test('its key expires after the record has lost its effect, which a carry-over delays by one more period', async () => {
    // The times of keys are those of the server.
    redisTime = Date.now();
    const lifetimeOf = async (limit: LimitCharge) => {
      const subject = someone();
      await charge(subject, limit, 0);
      const [key] = await client.keys(`*${subject.user}*`);
      return client.pttl(key!);
    };
    const year = { ...month, every: 'YEAR' } as const;
    const endsInMs = Date.UTC(new Date(redisTime).getUTCFullYear() + 1, 0, 1) - redisTime;
    expect(await lifetimeOf(year)).toBeGreaterThan(endsInMs);
    expect(await lifetimeOf({ ...year, carryOver: { percent: 10, max: 5 } })).toBeGreaterThan(endsInMs + 366 * DAY_MS);
  });
});
