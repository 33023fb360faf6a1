import type { BoundLimit } from '../../rules/matching/ruleset.js';
import type { AnswerParts } from './cost-extension.js';
import { UNITS } from './describe-limit.js';
import { nearestToDenying } from './limit-outcome.js';

/** On every answer that a caller has paid for, be it with nothing, unless nothing is to be told. */
export const COST_HEADER = 'x-ratelimit-cost';

/** What a browser may read of an answer from another origin. */
export const QUOTA_HEADERS = [
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  COST_HEADER,
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const;

/**
 * Sets the headers of an answer, names in lower case.
 *
 * `RateLimit-Policy` and `RateLimit` follow draft-ietf-httpapi-ratelimit-headers: one item per policy, `q` the quota and
 * `w` its window in seconds, `r` what is left and `t` the seconds until it is full again. `X-RateLimit-Limit`, `-Remaining`
 * and `-Reset`, which older clients read, have one limit: the one that is nearest to denying. `X-RateLimit-Reset` is a UNIX
 * time in seconds.
 */
export function setQuotaHeaders(headers: Map<string, string>, parts: AnswerParts, nowMs: number): void {
  headers.set('cache-control', 'no-store');
  if (parts.detail === 'NONE') return;
  headers.set(COST_HEADER, String(parts.fee ?? parts.actualCost ?? parts.chargedCost ?? parts.requestedCost));
  // Seconds from now are so many whatever clock is wrong.
  const decidingNowMs = nowMs + (parts.clockAheadMs ?? 0);
  let policies = '';
  let quotas = '';
  for (const { limit, state } of parts.outcomes) {
    const { name, policy } = itemsOf(limit);
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

/** `Retry-After` in whole seconds, never earlier than the truth. */
export function retryAfterSeconds(retryAfterMs: number): string {
  return String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
}

/** What of a limit's items is the same on every answer; made once per limit, since it stands on every answer. */
const knownItems = new WeakMap<BoundLimit, { name: string; policy: string }>();

function itemsOf(limit: BoundLimit): { name: string; policy: string } {
  const known = knownItems.get(limit);
  if (known) return known;
  const { windowMs, amount, capacity = amount ?? 0, refillAmount, refillPeriodMs } = limit.parameters;
  // A bucket's window is the time in which it fills up.
  const lengthMs =
    windowMs ?? (refillAmount && refillPeriodMs ? Math.ceil((capacity * refillPeriodMs) / refillAmount) : undefined);
  const window = lengthMs === undefined ? '' : `;w=${Math.max(1, Math.ceil(lengthMs / 1000))}`;
  const name = quoted(limit.ruleName);
  const items = { name, policy: `${name};q=${capacity}${window}${unitOf(limit)}` };
  knownItems.set(limit, items);
  return items;
}

/**
 * What `q` and `r` count. The draft has a unit for concurrency slots, and takes what has none for requests;
 * it leaves all else to parameters that begin with the name of who needs them.
 */
function unitOf({ measure, parameters }: BoundLimit): string {
  if (parameters.algorithm === 'CONCURRENCY') return ';qu="concurrent-requests"';
  return measure === 'REQUESTS' ? '' : `;tollgate-unit="${UNITS[measure].toLowerCase()}"`;
}

/** A structured-field string (RFC 8941). Names are printable ASCII; what is not is left out, so no header is broken. */
function quoted(name: string): string {
  return `"${name.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&')}"`;
}
