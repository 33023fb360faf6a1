import { z } from 'zod';
import { describeProblems } from '../../model/describe-problems.js';
import { text } from '../../rules/policy/validators.js';
import type { DenialFilter } from '../../usage/query/read-denials.js';
import type { UsageGroup } from '../../usage/query/read-usage.js';
import {
  alignRange,
  LONGEST_MONTH_MS,
  MAX_RANGE_MS,
  partsOfRange,
  type RangePart,
  type TimeRange,
} from '../../usage/query/time-range.js';
import type { UsageFilter } from '../../usage/query/usage-filter.js';
import type { UsageReader } from '../../usage/query/usage-reader.js';
import type { UsageLevel } from '../../usage/record/usage-levels.js';
import { toFilter } from '../schema/change-input.js';
import type { UsageBucket } from '../schema/enums.js';
import { badQuery } from '../schema/to-client-error.js';
import type { TimeRangeInput } from '../types/usage-args.js';

const DAY_MS = 86_400_000;
const LAST_DAY_MS = Date.UTC(9999, 11, 1);
const MAX_FIRST = 100;
/**
 * Maximum range of queries for denials, in milliseconds. It is short because each denial is a
 * separate row.
 */
export const MAX_DENIALS_MS = LONGEST_MONTH_MS;

const id = text(1, 512).optional();
const name = text(1, 200).optional();
const caller = { user: id, apiKey: id, ip: id, tenant: id };
const usageFilter = z.strictObject({
  ...caller,
  tier: name,
  operation: name,
  field: id,
  rule: name,
  integration: name,
  region: name,
});
const denialFilter = z.strictObject({
  ...caller,
  rule: name,
  operation: name,
  integration: name,
  shadow: z.boolean().optional(),
});

/**
 * Returns the requested range. Without a range, it returns the last 24 hours.
 * @throws GraphQLError BAD_USER_INPUT
 */
export function checkRange(range: TimeRangeInput | null | undefined, maxMs: number = MAX_RANGE_MS.day): TimeRange {
  const to = range?.to ?? new Date();
  const from = range?.from ?? new Date(to.getTime() - DAY_MS);
  // Later ends would become a day of the year 10000 when they are aligned to whole days. PostgreSQL
  // cannot parse such a day.
  if (to.getTime() > LAST_DAY_MS) throw badQuery('range.to: expected a time before 9999-12-01');
  const lengthMs = to.getTime() - from.getTime();
  if (lengthMs <= 0)
    throw badQuery(`range: expected \`from\` before \`to\`, such as { from: "2026-01-01", to: "2026-02-01" }`);
  if (lengthMs > maxMs) throw badQuery(`range: expected at most ${inWords(maxMs)}, got ${inWords(lengthMs)}`);
  return { from, to };
}

/**
 * Returns the requested range, aligned to whole buckets of usage, and their length as `level`:
 * minute, hour or day.
 * @throws GraphQLError BAD_USER_INPUT if the range is invalid or too long for the level
 */
export function checkBuckets(
  range: TimeRangeInput | null | undefined,
  bucket: UsageBucket | null | undefined,
  { levelOf }: Pick<UsageReader, 'levelOf'>,
): { range: TimeRange; level: UsageLevel } {
  const asked = checkRange(range);
  const level = bucket ? (bucket.toLowerCase() as UsageLevel) : levelOf(asked);
  const lengthMs = asked.to.getTime() - asked.from.getTime();
  if (lengthMs > MAX_RANGE_MS[level]) {
    const most = inWords(MAX_RANGE_MS[level]);
    throw badQuery(`range: expected at most ${most} for the bucket ${level.toUpperCase()}, got ${inWords(lengthMs)}`);
  }
  return { range: alignRange(asked, level), level };
}

/**
 * Splits the requested range into parts, whose sums add up to the sum over the range.
 * @throws GraphQLError BAD_USER_INPUT if the range is invalid
 */
