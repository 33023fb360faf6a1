import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../src/rules/policy/parse-policy.js';

const FREE = { name: 'free', capacity: 100, refillAmount: 1, isDefault: true };
const MONTHLY = { amount: 1000, every: 'MONTH' };

function problemsOfLimit(members: object, rule: object = {}): readonly string[] {
  const limits = [{ algorithm: 'CALENDAR_WINDOW', ...MONTHLY, ...members }];
  return (
    parsePolicy({ tiers: [FREE], rules: [{ name: 'plan', scope: 'USER', field: '*', limits, ...rule }] }).problems ?? []
  );
}

function problemsOfBudget(members: object): readonly string[] {
  return parsePolicy({ tiers: [{ ...FREE, budget: { ...MONTHLY, ...members } }], rules: [] }).problems ?? [];
}

/** Each member with three wrong values. */
const WRONG: readonly (readonly [member: string, value: unknown])[] = [
  ...[0, 1.5, '1000'].map((value) => ['amount', value] as const),
  ...['FORTNIGHT', 30, 'month'].map((value) => ['every', value] as const),
  ...['Europe/Berln', '+01:00', 1].map((value) => ['timeZone', value] as const),
  ...[0, 32, 'first'].map((value) => ['anchorDay', value] as const),
  ...['24:00', '6:00', 6].map((value) => ['anchorTime', value] as const),
  ...['TENANT', 'subject', true].map((value) => ['anchor', value] as const),
  ...[999, 1000.5, '2000'].map((value) => ['hardCap', value] as const),
  ...[50, [], 'half'].map((value) => ['carryOver', value] as const),
  ...[0, 101, '50'].map((percent) => ['carryOver.percent', { percent, max: 10 }] as const),
  ...[0, 1.5, undefined].map((max) => ['carryOver.max', { percent: 50, max }] as const),
  ...['maximum', 'percentage', 'until'].map(
    (name) => [`carryOver.${name}`, { percent: 50, max: 10, [name]: 1 }] as const,
  ),
];

describe('the members of a calendar window', () => {
  it.each(
    WRONG,
  )('a limit and a budget with a wrong %s (%j) are rejected with a message that names the member', (path, value) => {
    const [member = ''] = path.split('.');
    expect(problemsOfLimit({ [member]: value })).toEqual([
      expect.stringMatching(new RegExp(`^rules\\[0\\] \\("plan"\\)\\.limits\\[0\\]\\.${path.replace('.', '\\.')}: `)),
    ]);
    expect(problemsOfBudget({ [member]: value })).toEqual([
      expect.stringMatching(new RegExp(`^tiers\\[0\\] \\("free"\\)\\.budget\\.${path.replace('.', '\\.')}: `)),
    ]);
  });

  it('reports all mistakes of a calendar window at once', () => {
    const wrong = { timeZone: 'Mars', anchorDay: 40, anchorTime: 'noon', hardCap: 1 };
    expect(problemsOfBudget(wrong)).toHaveLength(4);
    expect(problemsOfLimit(wrong)).toHaveLength(4);
  });

  it.each([
    ['anchorDay', { every: 'DAY', anchorDay: 2 }],
    ['anchor', { every: 'HOUR', anchor: 'SUBJECT' }],
    ['anchorDay', { every: 'WEEK', anchorDay: 8 }],
    ['anchorTime', { every: 'HOUR', anchorTime: '01:30' }],
  ])('rejects %s where the period does not have it: %j', (member, members) => {
    expect(problemsOfLimit(members)).toEqual([expect.stringContaining(`limits[0].${member}: `)]);
    expect(problemsOfBudget(members)).toEqual([expect.stringContaining(`budget.${member}: `)]);
  });

  it('rejects a calendar window without an amount or a period, and with the window of another algorithm', () => {
    expect(problemsOfLimit({ amount: undefined })).toEqual([expect.stringContaining('amount: required')]);
    expect(problemsOfLimit({ every: undefined })).toEqual([expect.stringContaining('every: required')]);
    expect(problemsOfLimit({ windowMs: 1000 })).toEqual([expect.stringContaining('windowMs: has no effect')]);
    const limits = [{ algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 1000, every: 'DAY' }];
    expect(problemsOfLimit({}, { limits })).toEqual([expect.stringContaining('every: has no effect on FIXED_WINDOW')]);
  });

  it('rejects the anchor SUBJECT for scopes without a billing anchor', () => {
    for (const scope of ['IP', 'GLOBAL']) {
      expect(problemsOfLimit({ anchor: 'SUBJECT' }, { scope })).toEqual([
        expect.stringMatching(/limits\[0\]\.anchor: SUBJECT has no effect on the scope/),
      ]);
    }
    for (const scope of ['USER', 'API_KEY', 'TENANT'])
      expect(problemsOfLimit({ anchor: 'SUBJECT' }, { scope })).toEqual([]);
  });

  it('accepts two periods in one rule, and needs a key for two limits with the same period', () => {
    const window = { algorithm: 'CALENDAR_WINDOW', amount: 10 };
    const daily = { ...window, every: 'DAY' };
    expect(problemsOfLimit({}, { limits: [daily, { ...window, every: 'MONTH' }] })).toEqual([]);
    expect(problemsOfLimit({}, { limits: [daily, { ...daily, timeZone: 'Asia/Tokyo' }] })).toEqual([
      expect.stringContaining('limits[1].key: two limits with the same algorithm and window'),
    ]);
    expect(problemsOfLimit({}, { limits: [daily, { ...daily, timeZone: 'Asia/Tokyo', key: 'tokyo' }] })).toEqual([]);
  });

  it('only a calendar window may include more than one operation can cost', () => {
    expect(problemsOfLimit({ amount: 2 ** 35 })).toEqual([]);
    expect(problemsOfBudget({ amount: 2 ** 35, hardCap: 2 ** 36 })).toEqual([]);
    const limits = [{ algorithm: 'FIXED_WINDOW', amount: 2 ** 35, windowMs: 1000 }];
    expect(problemsOfLimit({}, { limits })).toEqual([
      expect.stringContaining('amount: expected a whole number from 1 to 2147483647'),
    ]);
  });
});
