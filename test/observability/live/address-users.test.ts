import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createAddressUsers, sumOfAddressUsers } from '../../../src/observability/live/address-users.js';
import { showSharedAddresses } from '../../../src/observability/metrics/show-shared-addresses.js';
import { DECISION } from './decision.js';

const HALF_HOUR_MS = 1_800_000;

function start() {
  const clock = { ms: 0 };
  const counter = createAddressUsers({ now: () => clock.ms });
  const see = (ip: string | undefined, user: string | undefined, tenant?: string) =>
    counter.onDecision({
      ...DECISION,
      subject: { ...(user && { user }), ...(ip && { ip }), ...(tenant && { tenant }) },
    });
  const usersOf = (ip: string) => sumOfAddressUsers([counter.read()]).find((one) => one.ip === ip);
  return { clock, counter, see, usersOf };
}

describe('the users of an address', () => {
  it('are counted exactly below 64, however often they send operations', () => {
    const { see, usersOf, counter } = start();
    for (let round = 0; round < 5; round++) for (let user = 0; user < 63; user++) see('192.0.2.1', `user ${user}`);
    see('192.0.2.2', 'user 1');
    expect(usersOf('192.0.2.1')).toEqual({ ip: '192.0.2.1', users: 63, isEstimate: false });
    expect(usersOf('192.0.2.2')).toMatchObject({ users: 1 });
    expect(counter.mostUsers).toBe(63);
  });

  it('are estimated from 64 on, within half of their number', () => {
    for (const count of [64, 200, 5000]) {
      const { see, usersOf } = start();
      for (let user = 0; user < count; user++) see('192.0.2.1', `user ${user}`);
      const { users, isEstimate } = usersOf('192.0.2.1')!;
      expect(isEstimate).toBe(true);
      expect(users / count).toBeGreaterThan(0.5);
      expect(users / count).toBeLessThan(1.5);
    }
  });

  it('users with the same name in two tenants are two users, and callers without a user or an address do not count', () => {
    const { see, usersOf, counter } = start();
    see('192.0.2.1', 'ann');
    see('192.0.2.1', 'ann', 'acme');
    see('192.0.2.1', undefined);
    see(undefined, 'ben');
    expect(usersOf('192.0.2.1')).toMatchObject({ users: 2 });
    expect(counter.read().addresses).toHaveLength(1);
  });

  it('a user that two processes have seen counts once', () => {
    const [one, other] = [start(), start()];
    for (let user = 0; user < 40; user++) one.see('192.0.2.1', `user ${user}`);
    for (let user = 20; user < 50; user++) other.see('192.0.2.1', `user ${user}`);
    expect(sumOfAddressUsers([one.counter.read(), other.counter.read()])).toEqual([
      { ip: '192.0.2.1', users: 50, isEstimate: false },
    ]);
    for (let user = 0; user < 3000; user++) (user % 2 ? one : other).see('192.0.2.1', `more ${user}`);
    const { users } = sumOfAddressUsers([one.counter.read(), other.counter.read()])[0]!;
    expect(users).toBeGreaterThan(1500);
    expect(users).toBeLessThan(4500);
  });

  it('the present and the previous half hour count, and earlier ones do not', () => {
    const { clock, see, usersOf, counter } = start();
    see('192.0.2.1', 'ann');
    clock.ms = HALF_HOUR_MS;
    expect(counter.mostUsers).toBe(1);
    see('192.0.2.1', 'ben');
    expect(usersOf('192.0.2.1')).toMatchObject({ users: 2 });
    clock.ms = 2 * HALF_HOUR_MS;
    expect(usersOf('192.0.2.1')).toMatchObject({ users: 1 });
    clock.ms = 5 * HALF_HOUR_MS;
    expect(counter.mostUsers).toBe(0);
  });

  it('the largest number of users equals that of the report, with addresses in one or both half hours', () => {
    let state = 7;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    for (let round = 0; round < 60; round++) {
      const { clock, see, counter } = start();
      const addresses = 1 + random(5);
      const users = 1 + random(90);
      for (const ms of [0, HALF_HOUR_MS]) {
        clock.ms = ms;
        counter.read();
        const sent = random(400);
        for (let one = 0; one < sent; one++) see(`192.0.2.${random(addresses)}`, `user ${random(users)}`);
      }
      expect(counter.mostUsers).toBe(sumOfAddressUsers([counter.read()])[0]?.users ?? 0);
    }
  });

  it('an address with many users is remembered while a flood of other addresses is forgotten', () => {
    const { see, usersOf, counter } = start();
    for (let user = 0; user < 30; user++) see('192.0.2.1', `user ${user}`);
    for (let index = 0; index < 20_000; index++) see(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, 'flood');
    expect(usersOf('192.0.2.1')).toMatchObject({ users: 30 });
    expect(counter.read().addresses).toHaveLength(100);
  });

  it('a report contains no name of a user', () => {
    const { see, counter } = start();
    see('192.0.2.1', 'anna.secret@example.org', 'acme');
    expect(JSON.stringify(counter.read())).not.toMatch(/anna|acme/);
  });
});

it('the metric shows the number of users of the address with the most users, without the address', async () => {
  const registry = new Registry();
  const { see, counter } = start();
  showSharedAddresses(registry, counter);
  for (const user of ['ann', 'ben', 'cleo']) see('192.0.2.1', user);
  see('192.0.2.2', 'ann');
  const text = await registry.metrics();
  expect(text).toMatch(/^tollgate_most_users_per_address 3$/m);
  expect(text).not.toContain('192.0.2.1');
});
