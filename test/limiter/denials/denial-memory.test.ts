import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Decision, Receipt } from '../../../src/limiter/charge/decision.js';
import { createProtectionLimiter, type ProtectionLimiter } from '../../../src/limiter/create-limiter.js';
import type { DenialMemoryOptions } from '../../../src/limiter/denials/denial-memory-option.js';
import { PATIENT } from '../../helpers/patient.js';
import { uniqueName } from '../../helpers/servers.js';
import { someone } from '../engines.js';
import { bucket, perDay } from './limits.js';

// The denial memory of an instance repeats recent denials without a call to Redis.

/** Number of histories. For a longer search: HISTORIES=5000. */
const RUNS = Number(process.env['HISTORIES'] ?? 80);

const client = new Redis(inject('redisUrl'));
afterAll(() => client.disconnect());

/** Ignores warnings about the settings of the client, which this test chooses on purpose. */
const observer = { unsafe() {} };
const clock = { now: 1_700_000_000_123 };

function startLimiter(denialMemory: DenialMemoryOptions | false = {}): ProtectionLimiter {
  const limiter = createProtectionLimiter({ redis: client, now: () => clock.now, denialMemory, observer, ...PATIENT });
  onTestFinished(() => limiter.close());
  return limiter;
}

/**
 * Charges until the limiter remembers the denial. The limiter stores a denial when it happens for
 * the second time.
 */
async function denied(limiter: ProtectionLimiter, limits: LimitCharge[], subject = someone()) {
  const first = await limiter.charge({ subject, limits });
  for (let i = 0; i < 2; i++) expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: false });
  expect(limiter.denies({ subject, limits })).toBe(true);
  return { subject, limits, receipt: (first as { receipt: Receipt }).receipt };
}

test('memory decides a repeated denial in the same way as Redis would', async () => {
  const limiter = startLimiter();
  const exact = startLimiter(false);
  const { subject, limits } = await denied(limiter, [bucket(), perDay({ scope: 'TENANT', amount: 100 })]);
  for (let i = 0; i < 100; i++) {
    clock.now += 3;
    expect(await limiter.charge({ subject, limits })).toEqual(await exact.charge({ subject, limits }));
  }
  expect(limiter.rememberedDenials).toMatchObject({ answered: 100, kept: 1 });
});

test('a remembered denial has current numbers for the denying limit and stored numbers for slots and logs', async () => {
  const limiter = startLimiter({ maxAgeMs: 60_000 });
  const slot: LimitCharge = {
    id: 'slot',
    scope: 'USER',
    algorithm: 'CONCURRENCY',
    capacity: 5,
    leaseMs: 60_000,
    cost: 1,
  };
  const log = perDay({ id: 'log', algorithm: 'SLIDING_WINDOW_LOG', amount: 100, windowMs: 1000 });
  const limits = [bucket(), slot, log];
  const { subject } = await denied(limiter, limits);
  const before = await limiter.charge({ subject, limits });
  clock.now += 2000;
  const after = await limiter.charge({ subject, limits });
  expect(limiter.rememberedDenials.answered).toBe(2);
  expect(after.limits[0]).toMatchObject({ remaining: 2, retryAfterMs: 8000 });
  // The entry of the log has expired, but the remembered denial still reports it.
  expect(after.limits.slice(1)).toEqual(before.limits.slice(1));
  expect(after.limits[2]).toMatchObject({ used: 1 });
  // A charge with another cost on the slot limit calls Redis.
  await limiter.charge({ subject, limits: [bucket(), { ...slot, cost: 2 }, log] });
  expect(limiter.rememberedDenials.answered).toBe(2);
});

test('a remembered denial does not show later charges of other callers to a shared limit that did not deny', async () => {
  const limiter = startLimiter({ maxAgeMs: 60_000 });
  const limits = [bucket(), perDay({ scope: 'TENANT', amount: 100 })];
  const { subject } = await denied(limiter, limits);
  await limiter.charge({ subject: { ...someone(), tenant: subject.tenant }, limits: [limits[1]!] });
  expect((await limiter.charge({ subject, limits })).limits[1]).toMatchObject({ used: 1 });
  expect(await limiter.peek({ subject, limits: [limits[1]!] })).toMatchObject([{ used: 2 }]);
});

