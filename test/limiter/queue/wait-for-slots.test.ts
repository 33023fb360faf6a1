import { describe, expect, onTestFinished, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Admission, Decision } from '../../../src/limiter/charge/decision.js';
import type { ProtectedCharge, ProtectionLimiter } from '../../../src/limiter/create-limiter.js';
import { uniqueName } from '../../helpers/servers.js';
import { ENGINES, someone } from '../engines.js';

const HOUR_MS = 3_600_000;

function slots(options: Partial<LimitCharge> = {}): LimitCharge {
  const limit = { id: uniqueName('slots'), scope: 'GLOBAL', algorithm: 'CONCURRENCY', capacity: 1 } as const;
  return { ...limit, leaseMs: HOUR_MS, maxWaitMs: 60_000, maxQueue: 1000, cost: 1, ...options };
}

interface Waiting {
  decision: Promise<Decision>;
  leave(): void;
}

function start(engine: (typeof ENGINES)[number]) {
  const { limiter, clock } = engine.start();
  onTestFinished(() => limiter.close());
  const end = ({ receipt }: Admission, limits: readonly LimitCharge[]) =>
    limiter.settle(receipt, Object.fromEntries(limits.map(({ id }) => [id, 0])));
  const ask = (limits: readonly LimitCharge[], user: string, more: Partial<ProtectedCharge> = {}): Waiting => {
    const left = new AbortController();
    const decision = limiter.charge({ subject: { user }, limits, signal: left.signal, ...more });
    decision.catch(() => {});
    return { decision, leave: () => left.abort(new Error('left')) };
  };
  return { limiter, clock, end, ask, waiting: () => limiter.waits().waiting, holding: heldBy(limiter) };
}

/** Returns a function that charges and expects an admission. */
function heldBy(limiter: ProtectionLimiter) {
  return async (limits: readonly LimitCharge[], user = uniqueName('holder')): Promise<Admission> =>
    admitted(await limiter.charge({ subject: { user }, limits, wait: false }));
}

function admitted(decision: Decision): Admission {
  if (!decision.admitted) throw new Error(`denied by ${decision.deniedBy}`);
  return decision;
}

