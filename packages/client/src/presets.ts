import type { BudgetReport, GraphqlAnswer, HttpAnswer } from './budget-report.js';
import {
  errorsOf,
  hasRun,
  numberOf,
  readThrottleStatus,
  recordOf,
  retryAfterOf,
  serverTimeOf,
} from './read-tollgate.js';

/**
 * Shopify's Admin API: `extensions.cost` with a bucket, denials with status 200 and code `THROTTLED`. It does not say when
 * the operation passes; the bucket does.
 */
export function readShopify(answer: GraphqlAnswer | undefined, http?: HttpAnswer): BudgetReport {
  const cost = recordOf(answer?.extensions?.['cost']);
  const requestedCost = numberOf(cost?.['requestedQueryCost']);
  const bucket = readThrottleStatus(cost?.['throttleStatus']);
  const isDenied =
    http?.status === 429 || errorsOf(answer).some(({ extensions }) => extensions?.['code'] === 'THROTTLED');
  if (!isDenied || hasRun(answer)) return { requestedCost, bucket };
  const told = http && retryAfterOf(http);
  const missing = (requestedCost ?? 0) - (bucket?.available ?? 0);
  const refill =
    bucket && bucket.restorePerSecond > 0 ? (Math.max(0, missing) / bucket.restorePerSecond) * 1000 : undefined;
  return { requestedCost, bucket, denial: { retryAfterMs: told ?? refill } };
}

/**
 * GitHub's GraphQL API: points in an hour that starts anew as a whole, told by headers. The primary limit comes with status 200
 * or 403 and nothing left; the secondary one with `Retry-After`.
 */
export function readGithub(answer: GraphqlAnswer | undefined, http?: HttpAnswer): BudgetReport {
  const limit = headerNumber(http, 'x-ratelimit-limit');
  const remaining = headerNumber(http, 'x-ratelimit-remaining');
  const resetSeconds = headerNumber(http, 'x-ratelimit-reset');
  const untilReset = resetSeconds === undefined ? undefined : untilGithubReset(resetSeconds * 1000, http);
  const bucket =
    limit === undefined || remaining === undefined
      ? undefined
      : { capacity: limit, available: remaining, restorePerSecond: 0, resetAfterMs: untilReset };
  const told = http && retryAfterOf(http);
  const isRateLimited =
    // A server that is down tells when to come back, too: what it was sent may have run.
    (told !== undefined && (http?.status ?? 500) < 500) ||
    errorsOf(answer).some((error) => (error as { type?: unknown }).type === 'RATE_LIMITED') ||
    (remaining === 0 && (http?.status === 403 || http?.status === 429));
  if (!isRateLimited || hasRun(answer)) return { bucket };
  return { bucket, denial: { retryAfterMs: told ?? untilReset } };
}

const GITHUB_WINDOW_MS = 3_600_000;

/**
 * A page of another origin cannot read the date of an answer, and its own clock may be wrong: what has passed by it, or is
 * further off than a window is long, is no more than a guess.
 */
function untilGithubReset(resetMs: number, http: HttpAnswer | undefined): number | undefined {
  const leftMs = resetMs - serverTimeOf(http);
  if (http?.header('date')) return Math.max(0, leftMs);
  return leftMs < 0 ? undefined : Math.min(leftMs, GITHUB_WINDOW_MS);
}

function headerNumber(http: HttpAnswer | undefined, name: string): number | undefined {
  const text = http?.header(name);
  return text === null || text === undefined || text === '' ? undefined : numberOf(Number(text));
}