test('before a remembered denial expires, one charge refreshes it from Redis while memory denies the others', async () => {
  const limiter = startLimiter({ maxAgeMs: 400 });
  const { subject, limits } = await denied(limiter, [perDay()]);
  clock.now += 301;
  await Promise.all(Array.from({ length: 20 }, () => limiter.charge({ subject, limits })));
  expect(limiter.rememberedDenials.answered).toBe(19);
  // The denial that Redis just returned counts as new.
  clock.now += 299;
  await limiter.charge({ subject, limits });
  expect(limiter.rememberedDenials.answered).toBe(20);
});

test('a remembered denial is not used beyond its maximum age', async () => {
  const limiter = startLimiter({ maxAgeMs: 400 });
  const { subject, limits } = await denied(limiter, [perDay()]);
  clock.now += 401;
  expect(limiter.denies({ subject, limits })).toBe(false);
});

test('memory does not deny a charge that costs no more than the tokens refilled since the denial', async () => {
  const limiter = startLimiter({ maxAgeMs: 60_000 });
  const { subject } = await denied(limiter, [bucket()]);
  clock.now += 2000;
  expect(await limiter.charge({ subject, limits: [bucket({ cost: 3 })] })).toMatchObject({ retryAfterMs: 1000 });
  expect(limiter.denies({ subject, limits: [bucket({ cost: 3 })] })).toBe(true);
  expect(limiter.denies({ subject, limits: [perDay(), bucket({ cost: 2 })] })).toBe(false);
  expect(await limiter.charge({ subject, limits: [bucket({ cost: 2 })] })).toMatchObject({ admitted: true });
  // The limiter has counted the tokens that the caller spent after the denial.
  expect(await limiter.charge({ subject, limits: [bucket({ cost: 3 })] })).toMatchObject({ retryAfterMs: 3000 });
});

test('one of many charges for a single refilled token calls Redis, and the others use its result', async () => {
  const limiter = startLimiter({ maxAgeMs: 60_000 });
  const exact = startLimiter(false);
  const limits = [bucket({ cost: 1 }), perDay({ scope: 'IP', amount: 1000 })];
  const { subject } = await denied(limiter, [bucket(), perDay({ scope: 'IP', amount: 1000 })]);
  for (let i = 0; i < 2; i++) await limiter.charge({ subject, limits });
  for (let token = 0; token < 3; token++) {
    clock.now += 1000;
    const { answered } = limiter.rememberedDenials;
    const decisions = await Promise.all(Array.from({ length: 50 }, () => limiter.charge({ subject, limits })));
    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(1);
    // The other charges get the decision that Redis makes for a charge after the admitted one. A
    // charge that arrives after the reply gets the same decision.
    const inRedis = await exact.charge({ subject, limits });
    for (const decision of [...decisions.slice(1), await limiter.charge({ subject, limits })])
      expect(decision).toEqual(inRedis);
    expect(limiter.rememberedDenials.answered - answered).toBe(50);
  }
});

test('a charge in flight that a shared limit later denies causes no denials from memory', async () => {
  const limiter = startLimiter({ maxAgeMs: 60_000 });
  const tenant = uniqueName('tenant');
  const costing = (cost: number) => [bucket({ cost }), perDay({ scope: 'TENANT', amount: 30, cost })];
  const { subject } = await denied(limiter, costing(10), { ...someone(), tenant });
  expect(await limiter.charge({ subject: { ...someone(), tenant }, limits: costing(9) })).toMatchObject({
    admitted: true,
  });
  const other = perDay({ scope: 'TENANT', amount: 30, cost: 8 });
  expect(await limiter.charge({ subject: { ...someone(), tenant }, limits: [other] })).toMatchObject({
    admitted: true,
  });
  clock.now += 5000;
  // The tenant has three tokens left for the day. The first charge is denied and takes none of the
  // five tokens in the bucket.
  const [first, second, asFirst] = await Promise.all(
    [5, 2, 5].map((cost) => limiter.charge({ subject, limits: costing(cost) })),
  );
  expect(first).toMatchObject({ admitted: false, deniedBy: 'day' });
  expect(second).toMatchObject({ admitted: true });
  expect(asFirst).toMatchObject({ admitted: false });
});

