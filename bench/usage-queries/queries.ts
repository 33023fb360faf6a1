import { alignRange, partsOfRange, type TimeRange } from '../../src/usage/query/time-range.js';
import type { UsageReader } from '../../src/usage/query/usage-reader.js';
import type { UsageLevel } from '../../src/usage/record/usage-levels.js';

/** One query of the tables of usage over a range, as the admin API sends it. */
export interface UsageQuestion {
  name: string;
  ask(usage: UsageReader, range: TimeRange, level: UsageLevel): Promise<unknown[]>;
}

const DENIALS_MS = 31 * 86_400_000;

const grouped = (
  name: string,
  groupBy: Parameters<UsageReader['usage']>[0]['groupBy'],
  filter: Parameters<UsageReader['usage']>[0]['filter'] = {},
): UsageQuestion => ({
  name,
  ask: (usage, range, level) =>
    usage.usage({ range: alignRange(range, level), level, groupBy, filter, after: undefined, limit: 101 }),
});

const top = (
  name: string,
  read: 'topSubjects' | 'topTenants' | 'topOperations' | 'topFields',
  filter: Parameters<UsageReader['topSubjects']>[0]['filter'] = {},
): UsageQuestion => ({
  name,
  ask: (usage, range, level) =>
    usage[read]({ parts: partsOfRange(range, level), filter, orderBy: 'ACTUAL_COST', limit: 100 }),
});

const denials = (name: string, filter: Parameters<UsageReader['denials']>[0]['filter']): UsageQuestion => ({
  name,
  ask: (usage, { from, to }) =>
    usage.denials({
      range: { from: new Date(Math.max(from.getTime(), to.getTime() - DENIALS_MS)), to },
      filter,
      after: undefined,
      limit: 101,
    }),
});

export const QUESTIONS: readonly UsageQuestion[] = [
  grouped('usage', []),
  grouped('usage by CALLER', ['CALLER']),
  grouped('usage by CALLER, OPERATION, TIER', ['CALLER', 'OPERATION', 'TIER']),
  grouped('usage by TENANT', ['TENANT']),
  grouped('usage by OPERATION', ['OPERATION']),
  grouped('usage by TIER', ['TIER']),
  grouped('usage by FIELD', ['FIELD']),
  grouped('usage by RULE', ['RULE']),
  grouped('usage of one user', ['OPERATION'], { user: 'caller-7', tenant: 'tenant-7' }),
  grouped('usage of one tenant', ['CALLER'], { tenant: 'tenant-7' }),
  grouped('usage of one operation', ['CALLER'], { operation: 'Operation7' }),
  grouped('usage of one tier', [], { tier: 'free' }),
  grouped('usage of one rule', ['RULE'], { rule: 'rule-7' }),
  top('topCallers', 'topSubjects'),
  top('topCallers of one tier', 'topSubjects', { tier: 'free' }),
  top('topCallers of one operation', 'topSubjects', { operation: 'Operation7' }),
  top('topTenants', 'topTenants'),
  top('topOperations', 'topOperations'),
  top('topFields', 'topFields'),
  denials('denials', {}),
  denials('denials by one rule', { rule: 'rule-7', shadow: false }),
  denials('denials of one user', { user: 'caller-7' }),
  denials('denials of one tenant', { tenant: 'tenant-7' }),
  denials('denials of one operation', { operation: 'Operation7' }),
  denials('denials by an unknown rule', { rule: 'no-such-rule' }),
  {
    name: 'violations',
    ask: (usage, range, level) =>
      usage.violations({ parts: partsOfRange(range, level), filter: {}, after: undefined, limit: 101 }),
  },
  {
    name: 'violations of one user',
    ask: (usage, range, level) =>
      usage.violations({
        parts: partsOfRange(range, level),
        filter: { user: 'caller-7' },
        after: undefined,
        limit: 101,
      }),
  },
  {
    name: 'operationAccuracy',
    ask: (usage, range, level) => usage.operationDrift({ parts: partsOfRange(range, level), filter: {}, limit: 100 }),
  },
  {
    name: 'fieldAccuracy',
    ask: (usage, range, level) => usage.fieldDrift({ parts: partsOfRange(range, level), filter: {}, limit: 100 }),
  },
  {
    name: 'usage of 100 subjects',
    ask: (usage, range, level) => {
      const owners = Array.from({ length: 100 }, (_, n) => ({
        user: `caller-${n + 1}`,
        tenant: `tenant-${(n + 1) % 200}`,
      }));
      return usage.ownerUsage(owners, { range: alignRange(range, level), level, limit: 101 });
    },
  },
];
