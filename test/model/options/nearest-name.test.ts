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
])('the name %s is corrected to %s', (written, meant) => {
  expect(nearestName(written, OPTIONS)).toBe(meant);
});

test('an incomplete name is corrected to the first name that begins with it', () => {
  const algorithms = ['TOKEN_BUCKET', 'SLIDING_WINDOW_COUNTER', 'SLIDING_WINDOW_LOG'];
  expect(nearestName('SLIDING_WINDOW', algorithms)).toBe('SLIDING_WINDOW_COUNTER');
});

test.each(['colour', 'x', '', '__proto__', 'constructor'])('nearestName returns undefined for %j', (written) => {
  expect(nearestName(written, OPTIONS)).toBeUndefined();
});

test('the nearest name to an option in capital letters is the option itself, and a very long name has no nearest name', () => {
  fc.assert(
    fc.property(fc.constantFrom(...OPTIONS), (name) => {
      expect(nearestName(name.toUpperCase(), OPTIONS)).toBe(name);
    }),
  );
  expect(nearestName('x'.repeat(1e7), OPTIONS)).toBeUndefined();
});
