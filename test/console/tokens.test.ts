import { expect, test } from 'vitest';
import { isGood, tokenState } from '../../console/src/pages/tokens/token-state.js';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const [BEFORE, AFTER] = ['2026-03-01T12:00:00Z', '2026-03-01T12:00:01Z'];

test('a token is valid until it expires, even after it is replaced, and never after it is revoked', () => {
  const stateOf = (times: Parameters<typeof tokenState>[0]) => [tokenState(times, NOW_MS), isGood(times, NOW_MS)];
  expect(stateOf({})).toEqual(['active', true]);
  expect(stateOf({ expiresAt: AFTER })).toEqual(['active', true]);
  expect(stateOf({ expiresAt: AFTER, replacedAt: BEFORE })).toEqual(['replaced', true]);
  expect(stateOf({ expiresAt: BEFORE, replacedAt: BEFORE })).toEqual(['expired', false]);
  expect(stateOf({ expiresAt: AFTER, revokedAt: BEFORE })).toEqual(['revoked', false]);
});
