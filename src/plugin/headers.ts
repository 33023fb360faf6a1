import type { BoundLimit } from '../rules/match.js';
import { type AnswerParts, isTierBucket } from './answer.js';

/**
 * The headers of an answer, names in lower case.
 *
 * `RateLimit-Policy` and `RateLimit` follow draft-ietf-httpapi-ratelimit-headers: one item per policy, `q` the quota and
 * `w` its window in seconds, `r` what is left and `t` the seconds until it is full again. `X-RateLimit-*` speak of the
 * tier's bucket alone; `X-RateLimit-Reset` is a UNIX time in seconds.
 */
export function quotaHeaders(parts: AnswerParts, nowMs: number): [string, string][] {
  const headers: [string, string][] = [
    ['cache-control', 'no-store'],
    ['x-ratelimit-cost', String(parts.actualCost ?? parts.requestedCost)],
  ];
  let policies = '';
  let quotas = '';
  for (const outcome of parts.outcomes) {
    const { limit, state } = outcome;
    // Shadows are between the platform and its admins.
    if (limit.mode === 'SHADOW') continue;
    const { name, policy } = itemsOf(limit);
    const seconds = Math.max(0, Math.ceil((state.resetAtMs - nowMs) / 1000));
    const separator = policies === '' ? '' : ', ';
    policies += separator + policy;
    quotas += `${separator}${name};r=${state.remaining};t=${seconds}`;
    if (!isTierBucket(outcome)) continue;
    headers.push(['x-ratelimit-limit', String(state.limit)]);
    headers.push(['x-ratelimit-remaining', String(state.remaining)]);
    headers.push(['x-ratelimit-reset', String(Math.ceil(state.resetAtMs / 1000))]);
  }
  if (policies !== '') headers.push(['ratelimit-policy', policies], ['ratelimit', quotas]);
  return headers;
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
  const items = { name, policy: `${name};q=${capacity}${window}` };
  knownItems.set(limit, items);
  return items;
}

/** A structured-field string (RFC 8941). Names are printable ASCII; what is not is left out, so no header is broken. */
function quoted(name: string): string {
  return `"${name.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&')}"`;
}
