import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestName } from '../../../src/options/nearest-name.js';

const OPTIONS = ['redis', 'postgres', 'mode', 'rules', 'tiers', 'deadlineMs', 'documentLimits', 'onDecision'];

test.each([
  ['redisUrl', 'redis'],
  ['REDIS', 'redis'],
  ['postgresql', 'postgres'],
  ['rule', 'rules'],
  ['tires', 'tiers'],
  ['deadline', 'deadlineMs'],
  ['dead_line_ms', 'deadlineMs'],
  ['DocumentLimit', 'documentLimits'],
  ['onDecison', 'onDecision'],
])('%s was meant for %s', (written, meant) => {
  expect(nearestName(written, OPTIONS)).toBe(meant);
});

test.each(['colour', 'x', '', '__proto__', 'constructor'])('nothing is near to %j', (written) => {
  expect(nearestName(written, OPTIONS)).toBeUndefined();
});

test('the name itself is the nearest one, however it is written, and a name of any length is compared soon', () => {
  fc.assert(
    fc.property(fc.constantFrom(...OPTIONS), (name) => {
      expect(nearestName(name.toUpperCase(), OPTIONS)).toBe(name);
    }),
  );
  expect(nearestName('x'.repeat(1e7), OPTIONS)).toBeUndefined();
});
