import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Subject } from '../../../src/model/subject.js';
import { createHotCallers, MAX_HOT_CALLERS, sumOfHotCallers } from '../../../src/observability/live/hot-callers.js';
import { boundedCallerKey } from '../../../src/observability/live/named-caller.js';
import { DECISION } from './decision.js';

function start() {
  const clock = { ms: 0 };
  const hotCallers = createHotCallers({ now: () => clock.ms });
  const decide = (subject: Subject, times = 1) => {
    for (let i = 0; i < times; i++) hotCallers.onDecision({ ...DECISION, subject });
  };
  return { clock, hotCallers, decide };
}

it('hot callers are listed from the first second on, with their decisions in the previous and the current period', () => {
  const { clock, hotCallers, decide } = start();
  clock.ms = 100;
  decide({ user: 'ann', tenant: 'acme', apiKey: 'k' }, 30);
  // The period is at least one second, so that no rate is computed from a tenth of a second.
  expect(hotCallers.read()).toEqual({ periodMs: 1000, callers: [{ user: 'ann', tenant: 'acme', decisions: 30 }] });
  clock.ms = 10_000;
  decide({ ip: '192.0.2.1' }, 10);
  clock.ms = 15_000;
  expect(hotCallers.read()).toEqual({
    periodMs: 15_000,
    callers: [
      { user: 'ann', tenant: 'acme', decisions: 30 },
      { ip: '192.0.2.1', decisions: 10 },
    ],
  });
  clock.ms = 40_000;
  decide({ user: 'bob' });
  expect(hotCallers.read()).toEqual({ periodMs: 25_000, callers: [{ user: 'bob', decisions: 1 }] });
  clock.ms = 51_000;
  expect(hotCallers.read().callers).toEqual([]);
});

it('a caller with a twentieth of the decisions is found among many callers that send one request each', () => {
  const { clock, hotCallers, decide } = start();
  for (let i = 0; i < 40_000; i++) decide(i % 20 === 0 ? { user: 'hot' } : { ip: `address ${i}` });
  clock.ms = 10_000;
  const [first] = sumOfHotCallers([hotCallers.read()]);
  expect(first).toMatchObject({ user: 'hot' });
  expect(first!.decisionsPerSecond).toBeLessThanOrEqual(200);
  expect(first!.decisionsPerSecond).toBeGreaterThan(150);
});

it('the memory and the list of hot callers are bounded, however long the names are', () => {
  const { hotCallers, decide } = start();
  const long = (i: number) => `${'x'.repeat(100_000)}${i}`;
  for (let i = 0; i < 200; i++) decide({ user: long(i % 50), tenant: long(0) }, 2);
  const { callers } = hotCallers.read();
  expect(callers.length).toBeLessThanOrEqual(MAX_HOT_CALLERS);
  // Two long names that differ only at the end are still separate callers.
  expect(new Set(callers.map(({ user }) => user)).size).toBe(callers.length);
  expect(JSON.stringify(callers).length).toBeLessThan(MAX_HOT_CALLERS * 600);
});

it('two different callers never share a key, whatever their names are', () => {
  const name = fc.string({ unit: fc.constantFrom('a', '1', '2', ' ', '-', '\n', 'u', 'k', 'i'), maxLength: 5 });
  const subject = fc.record({ tenant: name, user: name, apiKey: name, ip: name }, { requiredKeys: ['ip'] });
  const identityOf = ({ tenant, user, apiKey, ip }: Partial<Subject>) =>
    JSON.stringify([
      tenant ?? null,
      user !== undefined ? ['u', user] : apiKey !== undefined ? ['k', apiKey] : ['i', ip],
    ]);
  fc.assert(
    fc.property(subject, subject, (a, b) => {
      expect(boundedCallerKey(a) === boundedCallerKey(b)).toBe(identityOf(a) === identityOf(b));
    }),
    { numRuns: 5000 },
  );
});

it('the rates of one caller in several processes are added up, each computed over its own period', () => {
  const ann = { user: 'ann', decisions: 100 };
  expect(
    sumOfHotCallers([
      { periodMs: 10_000, callers: [ann] },
      { periodMs: 20_000, callers: [{ user: 'bob', decisions: 400 }, ann] },
    ]),
  ).toEqual([
    { user: 'bob', decisionsPerSecond: 20 },
    { user: 'ann', decisionsPerSecond: 15 },
  ]);
});
