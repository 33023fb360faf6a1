import { type AnswerParts, enforced, isTierBucket, type LimitOutcome } from './answer.js';

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
  const policies = enforced(parts.outcomes);
  if (policies.length > 0) {
    headers.push(['ratelimit-policy', policies.map(policyItem).join(', ')]);
    headers.push(['ratelimit', policies.map((outcome) => quotaItem(outcome, nowMs)).join(', ')]);
  }
  const bucket = policies.find(isTierBucket);
  if (bucket) {
    headers.push(['x-ratelimit-limit', String(bucket.state.limit)]);
    headers.push(['x-ratelimit-remaining', String(bucket.state.remaining)]);
    headers.push(['x-ratelimit-reset', String(Math.ceil(bucket.state.resetAtMs / 1000))]);
  }
  return headers;
}

/** `Retry-After` in whole seconds, never earlier than the truth. */
export function retryAfterSeconds(retryAfterMs: number): string {
  return String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
}

function policyItem({ limit, state }: LimitOutcome): string {
  const { windowMs, capacity = 0, refillAmount, refillPeriodMs } = limit.parameters;
  // A bucket's window is the time in which it fills up.
  const lengthMs =
    windowMs ?? (refillAmount && refillPeriodMs ? Math.ceil((capacity * refillPeriodMs) / refillAmount) : undefined);
  const window = lengthMs === undefined ? '' : `;w=${Math.max(1, Math.ceil(lengthMs / 1000))}`;
  return `${quoted(limit.ruleName)};q=${state.limit}${window}`;
}

function quotaItem({ limit, state }: LimitOutcome, nowMs: number): string {
  const seconds = Math.max(0, Math.ceil((state.resetAtMs - nowMs) / 1000));
  return `${quoted(limit.ruleName)};r=${state.remaining};t=${seconds}`;
}

/** A structured-field string (RFC 8941). Names are printable ASCII; what is not is left out, so no header is broken. */
function quoted(name: string): string {
  return `"${name.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&')}"`;
}
