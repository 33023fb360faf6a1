import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEventReader } from '../../console/src/api/read-events.js';
import { noteServerTime, serverNow } from '../../console/src/api/server-clock.js';
import { takeProof } from '../../console/src/app/login/take-proof.js';
import { problemsOf } from '../../console/src/pages/callers/problems-of.js';
import { denialCounts } from '../../console/src/pages/denials/denial-counts.js';
import { groupOf, readGroup } from '../../console/src/pages/denials/denial-group.js';
import { seriesOf, totalsOf } from '../../console/src/pages/overview/traffic-series.js';
import { draftOfRule, type FullRule } from '../../console/src/pages/rules/draft-of-rule.js';
import { problemsOfRange } from '../../console/src/parts/range/problems-of-range.js';
import {
  rangeBefore,
  readRange,
  toLocalInput,
  writeRange,
  zoomedRange,
} from '../../console/src/parts/range/shown-range.js';
import { toCsv } from '../../console/src/parts/table/csv.js';
import { callerPath } from '../../console/src/parts/text/caller-path.js';
import { duration, measuredRate, percent } from '../../console/src/parts/text/format.js';
import { fromNow, momentOf } from '../../console/src/parts/text/moments.js';
import { visibleText } from '../../console/src/parts/text/visible-text.js';

const NOW_MS = Date.parse('2026-03-01T12:00:30Z');

describe('the one-time code in a URL', () => {
  test('a one-time code is removed from the fragment or query of the URL, and everything else stays', () => {
    expect(takeProof('http://a/console/#code=x1')).toEqual({ code: 'x1', address: '/console/' });
    expect(takeProof('http://a/console/denials?range=1h&code=x1')).toEqual({
      code: 'x1',
      address: '/console/denials?range=1h',
    });
    expect(takeProof('http://a/console/?range=1h#part')).toEqual({
      code: undefined,
      address: '/console/?range=1h#part',
    });
  });
});

describe('server-sent events', () => {
  test('server-sent events are read the same however the stream is cut into chunks', () => {
    const text = 'event: next\ndata: {"a":1}\n\n:\n\nevent: next\r\ndata: one\r\ndata: two\r\n\r\nevent: complete\n\n';
    const whole = createEventReader()(text);
    expect(whole).toEqual([
      { event: 'next', data: '{"a":1}' },
      { event: 'next', data: 'one\ntwo' },
      { event: 'complete', data: '' },
    ]);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const read = createEventReader();
        const places = [0, ...cuts.sort((a, b) => a - b), text.length];
        expect(places.slice(1).flatMap((end, index) => read(text.slice(places[index], end)))).toEqual(whole);
      }),
    );
  });
});

describe('the time range in a URL', () => {
  test('an invalid range in the URL becomes the default range', () => {
    for (const text of [null, '', 'toString', '__proto__', '2026~2025', 'a~b']) {
      expect(readRange(text, NOW_MS).preset).toBe('1h');
    }
  });

  test('a range ends with the current time bucket, so that requests within one minute have the same range', () => {
    const range = readRange('1h', NOW_MS);
    expect(new Date(range.toMs).toISOString()).toBe('2026-03-01T12:01:00.000Z');
    expect(readRange('1h', NOW_MS + 20_000)).toEqual(range);
  });

  test('a range survives writing and reading, and the range before it has the same length', () => {
    const range = readRange(writeRange(NOW_MS - 5000, NOW_MS), NOW_MS);
    expect(range).toMatchObject({ fromMs: NOW_MS - 5000, toMs: NOW_MS, preset: undefined });
    expect(rangeBefore(range)).toMatchObject({ fromMs: NOW_MS - 10_000, toMs: NOW_MS - 5000 });
  });

  test('yesterday is the previous day in the time zone of the browser, by hour, and the range before it is the day before', () => {
    const range = readRange('yesterday', NOW_MS);
    const midnight = new Date(NOW_MS);
    midnight.setHours(0, 0, 0, 0);
    const [start, before] = [new Date(midnight), new Date(midnight)];
    start.setDate(start.getDate() - 1);
    before.setDate(before.getDate() - 2);
    expect(range).toEqual({
      fromMs: start.getTime(),
      toMs: midnight.getTime(),
      bucket: 'HOUR',
      preset: undefined,
      isYesterday: true,
    });
    expect(rangeBefore(range)).toMatchObject({ fromMs: before.getTime(), toMs: start.getTime(), isYesterday: false });
  });

  test('a custom range needs a start in the past, an end after it, and at most the length that the page allows', () => {
    const check = (from: string, to: string) =>
      problemsOfRange(Date.parse(from), Date.parse(to), { maxDays: 31, nowMs: NOW_MS });
    expect(check('2026-02-01T00:00', '2026-03-01T00:00')).toEqual({});
    expect(check('', '2026-03-01T00:00')).toEqual({ from: 'Enter a date and a time.' });
    expect(check('2026-02-01T00:00', '')).toEqual({ to: 'Enter a date and a time.' });
    expect(check('2026-03-02T13:00', '2026-03-03T00:00')).toEqual({ from: 'The start must be in the past.' });
    expect(check('2026-02-01T00:00', '2026-02-01T00:00')).toEqual({ to: 'The end must be after the start.' });
    expect(check('2026-01-01T00:00', '2026-02-02T00:00')).toEqual({ to: 'The range can have at most 31 days.' });
  });

  test('a date-time input shows the local minute of a moment, and a selected part of a chart becomes whole minutes', () => {
    const minuteMs = Math.floor(NOW_MS / 60_000) * 60_000;
    expect(Date.parse(toLocalInput(NOW_MS))).toBe(minuteMs);
    expect(zoomedRange(minuteMs + 1.5, minuteMs + 60_000.5)).toBe(writeRange(minuteMs, minuteMs + 120_000));
  });
});

