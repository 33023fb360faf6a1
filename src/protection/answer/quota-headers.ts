import type { LimitParameters, LimitState } from '../../model/limit-parameters.js';
import type { BoundLimit } from '../../rules/matching/ruleset.js';
import type { AnswerParts } from './cost-extension.js';
import { UNITS } from './describe-limit.js';
import { nearestToDenying } from './limit-outcome.js';

/**
 * Header with the cost of an operation. Every response to a charged caller has it, even at cost 0,
 * unless the tier hides it.
 */
export const COST_HEADER = 'x-ratelimit-cost';

/** Header of a response to an operation whose document is not registered, with the step `WARN`. */
const DOCUMENT_HEADER = 'tollgate-document';

/**
 * Headers to list in `Access-Control-Expose-Headers`, so that scripts in a browser can read them
 * from a cross-origin response.
 */
export const QUOTA_HEADERS = [
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  COST_HEADER,
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  DOCUMENT_HEADER,
] as const;

/**
 * Sets the quota headers of a response, with names in lower case, and forbids caches to store it.
 *
 * `RateLimit-Policy` and `RateLimit` follow draft-ietf-httpapi-ratelimit-headers, with one item per
 * policy. In an item, `q` is the quota and `w` its window in seconds. `r` is the remaining amount,
 * and `t` is the number of seconds until a bucket is full again or a window ends. Older clients
 * read `X-RateLimit-Limit`, `-Remaining` and `-Reset`, which describe only the limit that is
 * closest to a denial. The value of `X-RateLimit-Reset` is a UNIX time in seconds.
 */
export function setQuotaHeaders(headers: Map<string, string>, parts: AnswerParts): void {
  headers.set('cache-control', 'no-store');
  if (parts.isUnregistered) headers.set(DOCUMENT_HEADER, 'unregistered');
  if (parts.detail === 'NONE') return;
  headers.set(COST_HEADER, String(parts.fee ?? parts.actualCost ?? parts.chargedCost ?? parts.requestedCost));
  // The seconds are computed with the clock that set `resetAtMs`. They are correct even if the
  // local clock is wrong.
  const decidingNowMs = Date.now() + (parts.clockAheadMs ?? 0);
  let policies = '';
  let quotas = '';
  for (const { limit, state } of parts.outcomes) {
    const { name, policy } = itemsOf(limit, state);
    const seconds = Math.max(0, Math.ceil((state.resetAtMs - decidingNowMs) / 1000));
    const separator = policies === '' ? '' : ', ';
    policies += separator + policy;
    quotas += `${separator}${name};r=${state.remaining};t=${seconds}`;
  }
  const nearest = nearestToDenying(parts.outcomes, parts.deniedBy);
  if (nearest === undefined) return;
  headers.set('ratelimit-policy', policies);
  headers.set('ratelimit', quotas);
  headers.set('x-ratelimit-limit', String(nearest.limit));
  headers.set('x-ratelimit-remaining', String(nearest.remaining));
  headers.set('x-ratelimit-reset', String(Math.ceil(nearest.resetAtMs / 1000)));
}

/**
 * Returns the value of `Retry-After` in whole seconds, rounded up so that it is never too early.
 */
export function retryAfterSeconds(retryAfterMs: number): string {
  return String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
}

/**
 * Constant parts of the header items of each limit. They are cached, because every response
 * contains them.
 */
const knownItems = new WeakMap<BoundLimit, { name: string; policy: string }>();

function itemsOf(limit: BoundLimit, state: LimitState): { name: string; policy: string } {
  // The periods of a calendar window have different lengths.
  if (limit.parameters.algorithm === 'CALENDAR_WINDOW') return createItems(limit, state.limit, state.windowMs);
  // The share of a region may change, so its items are not cached.
  if (state.part !== undefined) return createItems(limit, state.limit, lengthMsOf(state.part.parameters));
  const known = knownItems.get(limit);
  if (known) return known;
  const { amount, capacity = amount ?? 0 } = limit.parameters;
  const items = createItems(limit, capacity, lengthMsOf(limit.parameters));
  knownItems.set(limit, items);
  return items;
}

/** Returns the length of a window. For a bucket, that is the time in which an empty bucket fills up. */
function lengthMsOf({ windowMs, capacity = 0, refillAmount, refillPeriodMs }: LimitParameters): number | undefined {
  if (windowMs !== undefined || !refillAmount || !refillPeriodMs) return windowMs;
  return Math.ceil((capacity * refillPeriodMs) / refillAmount);
}

function createItems(limit: BoundLimit, quota: number, lengthMs: number | undefined) {
  const window = lengthMs === undefined ? '' : `;w=${Math.max(1, Math.ceil(lengthMs / 1000))}`;
  const name = quoted(limit.ruleName);
  return { name, policy: `${name};q=${quota}${window}${unitOf(limit)}` };
}

/**
 * Returns the parameter with the unit of `q` and `r`. The draft defines a unit for concurrency
 * slots, and counts an item without a unit in requests. For other units it requires parameters with
 * a vendor prefix.
 */
function unitOf({ measure, parameters }: BoundLimit): string {
  if (parameters.algorithm === 'CONCURRENCY') return ';qu="concurrent-requests"';
  return measure === 'REQUESTS' ? '' : `;tollgate-unit="${UNITS[measure].toLowerCase()}"`;
}

/**
 * Quotes a structured-field string (RFC 8941). Characters other than printable ASCII are removed
 * from the name, because they would make the header invalid.
 */
function quoted(name: string): string {
  return `"${name.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&')}"`;
}
