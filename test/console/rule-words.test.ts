import { describe, expect, test } from 'vitest';
import type { RuleCreateInput, RuleLimitInput } from '../../console/src/generated/graphql.js';
import { ruleSentence } from '../../console/src/pages/rules/form/rule-sentence.js';
import { limitsText } from '../../console/src/pages/rules/limit-text.js';

const MINUTE_MS = 60_000;
const perUser = { measure: 'CALLS', scope: 'USER' } as const;
const TEN = { slidingWindowCounter: { amount: 10, windowMs: MINUTE_MS } };
const BUCKET = { capacity: 100, refillAmount: 10, refillPeriodMs: 1000 };

describe('the words for the limits of a rule', () => {
  test.each<[RuleLimitInput, string]>([
    [TEN, '10 calls per minute per user'],
    [{ slidingWindowLog: { amount: 1, windowMs: 90_000 } }, '1 call per 1 min 30 s per user'],
    [{ fixedWindow: { amount: 1000, windowMs: 86_400_000 } }, '1,000 calls per day per user, clock-aligned'],
    [{ tokenBucket: BUCKET }, '100 calls at once per user, then 10 per second'],
    [{ leakyBucket: BUCKET }, '10 calls per second per user, with a queue of 100'],
    [{ concurrency: { capacity: 2, leaseMs: 1000 } }, '2 calls at a time per user'],
    [{ calendarWindow: { amount: 1000, every: 'MONTH' } }, '1,000 calls per month per user (UTC)'],
    [
      {
        calendarWindow: {
          amount: 1000,
          every: 'WEEK',
          timeZone: 'Europe/Berlin',
          anchorDay: 3,
          anchorTime: '06:00',
          hardCap: 1200,
          carryOver: { percent: 50, max: 100 },
        },
      },
      '1,000 calls per week per user (Europe/Berlin), from day 3 at 06:00, overage up to 1,200, 50% of the rest carried over, at most 100',
    ],
    [
      { calendarWindow: { amount: 1, every: 'YEAR', anchor: 'SUBJECT', anchorDay: 3 } },
      '1 call per year per user (UTC), from the billing day',
    ],
    [
      { calendarWindow: { amount: Number.NaN, every: 'DAY', hardCap: Number.NaN } },
      '… calls per day per user (UTC), overage up to …',
    ],
  ])('the limit %j is described as: %s', (limit, words) => {
    expect(limitsText([limit], perUser)).toBe(words);
  });

  test('several limits are joined, and a rule without limits exempts callers', () => {
    const day = { fixedWindow: { amount: 1, windowMs: 86_400_000 } };
    expect(limitsText([TEN, day], { measure: 'COST', scope: 'GLOBAL' })).toBe(
      '10 tokens per minute for all callers together and 1 token per day for all callers together, clock-aligned',
    );
    expect(limitsText([], perUser)).toBe('none (exempts callers)');
  });
});

describe('the sentence above the form of a rule', () => {
  const draft: RuleCreateInput = { name: '', field: 'Query.search', ...perUser, mode: 'ENFORCE', limits: [TEN] };
  test.each<[Partial<RuleCreateInput>, string]>([
    [{}, 'Each user may call Query.search 10 times per minute; more calls are denied.'],
    [{ mode: 'SHADOW' }, 'Each user may call Query.search 10 times per minute; more calls are counted but not denied.'],
    [
      { mode: 'OFF' },
      'Each user may call Query.search 10 times per minute; more calls are admitted while the rule is off.',
    ],
    [
      { action: { type: 'THROTTLE', maxDelayMs: 100 } },
      'Each user may call Query.search 10 times per minute; more calls are delayed.',
    ],
    [
      { fields: ['Query.search', 'Query.find'] },
      'Each user may call Query.search or Query.find 10 times per minute; more calls are denied.',
    ],
    [
      { match: { callers: 'ANONYMOUS', users: ['ann', 'test-*'] } },
      'Each user may call Query.search 10 times per minute; more calls are denied. Only these callers: anonymous; user ann, test-*.',
    ],
    [
      { match: { credentials: ['KEY', 'NONE'], tenants: ['acme'], keys: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] } },
      'Each user may call Query.search 10 times per minute; more calls are denied. Only these callers: with API key, no credential; tenant acme; API key a, b, c, d, e, 2 more.',
    ],
    [
      { match: { document: 'REGISTERED', apps: ['web', 'mobile-*'], appVersions: ['2.*'] } },
      'Each user may call Query.search 10 times per minute; more calls are denied. Only registered documents; app web, mobile-*; app version 2.*.',
    ],
    [
      { match: { document: 'UNREGISTERED' } },
      'Each user may call Query.search 10 times per minute; more calls are denied. Only unregistered documents.',
    ],
    [
      { schedule: { timeZone: 'Europe/Berlin', days: ['MON', 'TUE', 'WED', 'SAT'], from: '22:00', to: '06:00' } },
      'Each user may call Query.search 10 times per minute; more calls are denied. Only Mon–Wed, Sat, 22:00–06:00 (Europe/Berlin).',
    ],
    [
      { schedule: { timeZone: 'UTC', from: '00:00', to: '24:00' }, match: { addresses: ['192.0.2.7'] } },
      'Each user may call Query.search 10 times per minute; more calls are denied. Only requests from: 192.0.2.7. Only every day, all day (UTC).',
    ],
    [
      { scope: 'USER_AND_IP' },
      'Each user at each IP address may call Query.search 10 times per minute; more calls are denied.',
    ],
    [{ field: '*' }, 'Each user may make 10 calls per minute; more calls are denied.'],
    [{ field: '' }, 'Each user may call … 10 times per minute; more calls are denied.'],
    [
      { scope: 'TENANT', measure: 'COST' },
      'Each tenant may spend 10 tokens per minute on Query.search; operations that need more are denied.',
    ],
    [
      { scope: 'GLOBAL', measure: 'REQUESTS' },
      'All callers together may send 10 requests per minute that contain Query.search; more requests are denied.',
    ],
    [
      { limits: [{ concurrency: { capacity: 2, leaseMs: 1000 } }] },
      'Each user may make 2 calls at a time to Query.search; more calls are denied.',
    ],
    [
      { limits: [{ slidingWindowCounter: { amount: Number.NaN, windowMs: Number.NaN } }] },
      'Each user may call Query.search … times per …; more calls are denied.',
    ],
    [
      { limits: [{ calendarWindow: { amount: 10, every: 'DAY', timeZone: 'Asia/Tokyo' } }] },
      'Each user may call Query.search 10 times per day (Asia/Tokyo); more calls are denied.',
    ],
    [{ limits: [] }, 'Calls to Query.search are exempt from all rules with the same scope and measure.'],
    [
      { match: { tiers: ['free', 'pro'] } },
      'Each user may call Query.search 10 times per minute; more calls are denied. The rule applies to callers of: free, pro.',
    ],
    [
      { rolloutPercent: 25, match: { tiers: ['free'] } },
      'Each user may call Query.search 10 times per minute; more calls are denied. The rule applies to 25% of callers of: free.',
    ],
  ])('the sentence for a draft with %j describes its effect: %s', (change, sentence) => {
    expect(ruleSentence({ ...draft, ...change })).toBe(sentence);
  });
});
