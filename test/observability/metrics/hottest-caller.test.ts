import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createHotCallers } from '../../../src/observability/live/hot-callers.js';
import { showHottestCaller } from '../../../src/observability/metrics/show-hottest-caller.js';
import { DECISION } from '../live/decision.js';

function start() {
  const registry = new Registry();
  const clock = { ms: 0 };
  const hotCallers = createHotCallers({ now: () => clock.ms });
  const { onDecision } = hotCallers;
  showHottestCaller(registry, hotCallers);
  const by = (user: string, times = 1) => {
    for (let index = 0; index < times; index++) onDecision({ ...DECISION, subject: { user } });
  };
  const shown = async () =>
    Number(/^tollgate_hottest_caller_decisions_per_second (\S+)$/m.exec(await registry.metrics())?.[1]);
  return { clock, by, onDecision, shown };
}

it('the metric of the busiest caller shows their decisions per second, however many other callers there are', async () => {
  const { clock, by, shown } = start();
  for (let index = 0; index < 5000; index++) {
    by(`once ${index}`);
    if (index % 2 === 0) by('busy');
  }
  expect(await shown()).toBe(0);
  clock.ms = 10_000;
  const rate = await shown();
  expect(rate).toBeLessThanOrEqual(250);
  expect(rate).toBeGreaterThan(200);
});

it('the metric of the busiest caller returns to 0 after the caller sends no more operations', async () => {
  const { clock, by, shown } = start();
  by('busy', 1000);
  clock.ms = 10_000;
  expect(await shown()).toBe(100);
  clock.ms = 25_000;
  expect(await shown()).toBe(0);
});

it('users with the same name in two tenants are two callers, and a key and a user with the same name are two callers', async () => {
  const { clock, onDecision, shown } = start();
  for (const subject of [{ user: 'a' }, { user: 'a', tenant: 't' }, { apiKey: 'a' }, { ip: 'a' }])
    for (let index = 0; index < 10; index++) onDecision({ ...DECISION, subject });
  clock.ms = 10_000;
  expect(await shown()).toBe(1);
});
