import { expect, it } from 'vitest';
import type { DecisionRecord } from '../../src/model/decision-record.js';
import type { Subject } from '../../src/model/subject.js';
import { createShadowReport } from '../../src/observability/create-shadow-report.js';
import { protectedApi } from '../helpers/testkit.js';

const HOUR_MS = 3_600_000;

function reporting() {
  const clock = { nowMs: 0 };
  const lines: string[] = [];
  const report = createShadowReport({ logger: { info: (text) => void lines.push(text) }, now: () => clock.nowMs });
  const decide = (subject: Subject, ...wouldBeDeniedBy: string[]) =>
    report.onDecision?.({ subject, wouldBeDeniedBy, requestedCost: 7 } as unknown as DecisionRecord);
  const isFirst = (line: string) => line.includes('would have denied');
  return {
    clock,
    firstDenials: () => lines.filter(isFirst),
    summaries: () => lines.filter((line) => !isFirst(line)),
    report,
    decide,
  };
}

it('the shadow report logs once an hour how many operations each limit would have denied, and for which callers', () => {
  const { clock, summaries, report, decide } = reporting();
  for (let times = 0; times < 3; times++) decide({ user: 'ada', tenant: 'navy' }, 'tier:free', 'search');
  decide({ ip: '192.0.2.1' }, 'tier:free');
  decide({ user: 'bob' });
  clock.nowMs = HOUR_MS - 1;
  decide({ user: 'bob' });
  expect(summaries()).toEqual([]);
  clock.nowMs = HOUR_MS;
  decide({ user: 'bob' });
  expect(summaries()).toEqual([
    'SHADOW: 4 of 6 operations in the last 60 minutes would be denied, by' +
      '\n  tier:free: 4 operations of 2 callers, most frequent: user "ada" of "navy" (3), address "192.0.2.1" (1)' +
      '\n  search: 3 operations of 1 caller, most frequent: user "ada" of "navy" (3)',
  ]);
  clock.nowMs = 2 * HOUR_MS;
  decide({ user: 'bob' });
  expect(summaries()[1]).toBe('SHADOW: none of 1 operations in the last 60 minutes would be denied');
  report.close();
});

it('the shadow report logs the first would-be denial of each limit immediately, and later ones only in the summary', () => {
  const { firstDenials, report, decide } = reporting();
  decide({ user: 'ada' });
  expect(firstDenials()).toEqual([]);
  decide({ user: 'ada' }, 'tier:free');
  decide({ user: 'bob' }, 'tier:free', 'search');
  decide({ user: 'ada' }, 'tier:free');
  expect(firstDenials()).toEqual([
    'SHADOW: tier:free would have denied an operation of user "ada" that costs 7 tokens. A summary follows once an hour',
    'SHADOW: search would have denied an operation of user "bob" that costs 7 tokens. A summary follows once an hour',
  ]);
  report.close();
});

it('for a flood of callers and limits, the shadow report is bounded and names the caller with the most denials', () => {
  const { firstDenials, summaries, report, decide } = reporting();
  for (let number = 0; number < 20_000; number++) {
    decide({ user: `one-of-many-${number}` }, 'tier:free');
    if (number % 4 === 0) decide({ user: 'heavy' }, 'tier:free');
    decide({ user: 'x' }, `rule-${number}`);
  }
  report.close();
  expect(firstDenials()).toHaveLength(100);
  expect(summaries()).toHaveLength(1);
  expect(summaries()[0]).toMatch(
    /tier:free: 25000 operations of more than 1000 callers, most frequent: user "heavy" \(about 4\d{3}\)/,
  );
  expect(summaries()[0]).toContain('and 90 more limits');
  expect(summaries()[0]!.length).toBeLessThan(3000);
});

it('a caller id that is long or contains line ends adds no line to the log and is truncated', () => {
  const { firstDenials, summaries, report, decide } = reporting();
  decide({ user: `a\n${'b'.repeat(10_000)}` }, 'tier:free');
  report.close();
  expect(summaries()[0]!.split('\n')).toHaveLength(2);
  expect(summaries()[0]!.length).toBeLessThan(400);
  expect(firstDenials()[0]!.split('\n')).toHaveLength(1);
  expect(firstDenials()[0]!.length).toBeLessThan(400);
});

it('SHADOW denies nothing, and the response shows which limit would have denied the operation', async () => {
  const lines: string[] = [];
  const { ask, tollgate } = await protectedApi({
    mode: 'SHADOW',
    tier: { capacity: 10, maxCostPerOperation: 5 },
    logger: { info: (text) => void (text.startsWith('SHADOW') && lines.push(text)), warn() {}, error() {} },
  });
  const headers = { 'graphql-cost': 'full' };
  for (const first of [4, 8, 50]) {
    const { status, data, errors, cost } = await ask(`{ items(first: ${first}) { name } }`, { headers });
    expect({ status, errors, length: data.items.length }).toEqual({
      status: 200,
      errors: undefined,
      length: first / 2,
    });
    expect(cost).toMatchObject({ mode: 'SHADOW', requestedQueryCost: first });
    expect(cost.throttleStatus.currentlyAvailable).toBeLessThanOrEqual(10);
    expect(cost.shadow).toEqual(first > 5 ? { wouldDeny: 'tier:free' } : undefined);
    expect(lines).toHaveLength(first > 5 ? 1 : 0);
  }
  const brief = await ask('{ items(first: 50) { name } }');
  expect(brief.cost).toMatchObject({ mode: 'SHADOW', shadow: { wouldDeny: 'tier:free' } });
  await tollgate.close();
  expect(lines.at(-1)).toMatch(
    /3 of 4 operations in the last minute would be denied, by\n {2}tier:free: 3 operations of 1 caller/,
  );
});

it('in SHADOW the response and the log do not name a rule that is in shadow mode itself', async () => {
  const lines: string[] = [];
  const rule = (name: string, amount: number, mode: 'ENFORCE' | 'SHADOW') => ({
    name,
    mode,
    // If the shadow rule were enforced, it would replace the other rule.
    priority: mode === 'SHADOW' ? 1 : 100,
    scope: 'USER' as const,
    field: 'Query.items',
    measure: 'CALLS' as const,
    limits: [{ algorithm: 'FIXED_WINDOW' as const, amount, windowMs: 3_600_000 }],
  });
  const { ask, tollgate } = await protectedApi({
    mode: 'SHADOW',
    rules: [rule('trial', 1, 'SHADOW'), rule('enforced', 2, 'ENFORCE')],
    logger: { info: (text) => void (text.startsWith('SHADOW') && lines.push(text)), warn() {}, error() {} },
  });
  const shadows = [];
  for (let call = 0; call < 3; call++) shadows.push((await ask('{ items(first: 1) { name } }')).cost.shadow);
  expect(shadows).toEqual([undefined, undefined, { wouldDeny: 'enforced' }]);
  await tollgate.close();
  expect(lines.join('\n')).not.toContain('trial');
  expect(lines.join('\n')).toContain('enforced');
});
