import type { Measure } from '../../model/rule.js';
import type { Scope } from '../../model/subject.js';
import type { BoundLimit } from '../../rules/matching/ruleset.js';

/** What a limit counts, as a denial names it to programs. A tier's bucket has no rule, and holds tokens. */
export const UNITS = {
  COST: 'TOKENS',
  CALLS: 'CALLS',
  REQUESTS: 'REQUESTS',
  NODES: 'NODES',
  TYPE_COST: 'TYPE_COST',
  FIELD_COST: 'FIELD_COST',
} as const satisfies Record<Measure, string>;

/** One of them, and several, as people say it. */
const NOUNS: Readonly<Record<Measure, readonly [one: string, several: string]>> = {
  COST: ['token', 'tokens'],
  CALLS: ['call', 'calls'],
  REQUESTS: ['request', 'requests'],
  NODES: ['object', 'objects'],
  TYPE_COST: ['point of type cost', 'points of type cost'],
  FIELD_COST: ['point of field cost', 'points of field cost'],
};

const SHARED_BY: Readonly<Record<Scope, string>> = {
  GLOBAL: 'for all callers together',
  TENANT: 'for each tenant',
  USER: 'for each user',
  API_KEY: 'for each API key',
  IP: 'for each address',
};

/**
 * A limit in words: `3 calls of Query.search a minute for each user`.
 * @param total how much there is when nothing is used
 */
export function describeLimit({ parameters, pattern, measure, scope }: BoundLimit, total: number): string {
  const { algorithm, windowMs = 0, refillAmount = 0, refillPeriodMs = 1 } = parameters;
  const of = pattern.wholeOperation ? '' : ` of ${pattern.text}`;
  const amount = `${countOf(total, measure)}${of}`;
  const whose = SHARED_BY[scope];
  if (algorithm === 'CONCURRENCY') return `${amount} at a time ${whose}`;
  if (algorithm === 'TOKEN_BUCKET')
    return `${amount} at once, refilled by ${refillAmount} ${per(refillPeriodMs)}, ${whose}`;
  if (algorithm === 'LEAKY_BUCKET')
    return `${amount} waiting, drained by ${refillAmount} ${per(refillPeriodMs)}, ${whose}`;
  return `${amount} ${per(windowMs)} ${whose}`;
}

/** `1 call`, `3 calls`. */
export function countOf(count: number, measure: Measure): string {
  return `${count} ${NOUNS[measure][count === 1 ? 0 : 1]}`;
}

const UNITS_OF_TIME = [
  { ms: 86_400_000, one: 'a day', several: 'days', short: 'd' },
  { ms: 3_600_000, one: 'an hour', several: 'hours', short: 'h' },
  { ms: 60_000, one: 'a minute', several: 'minutes', short: 'min' },
  { ms: 1000, one: 'a second', several: 'seconds', short: 's' },
] as const;

/** `a minute`, `in 90 seconds`: exact, in the largest unit of which it is a multiple. */
function per(periodMs: number): string {
  const unit = UNITS_OF_TIME.find(({ ms }) => periodMs >= ms && periodMs % ms === 0);
  if (unit === undefined) return `in ${periodMs} ms`;
  return periodMs === unit.ms ? unit.one : `in ${periodMs / unit.ms} ${unit.several}`;
}

/** `23 s`: rounded up, so that who waits as long does not come too early; at least two of the unit, but of seconds. */
export function waitText(waitMs: number): string {
  const { ms, short } = UNITS_OF_TIME.find((unit) => waitMs >= 2 * unit.ms) ?? UNITS_OF_TIME[3];
  return `${Math.max(1, Math.ceil(waitMs / ms))} ${short}`;
}
