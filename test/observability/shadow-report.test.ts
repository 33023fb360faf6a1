import { expect, it } from 'vitest';
import type { DecisionRecord } from '../../src/model/decision-record.js';
import type { Subject } from '../../src/model/subject.js';
import { createShadowReport } from '../../src/observability/create-shadow-report.js';
import { protectedApi } from '../helpers/testkit.js';

const HOUR_MS = 3_600_000;

function reporting() {
  const clock = { nowMs: 0 };
  const said: string[] = [];
  const report = createShadowReport({ logger: { info: (text) => void said.push(text) }, now: () => clock.nowMs });
  const decide = (subject: Subject, ...shadowDeniedBy: string[]) =>
    report.onDecision?.({ subject, shadowDeniedBy } as unknown as DecisionRecord);
  return { clock, said, report, decide };
}

it('the report lists each hour which limits would have denied, how much, and the callers most affected', () => {
  const { clock, said, report, decide } = reporting();
  for (let times = 0; times < 3; times++) decide({ user: 'ada', tenant: 'navy' }, 'tier:free', 'search');
  decide({ ip: '192.0.2.1' }, 'tier:free');
  decide({ user: 'bob' });
  clock.nowMs = HOUR_MS - 1;
  decide({ user: 'bob' });
  expect(said).toEqual([]);
  clock.nowMs = HOUR_MS;
  decide({ user: 'bob' });
  expect(said).toEqual([
    'SHADOW: 4 of 6 operations in the last 60 minutes would be denied, by' +
      '\n  tier:free: 4 operations of 2 callers, most of user "ada" of "navy" (3), address "192.0.2.1" (1)' +
      '\n  search: 3 operations of 1 caller, most of user "ada" of "navy" (3)',
  ]);
  clock.nowMs = 2 * HOUR_MS;
  decide({ user: 'bob' });
  expect(said[1]).toBe('SHADOW: none of 1 operations in the last 60 minutes would be denied');
  report.close();
});

it('the shadow report uses a bounded memory in a flood, and still names the caller who is denied most', () => {
  const { said, report, decide } = reporting();
  for (let number = 0; number < 20_000; number++) {
    decide({ user: `one-of-many-${number}` }, 'tier:free');
    if (number % 4 === 0) decide({ user: 'heavy' }, 'tier:free');
    decide({ user: 'x' }, `rule-${number}`);
  }
  report.close();
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(
    /tier:free: 25000 operations of more than 1000 callers, most of user "heavy" \(about 4\d{3}\)/,
  );
  expect(said[0]).toContain('and 90 more limits');
  expect(said[0]!.length).toBeLessThan(3000);
});

it('an id with line ends or of any length adds no line to the shadow report', () => {
  const { said, report, decide } = reporting();
  decide({ user: `a\n${'b'.repeat(10_000)}` }, 'tier:free');
  report.close();
  expect(said[0]!.split('\n')).toHaveLength(2);
  expect(said[0]!.length).toBeLessThan(400);
});

it('the mode SHADOW denies nothing, even above a ceiling or a bucket, and the answer contains the remaining tokens', async () => {
  const said: string[] = [];
  const { ask, tollgate } = await protectedApi({
    mode: 'SHADOW',
    tier: { capacity: 10, maxCostPerOperation: 5 },
    logger: { info: (text) => void said.push(text), warn() {}, error() {} },
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
  }
  await tollgate.close();
  expect(said.at(-1)).toMatch(
    /2 of 3 operations in the last minute would be denied, by\n {2}tier:free: 2 operations of 1 caller/,
  );
});