test('tokens that memory reserved for a charge are free again after Redis denied it, even if the clock steps back', async () => {
  const limiter = startLimiter({ maxAgeMs: 60_000 });
  const tenant = uniqueName('tenant');
  const costing = (cost: number) => [bucket({ cost }), perDay({ scope: 'TENANT', amount: 30, cost })];
  const { subject } = await denied(limiter, costing(10), { ...someone(), tenant });
  clock.now += 5003;
  const filling = { subject: { ...someone(), tenant }, limits: [perDay({ scope: 'TENANT', amount: 30, cost: 20 })] };
  const filled = await limiter.charge(filling);
  clock.now -= 3;
  expect(await limiter.charge({ subject, limits: costing(5) })).toMatchObject({ admitted: false, deniedBy: 'day' });
  await limiter.settle((filled as { receipt: Receipt }).receipt, { day: 0 });
  expect(await limiter.charge({ subject, limits: costing(5) })).toMatchObject({ admitted: true });
});

test('a full limit of an address admits again after a refund to another caller of that address', async () => {
  const limiter = startLimiter({ maxAgeMs: 60_000 });
  const [ip, ofAddress] = [uniqueName('ip'), perDay({ scope: 'IP', amount: 3 })];
  const other = await limiter.charge({ subject: { ...someone(), ip }, limits: [ofAddress] });
  const { subject } = await denied(limiter, [bucket(), ofAddress], { ...someone(), ip });
  const limits = [bucket({ cost: 1 }), ofAddress];
  clock.now += 2000;
  expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true });
  // The bucket holds enough for one more charge, but the limit of the address is now full.
  await limiter.settle((other as { receipt: Receipt }).receipt, { day: 0 });
  expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true });
});

test('a refund is available immediately after a refilled token was spent', async () => {
  const limiter = startLimiter({ maxAgeMs: 60_000 });
  const { subject } = await denied(limiter, [bucket()]);
  const limits = [bucket({ cost: 1 })];
  for (let i = 0; i < 2; i++) await limiter.charge({ subject, limits });
  clock.now += 1000;
  const admitted = await limiter.charge({ subject, limits });
  expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: false });
  await limiter.settle((admitted as { receipt: Receipt }).receipt, { bucket: 0 });
  expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true });
});

test('a charge of cost 0 is never denied from memory', async () => {
  const limiter = startLimiter();
  const { subject } = await denied(limiter, [bucket()]);
  expect(await limiter.charge({ subject, limits: [bucket({ cost: 0 })] })).toMatchObject({ admitted: true });
});

test('a refund through this instance is available immediately', async () => {
  const limiter = startLimiter({ maxAgeMs: 60_000 });
  const { subject, limits, receipt } = await denied(limiter, [perDay()]);
  await limiter.settle(receipt, { day: 0 });
  expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true });
});

test('a refund by another instance is available once the remembered denial has expired', async () => {
  const [here, there] = [startLimiter({ maxAgeMs: 400 }), startLimiter()];
  const subject = someone();
  const limits = [perDay()];
  const admitted = await there.charge({ subject, limits });
  await here.charge({ subject, limits });
  await here.charge({ subject, limits });
  await there.settle((admitted as { receipt: Receipt }).receipt, { day: 0 });
  expect(await here.charge({ subject, limits })).toMatchObject({ admitted: false });
  clock.now += 401;
  expect(await here.charge({ subject, limits })).toMatchObject({ admitted: true });
});

test('after a reset, charges are admitted immediately, even if the reset named the limits with other costs', async () => {
  const limiter = startLimiter({ maxAgeMs: 60_000 });
  const { subject, limits } = await denied(limiter, [perDay()]);
  await limiter.reset({ subject, limits: [perDay({ cost: 0 })] });
  expect(await limiter.charge({ subject, limits })).toMatchObject({ admitted: true });
});

test('a charge to an edited limit calls Redis instead of using a remembered denial', async () => {
  const limiter = startLimiter({ maxAgeMs: 60_000 });
  const { subject } = await denied(limiter, [perDay()]);
  expect(await limiter.charge({ subject, limits: [perDay({ amount: 2 })] })).toMatchObject({ admitted: true });
});

test('a remembered denial of one caller denies no other caller', async () => {
  const limiter = startLimiter();
  const { limits, subject } = await denied(limiter, [perDay()]);
  const others = [someone(), { ...someone(), ip: subject.ip }, { apiKey: subject.user }, { user: subject.apiKey }];
  for (const other of others) {
    expect(await limiter.charge({ subject: other, limits })).toMatchObject({ admitted: true });
  }
});