export function checkParts(
  range: TimeRangeInput | null | undefined,
  { levelOf }: Pick<UsageReader, 'levelOf'>,
): RangePart[] {
  const asked = checkRange(range);
  return partsOfRange(asked, levelOf(asked));
}

/** Returns the number of elements to read. @throws GraphQLError unless it is from 1 to 100 */
export function checkFirst(first: number): number {
  if (Number.isInteger(first) && first >= 1 && first <= MAX_FIRST) return first;
  throw badQuery(`first: expected a whole number from 1 to ${MAX_FIRST}, got ${first}`);
}

/** Groups that cannot be combined, each with its member of the filter. */
const ALONE: ReadonlyMap<UsageGroup, keyof UsageFilter> = new Map([
  ['FIELD', 'field'],
  ['RULE', 'rule'],
  ['INTEGRATION', 'integration'],
  ['REGION', 'region'],
]);

/** Returns the groups without duplicates. @throws GraphQLError if they cannot be combined */
export function checkGroups(groupBy: readonly UsageGroup[]): readonly UsageGroup[] {
  const groups = [...new Set(groupBy)];
  const alone = groups.find((group) => ALONE.has(group));
  if (alone && groups.length > 1)
    throw badQuery(`groupBy: ${alone} cannot be combined with other groups, got ${groups.join(', ')}`);
  return groups;
}

/**
 * Parses the filter and checks that it fits the groups. Usage by field, rule, integration or
 * region is not recorded per caller.
 * @throws GraphQLError BAD_USER_INPUT if the filter is invalid or does not fit
 */
export function checkUsageFilter(input: object | null | undefined, groupBy: readonly UsageGroup[]): UsageFilter {
  const filter = parse(usageFilter, input) as UsageFilter;
  const only = groupBy.find((group) => ALONE.has(group));
  const own = only && ALONE.get(only);
  const allowed = own ? [own] : ['user', 'apiKey', 'ip', 'tenant', 'tier', 'operation'];
  const wrong = Object.keys(filter).find((member) => !allowed.includes(member));
  if (wrong !== undefined) {
    const known = allowed.join(', ');
    throw badQuery(`filter.${wrong}: usage ${only ? `by ${only}` : 'of callers'} can be filtered by ${known}`);
  }
  checkCaller(filter);
  return filter;
}

/** Parses the filter. @throws GraphQLError BAD_USER_INPUT if it is invalid */
export function checkDenialFilter(input: object | null | undefined): DenialFilter {
  const filter = parse(denialFilter, input) as DenialFilter;
  checkCaller(filter);
  return filter;
}

function checkCaller({ user, apiKey, ip }: DenialFilter): void {
  if ([user, apiKey, ip].filter((value) => value !== undefined).length > 1) {
    throw badQuery(
      'filter: expected only one of user, apiKey and ip: usage is counted by user, else by API key, else by address',
    );
  }
}

function parse(schema: z.ZodType, input: object | null | undefined): unknown {
  const given = toFilter<object>(input);
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw badQuery(describeProblems('filter', given, result.error).join('; '));
}

/**
 * Formats a duration, rounded up to minutes. Rounded down, a range slightly above the maximum would
 * be reported with the maximum as its length.
 */
function inWords(lengthMs: number): string {
  const allMinutes = Math.ceil(lengthMs / 60_000);
  const allHours = Math.floor(allMinutes / 60);
  const minutes = inUnit(allMinutes % 60, 'minute');
  if (allHours < 48) return [inUnit(allHours, 'hour'), minutes].filter(Boolean).join(' and ');
  const days = inUnit(Math.floor(allHours / 24), 'day');
  return [days, inUnit(allHours % 24, 'hour'), minutes].filter(Boolean).join(' and ');
}

function inUnit(count: number, unit: string): string {
  return count === 0 ? '' : `${count} ${unit}${count === 1 ? '' : 's'}`;
}
