import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { select } from '../../../src/limiter/charge/checked-request.js';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import { keysFor } from '../../../src/limiter/redis/keys-for.js';
import { ACTION } from '../../../src/limiter/redis/layout.js';
import { readReply } from '../../../src/limiter/redis/read-reply.js';
import { RequestWriter } from '../../../src/limiter/redis/request-writer.js';
import type { BufferCommands } from '../../../src/limiter/redis/script-client.js';
import { SCRIPTS, type Script, WITHOUT_FLAGS } from '../../../src/limiter/redis/scripts.js';
import { PATIENT } from '../../helpers/patient.js';
import { startRedisServer } from '../../helpers/servers.js';
import { someone } from '../engines.js';

const client = new Redis(inject('redisUrl')) as Redis & BufferCommands;
beforeAll(async () => {
  const [, version] = /^redis_version:(\d+)/m.exec(await client.info('server')) ?? [];
  takesFlags = Number(version) >= 7;
});
afterAll(() => client.disconnect());

const base = { scope: 'USER', cost: 3, amount: 10, windowMs: 60_000, capacity: 10 } as const;
/** One limit of each shape. */
const LIMITS: LimitCharge[] = [
  { ...base, id: 'bucket', algorithm: 'TOKEN_BUCKET', refillAmount: 1, refillPeriodMs: 1000 },
  { ...base, id: 'fixed', algorithm: 'FIXED_WINDOW' },
  { ...base, id: 'sliding', algorithm: 'SLIDING_WINDOW_COUNTER' },
  { ...base, id: 'strict', algorithm: 'SLIDING_WINDOW_COUNTER', strict: true },
  { ...base, id: 'log', algorithm: 'SLIDING_WINDOW_LOG' },
];
let takesFlags = true;
const CHARGE_ID = 'abcdef';
const NOW = 1_700_000_000_000;

/**
 * Returns the script in the form that the server accepts. Servers before Redis 7 do not support its
 * first line.
 */
function textOf(script: Script): string {
  return (takesFlags ? script : (WITHOUT_FLAGS.get(script) ?? script)).text;
}

function run(script: Script, keys: string[], request: Buffer): Promise<Buffer> {
  return client.evalBuffer(textOf(script), keys.length, ...keys, request, String(NOW)) as Promise<Buffer>;
}

function numbersOf(reply: Buffer): number[] {
  return Array.from({ length: reply.length / 8 }, (_, i) => reply.readDoubleLE(8 * i));
}

function checkedRequestOf(subject = someone()) {
  return createChargeReader().read(subject, LIMITS);
}