test('a time of today is shown without its date, and a time of another year with its year', () => {
  const at = (...parts: [number, number, number, number]) => new Date(...parts).getTime();
  const nowMs = at(2026, 2, 1, 12);
  expect(momentOf(at(2026, 2, 1, 9), nowMs)).toBe('09:00:00');
  expect(momentOf(at(2026, 0, 31, 9), nowMs)).toBe('31 Jan, 09:00');
  expect(momentOf(at(2025, 2, 1, 9), nowMs)).toBe('1 Mar 2025, 09:00');
});

test('denials over time have a number for each time bucket, also for time buckets without operations', () => {
  const fromMs = Date.parse('2026-03-01T12:00:00Z');
  const points = [{ from: '2026-03-01T12:01:00.000Z', denied: 3, shadowDenied: 2 }];
  expect(denialCounts(points, { fromMs: fromMs + 5, toMs: fromMs + 180_000, bucketMs: 60_000 })).toEqual({
    times: [0, 60, 120].map((seconds) => fromMs / 1000 + seconds),
    denied: [0, 3, 0],
    shadowDenied: [0, 2, 0],
  });
});

test('a group of denials in the URL selects one caller, one limit and one operation, whatever their names', () => {
  expect(groupOf({ user: null }, 'search')).toBeUndefined();
  expect(readGroup(null)).toBeUndefined();
  for (const text of ['', '[]', 'null', '{', '{"first":"1"}', '{"rule":1}']) expect(readGroup(text)).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (name) => {
      // The router decodes the URL once more than it is encoded.
      const group = decodeURI(groupOf({ user: name, tenant: name }, name, name)!);
      expect(readGroup(group)).toEqual({
        user: name,
        tenant: name,
        rule: name,
        operation: name,
      });
    }),
  );
  expect(readGroup(groupOf({ apiKey: 'tg_1' }, 'tier:free')!)).toEqual({ apiKey: 'tg_1', rule: 'tier:free' });
});

test('a series has the admitted and the denied tokens per second of each time bucket, even without requests', () => {
  const point = { from: '2026-03-01T12:01:00.000Z', requests: 3, denied: 1, actualCost: 120, deniedCost: 60 };
  const fromMs = Date.parse('2026-03-01T12:00:00Z');
  const [times, admitted, denied] = seriesOf([point], { fromMs, toMs: fromMs + 180_000, bucketMs: 60_000 });
  expect(times).toEqual([0, 60, 120].map((seconds) => fromMs / 1000 + seconds));
  expect(admitted).toEqual([0, 2, 0]);
  expect(denied).toEqual([0, 1, 0]);
  expect(totalsOf([point, point])).toMatchObject({ requests: 6, denied: 2, actualCost: 240, shadowDenied: 0 });
});

test('a name never becomes a formula, another cell or another line in an export', () => {
  expect(
    toCsv(
      ['name', 'n'],
      [
        ['=1+1', -5],
        ['a"b,c\r\nd', null],
        ['a;=1;b', '\t=1'],
        ['\uff1d1', 'a-b; -1=2'],
      ],
    ),
  ).toBe(`name,n\r\n'=1+1,-5\r\n"a""b,c\r\nd",\r\na;'=1;b,'\t'=1\r\n'\uff1d1,a-b; -1=2\r\n`);
});

test('control characters of a name are shown as escapes, and a long name is cut', () => {
  expect(visibleText('a\u202Eb\u0000')).toBe('a\\u{202e}b\\u{0}');
  expect(visibleText('<img onerror=x>')).toBe('<img onerror=x>');
  expect(visibleText('x'.repeat(10_000))).toBe(`${'x'.repeat(120)}…`);
  expect(visibleText('🙂'.repeat(121))).toBe(`${'🙂'.repeat(120)}…`);
});

