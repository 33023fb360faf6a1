import { expect, test } from 'vitest';
import { settingText } from '../../console/src/pages/health/setting-text.js';

test('a setting is shown with its unit, and an unset setting differs from an empty one', () => {
  expect(settingText({ value: 25, unit: 'milliseconds' })).toBe('25 ms');
  expect(settingText({ value: 100_000, unit: 'callers' })).toBe('100,000 callers');
  expect(settingText({ value: 429, unit: 'HTTP status' })).toBe('429');
  expect(settingText({ value: 0, unit: 'tokens' })).toBe('0 tokens');
  expect(settingText({ value: 1, unit: 'tokens' })).toBe('1 token');
  expect(settingText({ value: 1, unit: 'processes' })).toBe('1 process');
  expect([true, false, null, [], ['a', 'b'], 'tokens'].map((value) => settingText({ value }))).toEqual([
    'yes',
    'no',
    'not set',
    'none',
    'a, b',
    'tokens',
  ]);
});
