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
])('%s is corrected to %s', (written, meant) => {
  expect(nearestName(written, OPTIONS)).toBe(meant);
});

test('a name without its last words is corrected to the first name that it begins', () => {
  const algorithms = ['TOKEN_BUCKET', 'SLIDING_WINDOW_COUNTER', 'SLIDING_WINDOW_LOG'];
  expect(nearestName('SLIDING_WINDOW', algorithms)).toBe('SLIDING_WINDOW_COUNTER');
});

test.each(['colour', 'x', '', '__proto__', 'constructor'])('no name is near to %j', (written) => {
  expect(nearestName(written, OPTIONS)).toBeUndefined();
});

test('the nearest name to an option in any case is the option itself, and long names take little time', () => {
  fc.assert(
    fc.property(fc.constantFrom(...OPTIONS), (name) => {
      expect(nearestName(name.toUpperCase(), OPTIONS)).toBe(name);
    }),
  );
  expect(nearestName('x'.repeat(1e7), OPTIONS)).toBeUndefined();
});