test('durations and shares are shown in readable units', () => {
  expect([0, 850, 1500, 61_000, 7_500_000, 90_000_000].map(duration)).toEqual([
    '0 ms',
    '850 ms',
    '1.5 s',
    '1 min 1 s',
    '2 h 5 min',
    '1 d 1 h',
  ]);
  expect([0, 0.0001, 0.05, 0.5, 1].map(percent)).toEqual(['0%', '<0.1%', '5%', '50%', '100%']);
});

test('the URL of a caller page identifies exactly that caller, whatever their name', () => {
  expect(callerPath({ user: '..', tenant: 'a&user=b', apiKey: 'k' })).toBe('/caller?user=..&tenant=a%26user%3Db');
  expect(callerPath({ apiKey: 'tg_1', ip: '10.0.0.1' })).toBe('/caller?apiKey=tg_1');
  expect(callerPath({})).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), (user) => {
      const { searchParams } = new URL(callerPath({ user })!, 'http://a');
      expect([...searchParams]).toEqual([['user', user]]);
    }),
  );
});

test('a mutation succeeds only if it returns no user errors and does not fail', async () => {
  expect(await problemsOf(async () => ({ tierUpdate: { userErrors: [] } }))).toBeUndefined();
  expect(await problemsOf(async () => ({ tierUpdate: { userErrors: [{ message: 'No' }] } }))).toBe('No');
  expect(await problemsOf(() => Promise.reject(new Error('Away')))).toBe('Away');
});

test('the draft of a rule has each limit under its kind and omits members without a value', () => {
  const rule: FullRule = {
    id: '1',
    name: 'search',
    description: null,
    version: 3,
    field: 'Query.search',
    fields: ['Query.search'],
    scope: 'USER',
    measure: 'CALLS',
    mode: 'SHADOW',
    rolloutPercent: 50,
    priority: 0,
    onUnavailable: 'LOCAL',
    precision: 'EXACT',
    regionMode: 'CENTRAL',
    onEventDenied: 'COMPLETE',
    source: 'STORED',
    retiredAt: null,
    action: { type: 'REJECT', maxDelayMs: null },
    response: null,
    match: { addresses: [], clients: [], operationNames: [], operationTypes: [], tiers: ['free'] },
    limits: [
      { __typename: 'FixedWindowLimit', amount: 5, windowMs: 60_000, countDenied: null, key: null },
      { __typename: 'ConcurrencyLimit', capacity: 2, leaseMs: 1000, countDenied: true, key: null },
    ],
    appliesNow: true,
    warnings: [],
    denied: 0,
    shadowDenied: 0,
    violations: { nodes: [] },
    history: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } },
  };
  expect(draftOfRule(rule)).toEqual({
    name: 'search',
    fields: ['Query.search'],
    scope: 'USER',
    measure: 'CALLS',
    mode: 'SHADOW',
    rolloutPercent: 50,
    priority: 0,
    onUnavailable: 'LOCAL',
    precision: 'EXACT',
    regionMode: 'CENTRAL',
    onEventDenied: 'COMPLETE',
    action: { type: 'REJECT' },
    match: { addresses: [], clients: [], operationNames: [], operationTypes: [], tiers: ['free'] },
    limits: [
      { fixedWindow: { amount: 5, windowMs: 60_000 } },
      { concurrency: { capacity: 2, leaseMs: 1000, countDenied: true } },
    ],
  });
});

test('a measured rate is rounded to tenths, so that clock errors do not turn 1 into 0.999', () => {
  const tenOver = (ms: number) => measuredRate((10 * 1000) / ms);
  expect([9_950, 10_000, 10_008, 10_040].map(tenOver)).toEqual(['1', '1', '1', '1']);
  expect([0, 0.01, 0.35, 12.34, 99.96, 1234.5, 99_999.6].map(measuredRate)).toEqual([
    '0',
    '<0.1',
    '0.4',
    '12.3',
    '100',
    '1,235',
    '100K',
  ]);
});

test('a duration that rounds to 60 s is shown as 1 min, and a share of less than 1 is not shown as 100%', () => {
  expect([999.6, 59_400, 59_600, 59_999.9, 90_500].map(duration)).toEqual([
    '1 s',
    '59 s',
    '1 min',
    '1 min',
    '1 min 30 s',
  ]);
  expect([0.9994, 0.996, 0.99, 1].map(percent)).toEqual(['>99%', '>99%', '99%', '100%']);
});

test('times follow the clock of the platform when that of the browser is wrong', () => {
  const answerOf = (date: string | null) => noteServerTime({ headers: new Headers(date === null ? {} : { date }) });
  const isNow = (ms: number) => expect(Math.abs(serverNow() - ms)).toBeLessThan(2000);
  const hourAgo = Date.now() - 3_600_000;
  answerOf(new Date(hourAgo).toUTCString());
  isNow(hourAgo);
  expect(fromNow(hourAgo + 60_500)).toBe('in 1 minute');
  answerOf(null);
  answerOf('whenever');
  isNow(hourAgo);
  answerOf(new Date(Date.now() - 5000).toUTCString());
  isNow(Date.now());
});