test('memory never decides for a limit that counts denied operations', async () => {
  const limiter = startLimiter();
  const subject = someone();
  const limits = [perDay({ countDenied: true })];
  for (let i = 1; i < 10; i++) await limiter.charge({ subject, limits });
  expect(await limiter.peek({ subject, limits })).toMatchObject([{ used: 9 }]);
  expect(limiter.rememberedDenials.answered).toBe(0);
});

test('memory never repeats a denial by a concurrency limit, a log or a sliding window', async () => {
  const limiter = startLimiter();
  const kinds: Partial<LimitCharge>[] = [
    { algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 60_000 },
    { algorithm: 'SLIDING_WINDOW_LOG' },
    { algorithm: 'SLIDING_WINDOW_COUNTER' },
  ];
  for (const kind of kinds) {
    const subject = someone();
    for (let i = 0; i < 4; i++) await limiter.charge({ subject, limits: [perDay(kind)] });
  }
  expect(limiter.rememberedDenials).toMatchObject({ answered: 0, kept: 0 });
});

test('memory also denies operations whose cost exceeds the capacity, but no operation that fits', async () => {
  const limiter = startLimiter();
  const subject = someone();
  const limits = [bucket({ cost: 11 })];
  for (let i = 0; i < 5; i++) {
    expect(await limiter.charge({ subject, limits })).toMatchObject({ code: 'COST_EXCEEDS_CAPACITY' });
  }
  expect(limiter.rememberedDenials.answered).toBe(3);
  expect(await limiter.charge({ subject, limits: [bucket()] })).toMatchObject({ admitted: true });
});

test('remembered denials are bounded in bytes, and the latest denials are kept', async () => {
  const limiter = startLimiter({ maxBytes: 20_000 });
  for (let i = 0; i < 60; i++) await denied(limiter, [perDay()]);
  const { kept, bytes } = limiter.rememberedDenials;
  expect(bytes).toBeLessThanOrEqual(20_000);
  expect(kept).toBeGreaterThan(10);
  expect(kept).toBeLessThan(30);
});

const amounts = fc.integer({ min: 1, max: 8 });
const scopes = fc.constantFrom('USER' as const, 'USER' as const, 'IP' as const, 'TENANT' as const, 'GLOBAL' as const);
const rule = fc.record(
  {
    scope: scopes,
    mode: fc.constantFrom('ENFORCE', 'ENFORCE', 'ENFORCE', 'SHADOW'),
    countDenied: fc.constantFrom(false, false, false, true),
    parameters: fc.oneof(
      fc.record({
        algorithm: fc.constantFrom('TOKEN_BUCKET', 'LEAKY_BUCKET'),
        capacity: amounts,
        refillAmount: fc.integer({ min: 1, max: 3 }),
        refillPeriodMs: fc.constantFrom(7, 1000, 7777),
        maxDelayMs: fc.constantFrom(0, 0, 500),
      }),
      fc.record({
        algorithm: fc.constantFrom('FIXED_WINDOW', 'FIXED_WINDOW', 'SLIDING_WINDOW_COUNTER', 'SLIDING_WINDOW_LOG'),
        amount: amounts,
        windowMs: fc.constantFrom(100, 3333, 60_000),
      }),
      fc
        .record({
          amount: amounts,
          anchorTime: fc.constantFrom('00:13', '00:14'),
          carryOver: fc.option(fc.record({ percent: fc.integer({ min: 1, max: 100 }), max: amounts })),
        })
        .map(({ carryOver, ...others }) => ({
          algorithm: 'CALENDAR_WINDOW' as const,
          every: 'HOUR' as const,
          ...others,
          ...(carryOver !== null && { carryOver }),
        })),
    ),
  },
  { requiredKeys: ['scope', 'parameters'] },
);
const uses = fc.array(fc.record({ rule: fc.nat(3), cost: fc.nat(9) }), { minLength: 1, maxLength: 4 });
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('charge' as const), who: fc.nat(1), what: fc.nat(2), again: fc.nat(4) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), receipt: fc.nat(9), actual: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), who: fc.nat(1), what: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('clock' as const), byMs: fc.constantFrom(1, 7, 90, 800) }) },
);
const history = fc.record({
  isAlone: fc.boolean(),
  rules: fc.array(rule, { minLength: 4, maxLength: 4 }),
  operations: fc.array(uses, { minLength: 3, maxLength: 3 }),
  steps: fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
});

