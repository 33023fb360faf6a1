import { expect, it } from 'vitest';
import { createTrafficCounter } from '../../../src/observability/live/create-traffic-counter.js';
import { DECISION } from './decision.js';

function start() {
  const clock = { ms: 0 };
  return { clock, counter: createTrafficCounter({ now: () => clock.ms }) };
}

const by = (user: string) => ({ ...DECISION, subject: { user } });

it('the traffic counter counts only while it is watched, and its totals never restart', () => {
  const { counter } = start();
  const decide = () => {
    counter.onDecision(DECISION);
    counter.onDecision({ ...DECISION, denial: 'THROTTLED', degraded: true });
    counter.onSettled(DECISION, 5);
  };
  decide();
  counter.start();
  expect(counter.read()).toMatchObject({ totals: { admitted: 0, cost: 0 }, subjects: [] });
  decide();
  counter.stop();
  decide();
  counter.start();
  decide();
  expect(counter.read()).toMatchObject({
    totals: { admitted: 2, throttled: 2, degraded: 2, cost: 10 },
    subjects: [{ user: 'ann', decisions: 2, denied: 1, cost: 5 }],
  });
});

it('the traffic counter lists the callers of the last ten seconds with all their decisions in that time', () => {
  const { clock, counter } = start();
  counter.start();
  for (let i = 0; i < 19; i++) counter.onDecision(by('ann'));
  clock.ms = 5000;
  for (let i = 0; i < 6; i++) counter.onDecision(by('bob'));
  clock.ms = 9500;
  expect(counter.read().subjects).toMatchObject([
    { user: 'ann', decisions: 19 },
    { user: 'bob', decisions: 6 },
  ]);
  clock.ms = 11_000;
  expect(counter.read().subjects).toMatchObject([{ user: 'bob', decisions: 6 }]);
  clock.ms = 15_000;
  expect(counter.read().subjects).toEqual([]);
});

it('the traffic counter keeps a thousand callers separate and includes the others in its totals', () => {
  const { counter } = start();
  counter.start();
  for (let i = 0; i < 1000; i++) counter.onDecision(by(`user ${i}`));
  for (let i = 0; i < 5; i++) counter.onDecision(by('late'));
  const { totals, subjects } = counter.read();
  expect(totals.admitted).toBe(1005);
  expect(subjects).toHaveLength(50);
  expect(subjects.some(({ user }) => user === 'late')).toBe(false);
});