test('without their first line, for older servers, the scripts give the same replies', async () => {
  const [checked, other] = [checkedRequestOf(), checkedRequestOf()];
  for (const [withFlags, without] of WITHOUT_FLAGS) {
    expect(withFlags.text).toMatch(/^#!lua/);
    expect(without.text).not.toContain('#!lua');
    expect(without.sha).not.toBe(withFlags.sha);
  }
  for (const script of [SCRIPTS.charge, SCRIPTS.peek, SCRIPTS.charge]) {
    const replies = [script, WITHOUT_FLAGS.get(script)!].map((one, i) => {
      const { subject } = i === 0 ? checked : other;
      const writer = new RequestWriter();
      writer.addCharge({ ...checked, subject }, CHARGE_ID, 0, keysFor(subject));
      const { keys, request } = writer.finish();
      return run(one, keys, request);
    });
    const [expected, found] = await Promise.all(replies);
    expect(numbersOf(found!)).toEqual(numbersOf(expected!));
  }
});

describe('requests from the writer to the scripts', () => {
  test('the reply to a charge of every shape has the numbers that toLimitState reads, in the requested order', async () => {
    const checked = checkedRequestOf();
    const writer = new RequestWriter();
    expect(writer.addCharge(checked, CHARGE_ID, 0, keysFor(checked.subject))).toBe(true);
    const { keys, request } = writer.finish();
    const reply = readReply(await run(SCRIPTS.charge, keys, request));
    expect(reply).toMatchObject({ clock: NOW, now: NOW, repaired: 0, rebased: 0 });
    const [admitted, ...numbers] = reply.read(1 + checked.numberCount);
    expect(admitted).toBe(1);
    expect(() => reply.read(1)).toThrow(RangeError);
    // The numbers by shape. Bucket: taken units and debt. Fixed window: count. Sliding window:
    // current and previous count. Strict window and log: sum, end and wait.
    const partEndsAt = (Math.floor(NOW / 6000) + 1) * 6000 + 60_000 - 1;
    expect(numbers).toEqual([3000, 0, 3, 3, 0, 3, partEndsAt, 0, 3, NOW + 60_000, 0]);
  });

  test('peek replies like charge and writes nothing, and settle replies with times and counts', async () => {
    const checked = checkedRequestOf();
    const writer = new RequestWriter();
    writer.addCharge(checked, CHARGE_ID, 0, keysFor(checked.subject));
    const { keys, request } = writer.finish();
    const peeked = numbersOf(await run(SCRIPTS.peek, keys, request));
    const asFound = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    expect(peeked.slice(0, 16)).toEqual([NOW, NOW, 0, 0, 1, ...asFound]);
    expect(await client.exists(...keys)).toBe(0);
    const charged = numbersOf(await run(SCRIPTS.charge, keys, request));
    expect(peeked.slice(16)).toEqual(charged.slice(5));

    const settlement = new RequestWriter();
    const charge = { request: checked, chargeId: CHARGE_ID, time: { clock: NOW, now: NOW }, times: undefined };
    settlement.addCorrection(charge, { bucket: 4 }, keysFor(checked.subject));
    expect(settlement.count()).toBe(1);
    settlement.addEnd(charge, ACTION.CANCEL, keysFor(checked.subject));
    const sent = settlement.finish();
    const settled = await run(SCRIPTS.charge, sent.keys, sent.request);
    expect(numbersOf(settled)).toEqual([NOW, NOW, 0, 0]);
  });

  test('a reset empties each of its counters, and no other counter of the same keys', async () => {
    const checked = checkedRequestOf();
    const keyOf = keysFor(checked.subject);
    const charged = new RequestWriter();
    charged.addCharge(checked, CHARGE_ID, 0, keyOf);
    const { keys, request } = charged.finish();
    await client.eval(textOf(SCRIPTS.charge), keys.length, ...keys, request, String(NOW));

    const emptied = new RequestWriter();
    expect(
      emptied.addReset(
        select(checked, (i) => i !== 1),
        keyOf,
      ),
    ).toBe(true);
    expect(emptied.count()).toBe(4);
    const sent = emptied.finish();
    const reply = await run(SCRIPTS.charge, sent.keys, sent.request);
    expect(numbersOf(reply)).toEqual([NOW, NOW, 0, 0]);
    const peeked = await run(SCRIPTS.peek, keys, request);
    // Only the fixed window still has its count of 3.
    expect(numbersOf(peeked).slice(5, 16)).toEqual([0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('two variants of one counter do not share a call', () => {
    const checked = checkedRequestOf();
    const raised = createChargeReader().read(checked.subject, [{ ...LIMITS[0]!, capacity: 20 }]);
    const writer = new RequestWriter();
    expect(writer.addCharge(checked, CHARGE_ID, 0, keysFor(checked.subject))).toBe(true);
    expect(writer.addCharge(raised, CHARGE_ID, 0, keysFor(checked.subject))).toBe(false);
    expect(writer.count()).toBe(1);
  });

  test('charges of one tick with several variants of one counter are decided one after the other', async () => {
    const limiter = createLimiter({ redis: client, now: () => NOW, ...PATIENT });
    const subject = someone();
    const limit = LIMITS[0]!;
    const charges = Array.from({ length: 9 }, (_, i) =>
      limiter.charge({ subject, limits: [{ ...limit, capacity: 10 + (i % 3), cost: 1 }] }),
    );
    const used = (await Promise.all(charges)).map((decision) => decision.limits[0]!.used);
    expect(used).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await limiter.close();
  });

  test('concurrent charges with the maximum number of limits are decided, and each limit is charged once', async () => {
    const limiter = createLimiter({ redis: client, now: () => NOW, ...PATIENT });
    const limits = Array.from({ length: 64 }, (_, i) => ({ ...LIMITS[i % LIMITS.length]!, id: `many-${i}` }));
    const wave = Array.from({ length: 40 }, () => limiter.charge({ subject: someone(), limits }));
    for (const decision of await Promise.all(wave)) {
      expect(decision.admitted).toBe(true);
      expect(decision.limits.map(({ used }) => used)).toEqual(limits.map(() => 3));
    }
    await limiter.close();
  });
});

describe('partition that contains only the charged counters', () => {
  const bucket: LimitCharge = {
    id: 'bucket',
    scope: 'USER',
    algorithm: 'TOKEN_BUCKET',
    capacity: 100_000,
    refillAmount: 1,
    refillPeriodMs: 1000,
    cost: 1,
  };
  const window: LimitCharge = {
    id: 'window',
    scope: 'USER',
    algorithm: 'FIXED_WINDOW',
    amount: 10,
    windowMs: 60_000,
    cost: 1,
  };

  function start() {
    const clock = { now: NOW };
    const subject = { user: someone().user };
    const [limit] = createChargeReader().read(subject, [bucket]).limits;
    return {
      clock,
      subject,
      key: keysFor(subject)(limit!),
      limiter: createLimiter({ redis: client, now: () => clock.now, ...PATIENT }),
    };
  }

  test('a partition does not expire before its bucket is full, however much is charged', async () => {
    const { limiter, subject, key } = start();
    for (const cost of [1, 10_000, 50_000]) await limiter.charge({ subject, limits: [{ ...bucket, cost }] });
    expect(await client.pttl(key)).toBeGreaterThan(60_001_000);
    await limiter.close();
  });

  test('a partition drops the record of a full bucket when another counter in it is charged', async () => {
    const { limiter, subject, key, clock } = start();
    await limiter.charge({ subject, limits: [bucket, window] });
    expect(await client.strlen(key)).toBe(15 + 30 + 23);
    clock.now += 1000;
    await limiter.charge({ subject, limits: [{ ...bucket, cost: 0 }, window] });
    expect(await client.strlen(key)).toBe(15 + 23);
    await limiter.close();
  });

  test('a denied charge applies an edited rate to its bucket, also after a charge of cost 0 in the same call', async () => {
    const { limiter, subject, clock } = start();
    const fast = { ...bucket, capacity: 1, refillPeriodMs: 1 };
    const slow = { ...bucket, capacity: 4, refillPeriodMs: 7777 };
    const used = async (cost: number) => {
      const { limits } = await limiter.charge({ subject, limits: [{ ...slow, cost }] });
      return limits[0]!.used;
    };
    await limiter.charge({ subject, limits: [{ ...fast, cost: 1 }] });
    expect(await Promise.all([used(0), used(4)])).toEqual([1, 1]);
    clock.now += 7776;
    expect(await used(0)).toBe(1);
    clock.now += 1;
    expect(await used(0)).toBe(0);
    await limiter.close();
  });

  test('each charge of a call is charged only to the limits that it names', async () => {
    const { limiter, subject } = start();
    const other: LimitCharge = { ...window, id: 'other' };
    await limiter.charge({ subject, limits: [window, other] });
    const wave = [[window, other], [other], [window], [other, window], [other]];
    const decisions = await Promise.all(wave.map((limits) => limiter.charge({ subject, limits })));
    expect(decisions.map(({ limits }) => limits.map(({ id, used }) => `${id} ${used}`))).toEqual([
      ['window 2', 'other 2'],
      ['other 3'],
      ['window 3'],
      ['other 4', 'window 4'],
      ['other 5'],
    ]);
    await limiter.close();
  });
});

describe('malformed requests to the scripts', () => {
  const spoiled: [string, (request: Buffer) => Buffer][] = [
    ['an unknown shape', (request) => Buffer.from(request.fill(9, 2, 3))],
    ['a capacity of zero', (request) => Buffer.from(request.fill(0, 13, 20))],
    ['a refill amount of zero', (request) => Buffer.from(request.fill(0, 20, 25))],
    ['a refill period of zero', (request) => Buffer.from(request.fill(0, 25, 30))],
    ['a cost above 2^31 - 1', (request) => Buffer.from(request.fill(255, request.length - 10, request.length - 6))],
    [
      'a counter that does not exist',
      (request) => Buffer.from(request.fill(99, request.length - 12, request.length - 10)),
    ],
    ['a missing last byte', (request) => request.subarray(0, -1)],
  ];
  test.each(spoiled)('A15: the script rejects a request with %s before it writes', async (_, spoil) => {
    const checked = checkedRequestOf();
    const writer = new RequestWriter();
    writer.addCharge(checked, CHARGE_ID, 0, keysFor(checked.subject));
    const { keys, request } = writer.finish();
    await expect(
      client.eval(textOf(SCRIPTS.charge), keys.length, ...keys, spoil(request), String(NOW)),
    ).rejects.toThrow();
    expect(await client.exists(...keys)).toBe(0);
  });

  test('A15: the script rejects a time that is not a number before it writes', async () => {
    const checked = checkedRequestOf();
    const writer = new RequestWriter();
    writer.addCharge(checked, CHARGE_ID, 0, keysFor(checked.subject));
    const { keys, request } = writer.finish();
    for (const time of ['nan', 'inf', '-inf', '1e300', '-5', '0.5', 'soon']) {
      await expect(client.eval(textOf(SCRIPTS.charge), keys.length, ...keys, request, time), time).rejects.toThrow(
        /TOLLGATE/,
      );
    }
    expect(await client.exists(...keys)).toBe(0);
  });

  test('a call after SCRIPT FLUSH is decided like any other call', async () => {
    // The test uses a separate server. On the shared server, SCRIPT FLUSH would make other tests
    // repeat calls, and a later call could overtake a repeated one.
    const server = await startRedisServer();
    const flushed = new Redis(server.url);
    const limiter = createLimiter({ redis: flushed, ...PATIENT });
    const subject = someone();
    for (let i = 1; i <= 3; i++) {
      await flushed.script('FLUSH');
      expect((await limiter.charge({ subject, limits: [{ ...LIMITS[1]!, cost: 1 }] })).limits[0]!.used).toBe(i);
    }
    await limiter.close();
    flushed.disconnect();
    await server.stop();
  });
});

test('each script names its shared part, and the loaded text has all includes expanded', () => {
  for (const name of ['charge', 'peek'] as const) {
    expect(readFileSync(new URL(`../../../lua/${name}.lua`, import.meta.url), 'utf8')).toContain('-- include state');
    expect(SCRIPTS[name].text).not.toContain('-- include');
  }
});