/**
 * Returns the members of a decision that must be equal with and without the memory of denials.
 *
 * If no other caller shares a counter (`isAlone`), these are all members except the states of
 * sliding counters that do not deny. Otherwise, the states of an admission and the details of a
 * denial may differ. Other callers may have charged a shared limit that did not deny. Their charges
 * become visible only with the next call to Redis. With them, the shared limit may deny too, or may
 * lengthen the wait.
 */
function promised(decision: Decision, { limits, isAlone }: { limits: readonly LimitCharge[]; isAlone: boolean }) {
  const { admitted, degraded } = decision;
  const slides = new Set(limits.filter(({ algorithm }) => algorithm.startsWith('SLIDING')).map(({ id }) => id));
  const states = decision.limits.filter(({ id, violated }) => violated || !slides.has(id));
  if (!decision.admitted && !isAlone) return { admitted, degraded, code: decision.code };
  if (decision.admitted) return { admitted, degraded, delayMs: decision.delayMs, states: isAlone ? states : [] };
  const { code, retryAfterMs, deniedBy, maxAdmissibleCost } = decision;
  return { admitted, degraded, states, code, retryAfterMs, deniedBy, maxAdmissibleCost };
}

test(
  'in random histories, one instance makes the same decisions with and without denial memory',
  async () => {
    const remembering = createProtectionLimiter({
      redis: client,
      now: () => clock.now,
      denialMemory: { maxAgeMs: 60_000 },
      observer,
      ...PATIENT,
    });
    const asking = createProtectionLimiter({ redis: client, now: () => clock.now, observer, ...PATIENT });
    await fc.assert(
      fc.asyncProperty(history, async ({ isAlone, rules, operations, steps }) => {
        const name = uniqueName('d');
        const requestOf = (side: string, who: number, what: number) => ({
          subject: { user: `${name}${side}${who}`, tenant: `${name}${side}`, ip: `${name}${side}` },
          limits: [...new Map(operations[what]!.map((one) => [one.rule, one])).values()].map(
            ({ rule: index, cost }) => {
              const { parameters, ...of } = rules[index]!;
              const own = isAlone && { scope: 'USER' };
              return { ...of, ...parameters, ...own, id: `${name}${side}-${index}`, cost } as LimitCharge;
            },
          ),
        });
        const comparable = (decision: Decision, side: string, limits: readonly LimitCharge[]) =>
          JSON.parse(JSON.stringify(promised(decision, { limits, isAlone })).replaceAll(`${name}${side}`, name));
        const receipts: { a: Receipt; b: Receipt }[] = [];
        for (const current of steps) {
          if (current.kind === 'clock') clock.now += current.byMs;
          else if (current.kind === 'settle') {
            const [chosen] = receipts.splice(current.receipt % (receipts.length || 1), 1);
            if (!chosen) continue;
            const spent = (side: string) =>
              Object.fromEntries(rules.map((_, i) => [`${name}${side}-${i}`, current.actual]));
            void remembering.settle(chosen.a, spent('a'));
            void asking.settle(chosen.b, spent('b'));
            // In a real request, no later charge overtakes the settlements. Therefore the test
            // waits until the settlements are sent, but not for the replies.
            await Promise.all([remembering.settlementsSent(), asking.settlementsSent()]);
          } else if (current.kind === 'reset') {
            await remembering.reset(requestOf('a', current.who, current.what));
            await asking.reset(requestOf('b', current.who, current.what));
          } else {
            for (let i = 0; i <= current.again; i++) {
              const [forA, forB] = [
                requestOf('a', current.who, current.what),
                requestOf('b', current.who, current.what),
              ];
              const [a, b] = await Promise.all([remembering.charge(forA), asking.charge(forB)]);
              expect(comparable(a, 'a', forA.limits)).toEqual(comparable(b, 'b', forB.limits));
              if (a.admitted && b.admitted) receipts.push({ a: a.receipt, b: b.receipt });
            }
          }
        }
      }),
      { numRuns: RUNS },
    );
    await Promise.all([remembering.settlementsSent(), asking.settlementsSent()]);
    expect(remembering.rememberedDenials.answered).toBeGreaterThan(50);
  },
  375 * RUNS + 60_000,
);
