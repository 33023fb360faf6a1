import type { CalendarParameters } from '../../model/limit-parameters.js';
import type { Measure } from '../../model/rule.js';
import type { Scope } from '../../model/subject.js';
import type { BoundLimit } from '../../rules/matching/ruleset.js';
import type { FieldPattern } from '../../rules/policy/field-pattern.js';

/**
 * Machine-readable unit of a limit in a denial, by measure. The unit of a tier bucket is `TOKENS`.
 */
export const UNITS = {
  COST: 'TOKENS',
  CALLS: 'CALLS',
  REQUESTS: 'REQUESTS',
  NODES: 'NODES',
  TYPE_COST: 'TYPE_COST',
  FIELD_COST: 'FIELD_COST',
  SUBSCRIPTIONS: 'SUBSCRIPTIONS',
  CONNECTIONS: 'CONNECTIONS',
} as const satisfies Record<Measure, string>;

/** Nouns for messages, by measure: singular and plural. */
const NOUNS: Readonly<Record<Measure, readonly [one: string, several: string]>> = {
  COST: ['token', 'tokens'],
  CALLS: ['call', 'calls'],
  REQUESTS: ['request', 'requests'],
  NODES: ['object', 'objects'],
  TYPE_COST: ['point of type cost', 'points of type cost'],
  FIELD_COST: ['point of field cost', 'points of field cost'],
  SUBSCRIPTIONS: ['subscription', 'subscriptions'],
  CONNECTIONS: ['connection', 'connections'],
};

const SHARED_BY: Readonly<Record<Scope, string>> = {
  GLOBAL: 'for all callers together',
  TENANT: 'per tenant',
  USER: 'per caller',
  API_KEY: 'per API key',
  IP: 'per address',
  USER_AND_IP: 'per caller and address',
};

/**
 * Describes a limit in words: `3 calls of Query.search per minute per caller`.
 * @param total amount available when nothing is used
 */
export function describeLimit({ parameters, pattern, measure, scope }: BoundLimit, total: number): string {
  const { algorithm, windowMs = 0, refillAmount = 0, refillPeriodMs = 1 } = parameters;
  const of = pattern.wholeOperation ? '' : ` of ${wordsOf(pattern)}`;
  const amount = `${countOf(total, measure)}${of}`;
  const whose = SHARED_BY[scope];
  if (algorithm === 'CONCURRENCY') return `${amount} at a time ${whose}`;
  if (algorithm === 'TOKEN_BUCKET') return `${amount} ${whose}, refilled by ${refillAmount} ${per(refillPeriodMs)}`;
  if (algorithm === 'LEAKY_BUCKET')
    return `${amount} in the queue ${whose}, drained by ${refillAmount} ${per(refillPeriodMs)}`;
  if (algorithm === 'CALENDAR_WINDOW') return `${amount} per ${describePeriod(parameters)} ${whose}`;
  return `${amount} ${per(windowMs)} ${whose}`;
}

/**
 * Describes the period of a calendar window: `month (Europe/Berlin)`, `week (UTC, from day 3 at
 * 06:00)`.
 */
function describePeriod(parameters: CalendarParameters): string {
  const { every = 'MONTH', timeZone = 'UTC', anchorDay = 1, anchorTime = '00:00', anchor } = parameters;
  const day = anchor === 'SUBJECT' ? 'from the billing day' : anchorDay === 1 ? '' : `from day ${anchorDay}`;
  const start = [day, anchorTime === '00:00' ? '' : `at ${anchorTime}`].filter((part) => part !== '').join(' ');
  return `${every.toLowerCase()} (${timeZone}${start === '' ? '' : `, ${start}`})`;
}

/** Maximum number of field patterns that a description lists. */
const MOST_PATTERNS = 3;

function wordsOf({ patterns, text }: FieldPattern): string {
  const more = patterns.length - MOST_PATTERNS;
  return more > 0 ? `${patterns.slice(0, MOST_PATTERNS).join(', ')} and ${more} more` : text;
}

/** Formats a count with its noun: `1 call`, `3 calls`. */
export function countOf(count: number, measure: Measure): string {
  return `${count} ${NOUNS[measure][count === 1 ? 0 : 1]}`;
}

const UNITS_OF_TIME = [
  { ms: 86_400_000, one: 'day', several: 'days' },
  { ms: 3_600_000, one: 'hour', several: 'hours' },
  { ms: 60_000, one: 'minute', several: 'minutes' },
  { ms: 1000, one: 'second', several: 'seconds' },
] as const;

/**
 * Formats a period exactly, in the largest unit that divides it: `per minute`, `per 90 seconds`.
 */
function per(periodMs: number): string {
  const unit = UNITS_OF_TIME.find(({ ms }) => periodMs >= ms && periodMs % ms === 0);
  if (unit === undefined) return `per ${periodMs} ms`;
  return periodMs === unit.ms ? `per ${unit.one}` : `per ${periodMs / unit.ms} ${unit.several}`;
}

/**
 * Formats a wait: `23 seconds`. The value is rounded up, so that a client that waits this long does
 * not retry too early. Minutes are used from 2 minutes on, hours from 2 hours on, and days from 2
 * days on.
 */
export function waitText(waitMs: number): string {
  const { ms, one, several } = UNITS_OF_TIME.find((unit) => waitMs >= 2 * unit.ms) ?? UNITS_OF_TIME[3];
  const count = Math.max(1, Math.ceil(waitMs / ms));
  return `${count} ${count === 1 ? one : several}`;
}