describe.each(ENGINES)('with the $name engine', (engine) => {
  test('an operation waits until a slot is free, and its decision reports the wait', async () => {
    const { ask, end, waiting, holding, limiter } = start(engine);
    const limits = [slots()];
    const first = await holding(limits);
    const second = ask(limits, 'b');
    await expect.poll(waiting).toBe(1);
    await end(first, limits);
    const decision = admitted(await second.decision);
    expect(decision.waitedMs).toBeGreaterThanOrEqual(0);
    expect(limiter.waits()).toMatchObject({ waiting: 0, ended: { admitted: 1 } });
    await end(decision, limits);
  });

  test('1,000 operations of 50 callers wait for one slot: all run one at a time, and the callers take turns', async () => {
    const { ask, end, waiting, holding } = start(engine);
    const limits = [slots()];
    const first = await holding(limits);
    // The first caller sends 510 operations before the other 49 send ten each.
    const callers = [...Array(510).fill('greedy'), ...Array.from({ length: 490 }, (_, i) => `caller ${i % 49}`)];
    const order: string[] = [];
    let running = 0;
    const all = callers.map(async (user: string) => {
      const decision = admitted(await ask(limits, user).decision);
      expect(++running).toBe(1);
      order.push(user);
      running--;
      await end(decision, limits);
    });
    await expect.poll(waiting).toBe(1000);
    await end(first, limits);
    await Promise.all(all);
    expect(order).toHaveLength(1000);
    expect(waiting()).toBe(0);
    // In each of the first ten rounds, every caller had one turn.
    for (let round = 0; round < 10; round++) {
      expect(new Set(order.slice(round * 50, (round + 1) * 50)).size).toBe(50);
    }
  });

  test('an operation that leaves frees its place, charges nothing, and the next one is admitted', async () => {
    const { ask, end, waiting, holding, limiter } = start(engine);
    const limits = [slots()];
    const first = await holding(limits);
    const left = Array.from({ length: 20 }, (_, i) => ask(limits, `left ${i}`));
    const stays = ask(limits, 'stays');
    await expect.poll(waiting).toBe(21);
    for (const one of left) one.leave();
    for (const one of left) await expect(one.decision).rejects.toThrow('left');
    expect(waiting()).toBe(1);
    await end(first, limits);
    const decision = admitted(await stays.decision);
    await end(decision, limits);
    expect(limiter.waits().ended).toMatchObject({ left: 20, admitted: 1 });
    const [state] = await limiter.peek({ subject: { user: 'x' }, limits });
    expect(state).toMatchObject({ used: 0 });
  });

  test('an expired wait is a denial with a retry time, and charges nothing', async () => {
    const { ask, holding, limiter } = start(engine);
    const limits = [slots({ maxWaitMs: 20 })];
    await holding(limits);
    const decision = await ask(limits, 'b').decision;
    expect(decision).toMatchObject({ admitted: false, code: 'THROTTLED', deniedBy: limits[0]!.id });
    expect(decision).toMatchObject({ retryAfterMs: HOUR_MS, waitedMs: expect.any(Number) });
    expect(limiter.waits()).toMatchObject({ waiting: 0, ended: { expired: 1 } });
  });

  test('a full queue denies at once, but a caller with fewer operations takes the place of another', async () => {
    const { ask, waiting, holding, limiter } = start(engine);
    const limits = [slots({ maxQueue: 3 })];
    await holding(limits);
    const greedy = Array.from({ length: 4 }, () => ask(limits, 'greedy'));
    expect(await greedy[3]!.decision).toMatchObject({ admitted: false, code: 'THROTTLED' });
    ask(limits, 'modest');
    expect(await greedy[2]!.decision).toMatchObject({ admitted: false, deniedBy: limits[0]!.id });
    expect(waiting()).toBe(3);
    expect(limiter.waits().ended).toMatchObject({ full: 2 });
  });

  test('equal ids of two tenants, and tenants without users, are different callers', async () => {
    const { ask, waiting, holding } = start(engine);
    const limits = [slots({ maxQueue: 2 })];
    await holding(limits);
    for (const caller of [{}, { user: 'ann' }]) {
      const many = [0, 1].map(() => ask(limits, '', { subject: { tenant: 'many', ...caller } }));
      await expect.poll(waiting).toBe(2);
      const few = ask(limits, '', { subject: { tenant: 'few', ...caller } });
      expect(await many[1]!.decision).toMatchObject({ admitted: false, code: 'THROTTLED' });
      expect(waiting()).toBe(2);
      for (const one of [many[0]!, few]) one.leave();
      await expect.poll(waiting).toBe(0);
    }
  });

  test('another process can settle a charge that waited, even if one of its limits counts denials', async () => {
    const { limiter, ask, waiting, end, holding } = start(engine);
    const window = { id: uniqueName('window'), scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 9 } as const;
    const slot = slots();
    const first = await holding([slot]);
    const waits = ask([slot, { ...window, windowMs: HOUR_MS, cost: 4, countDenied: true }], someone().user);
    await expect.poll(waiting).toBe(1);
    await end(first, [slot]);
    const exported = limiter.exportCharge(admitted(await waits.decision).receipt);
    if (engine.name === 'memory') expect(exported).toBeUndefined();
    else expect(exported?.c.flatMap(({ l }) => l.map(({ id }) => id))).toEqual([slot.id, window.id]);
  });

  test('waiting charges no other limit, and admission charges all of them', async () => {
    const { ask, end, waiting, holding, limiter } = start(engine);
    const user = someone().user;
    const bucket: LimitCharge = {
      id: uniqueName('bucket'),
      scope: 'USER',
      algorithm: 'TOKEN_BUCKET',
      capacity: 10,
      refillAmount: 1,
      refillPeriodMs: HOUR_MS,
      cost: 4,
    };
    const limits = [slots(), bucket];
    const first = await holding(limits);
    const second = ask(limits, user);
    await expect.poll(waiting).toBe(1);
    const used = async () => (await limiter.peek({ subject: { user }, limits: [bucket] }))[0]!.used;
    expect(await used()).toBe(0);
    await end(first, [limits[0]!]);
    await second.decision;
    expect(await used()).toBe(4);
  });

  test('an operation that another limit denies does not wait', async () => {
    const { ask, holding, limiter } = start(engine);
    const window: LimitCharge = {
      id: uniqueName('window'),
      scope: 'USER',
      algorithm: 'FIXED_WINDOW',
      amount: 1,
      windowMs: HOUR_MS,
      cost: 1,
      countDenied: true,
    };
    const user = someone().user;
    const limits = [slots(), window];
    await holding(limits);
    await holding([window], user);
    expect(await ask(limits, user).decision).toMatchObject({ admitted: false, deniedBy: window.id });
    expect(limiter.waits()).toMatchObject({ waiting: 0 });
    // The denial counts once, although the operation could have waited for a slot.
    expect((await limiter.peek({ subject: { user }, limits: [window] }))[0]).toMatchObject({ used: 2 });
  });

  test('a limit with countDenied counts a wait once, when it ends with a denial', async () => {
    const { ask, end, waiting, holding, limiter } = start(engine);
    const window: LimitCharge = {
      id: uniqueName('window'),
      scope: 'USER',
      algorithm: 'FIXED_WINDOW',
      amount: 100,
      windowMs: HOUR_MS,
      cost: 1,
      countDenied: true,
    };
    const user = someone().user;
    // The wait is long enough to be seen on a busy machine.
    const slot = slots({ maxWaitMs: 2000 });
    const first = await holding([slot]);
    const used = async () => (await limiter.peek({ subject: { user }, limits: [window] }))[0]!.used;
    const waits = ask([slot, window], user);
    await expect.poll(waiting).toBe(1);
    expect(await used()).toBe(0);
    expect(await waits.decision).toMatchObject({ admitted: false });
    expect(await used()).toBe(1);
    await end(first, [slot]);
    admitted(await ask([slot, window], user).decision);
    expect(await used()).toBe(2);
  });

  test('operations that need several slots have their turn, and smaller ones do not overtake them', async () => {
    const { ask, end, waiting, holding } = start(engine);
    const slot = slots({ capacity: 3 });
    const held = [await holding([slot]), await holding([slot]), await holding([slot])];
    const order: string[] = [];
    const large = ask([{ ...slot, cost: 3 }], 'large').decision.then(() => order.push('large'));
    await expect.poll(waiting).toBe(1);
    const small = ask([slot], 'small');
    small.decision.then(
      () => order.push('small'),
      () => {},
    );
    await expect.poll(waiting).toBe(2);
    for (const one of held) await end(one, [slot]);
    await large;
    expect(order).toEqual(['large']);
    small.leave();
  });

  test('an operation that needs slots of two limits waits for both', async () => {
    const { ask, end, waiting, holding } = start(engine);
    const user = someone().user;
    const own = slots({ scope: 'USER' });
    const all = slots();
    const [ofUser, ofAll] = [await holding([own], user), await holding([all])];
    const both = ask([own, all], user);
    await expect.poll(waiting).toBe(1);
    await end(ofUser, [own]);
    expect(waiting()).toBe(1);
    await end(ofAll, [all]);
    admitted(await both.decision);
  });

  test('a shadow limit never makes an operation wait', async () => {
    const { ask, holding, limiter } = start(engine);
    const limits = [slots({ mode: 'SHADOW' })];
    await holding(limits);
    const decision = admitted(await ask(limits, 'b').decision);
    expect(decision.limits[0]).toMatchObject({ wouldDeny: true });
    expect(limiter.waits()).toMatchObject({ waiting: 0, ended: { admitted: 0 } });
  });

  test('waiting operations adopt the limits in force: more slots, no wait, or no limit', async () => {
    const { ask, waiting, holding } = start(engine);
    const slot = slots();
    await holding([slot]);
    let inForce: LimitCharge[] | undefined;
    const currentLimits = () => inForce;
    const more = [ask([slot], 'a', { currentLimits }), ask([slot], 'b', { currentLimits })];
    await expect.poll(waiting).toBe(2);
    inForce = [{ ...slot, capacity: 3 }];
    for (const { decision } of more) admitted(await decision);
    const removed = Array.from({ length: 40 }, (_, i) => ask(inForce!, `c${i}`, { currentLimits }));
    await expect.poll(waiting).toBe(40);
    inForce = [];
    for (const { decision } of removed) admitted(await decision);
    inForce = [slot];
    const denied = ask(inForce, 'd', { currentLimits });
    await expect.poll(waiting).toBe(1);
    const { maxWaitMs: _wait, maxQueue: _queue, ...impatient } = slot;
    inForce = [impatient];
    expect(await denied.decision).toMatchObject({ admitted: false, deniedBy: slot.id });
  });

  test('closing the limiter denies all waiting operations', async () => {
    const { ask, waiting, holding, limiter } = start(engine);
    const limits = [slots()];
    await holding(limits);
    const all = Array.from({ length: 10 }, (_, i) => ask(limits, `u${i}`));
    await expect.poll(waiting).toBe(10);
    await limiter.close();
    for (const { decision } of all) expect(await decision).toMatchObject({ admitted: false, code: 'THROTTLED' });
    expect(limiter.waits()).toMatchObject({ waiting: 0, ended: { closed: 10 } });
  });
});
