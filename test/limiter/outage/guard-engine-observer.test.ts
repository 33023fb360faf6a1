import { afterEach, expect, test } from 'vitest';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import { freePort } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';

const warnings: string[] = [];
const listen = (warning: Error) => {
  // Limiters of other tests in this process may emit other warnings.
  if (warning.name === 'TollgateWarning' && warning.message.startsWith('observer.')) warnings.push(warning.message);
};
process.on('warning', listen);
afterEach(() => process.off('warning', listen));

test('an observer that throws or rejects does not change decisions, and causes one warning for each method', async () => {
  const notified: string[] = [];
  const limiter = createLimiter({
    redis: `redis://127.0.0.1:${await freePort()}`,
    observer: {
      failed() {
        notified.push('failed');
        throw new Error('no such metric');
      },
      async changed({ state }) {
        notified.push(state);
        throw new Error('no such gauge');
      },
    },
  });
  const limit = { id: 'a', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 2, windowMs: 60_000, cost: 1 } as const;
  const charge = () => limiter.charge({ subject: { user: 'ann' }, limits: [limit] });
  const decisions = [await charge(), await charge(), await charge()];
  expect(decisions.map(({ admitted, degraded }) => [admitted, degraded])).toEqual([
    [true, true],
    [true, true],
    [false, true],
  ]);
  expect(notified).toEqual(expect.arrayContaining(['failed', 'OPEN']));
  await until('there is a warning for both methods', () => warnings.length === 2);
  expect(warnings.sort()).toEqual([
    'observer.changed of createLimiter failed: decisions continue without it: Error: no such gauge',
    'observer.failed of createLimiter failed: decisions continue without it: Error: no such metric',
  ]);
  await limiter.close();
});
