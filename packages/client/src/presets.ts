import type { BudgetReport, GraphqlAnswer, HttpAnswer } from './budget-report.js';
import {
  errorsOf,
  hasCode,
  hasRun,
  numberOf,
  readThrottleStatus,
  recordOf,
  retryAfterOf,
  serverTimeOf,
  textOf,
} from './read-tollgate.js';

/**
 * Reads responses of Shopify's Admin API: `extensions.cost` with a bucket, and denials with status
 * 200 and code `THROTTLED`. A denial reports no wait; the pacer computes the wait from the bucket.
 */
export function readShopify(answer: GraphqlAnswer | undefined, http?: HttpAnswer): BudgetReport {
  const cost = recordOf(answer?.extensions?.['cost']);
  const requestedCost = numberOf(cost?.['requestedQueryCost']);
  const bucket = readThrottleStatus(cost?.['throttleStatus']);
  const isDenied = http?.status === 429 || hasCode(answer, 'THROTTLED');
  if (!isDenied || hasRun(answer)) return { requestedCost, bucket };
  const headerMs = http && retryAfterOf(http);
  const missing = (requestedCost ?? 0) - (bucket?.available ?? 0);
  const refill =
    bucket && bucket.restorePerSecond > 0 ? (Math.max(0, missing) / bucket.restorePerSecond) * 1000 : undefined;
  return { requestedCost, bucket, denial: { retryAfterMs: headerMs ?? refill } };
}

/**
 * Reads responses of GitHub's GraphQL API. Its primary limit counts points in fixed windows of an
 * hour, reported by headers. Its secondary limits deny all operations for a while. Source: GitHub's
 * documentation, "Rate limits and query limits for the GraphQL API".
 */
export function readGithub(answer: GraphqlAnswer | undefined, http?: HttpAnswer): BudgetReport {
  const limit = headerNumber(http, 'x-ratelimit-limit');
  const remaining = headerNumber(http, 'x-ratelimit-remaining');
  const resetSeconds = headerNumber(http, 'x-ratelimit-reset');
  const untilReset = resetSeconds === undefined ? undefined : untilGithubReset(resetSeconds * 1000, http);
  const bucket =
    limit === undefined || remaining === undefined || !isGithubGraphqlBudget(http)
      ? undefined
      : { capacity: limit, available: remaining, restorePerSecond: 0, resetAfterMs: untilReset };
  const requestedCost = numberOf(recordOf(recordOf(answer?.data)?.['rateLimit'])?.['cost']);
  if (!isGithubDenial(answer, http, remaining) || hasRun(answer)) return { requestedCost, bucket };
  const headerMs = http && retryAfterOf(http);
  const isPrimary = remaining === 0 && untilReset !== undefined;
  const retryAfterMs = headerMs ?? (isPrimary ? untilReset : GITHUB_SECONDARY_WAIT_MS);
  return { bucket, denial: { retryAfterMs, isForAll: true } };
}

/** GitHub's documented wait after a denial by a secondary limit that reports no time. */
const GITHUB_SECONDARY_WAIT_MS = 60_000;

/**
 * Returns whether the headers report the GraphQL budget of this caller. A response with status 401
 * reports the budget of the IP address. `x-ratelimit-resource` names another budget if it is not
 * `graphql`.
 */
function isGithubGraphqlBudget(http: HttpAnswer | undefined): boolean {
  return http?.status !== 401 && (http?.header('x-ratelimit-resource') ?? 'graphql') === 'graphql';
}

function isGithubDenial(answer: GraphqlAnswer | undefined, http: HttpAnswer | undefined, remaining?: number): boolean {
  const status = http?.status ?? 200;
  // A failing server may also send `Retry-After`, but it may have run the operation.
  if (status >= 500) return false;
  if (status === 429 || (http && retryAfterOf(http) !== undefined)) return true;
  if (status === 403 && remaining === 0) return true;
  const { message } = (recordOf(answer) ?? {}) as { message?: unknown };
  return (
    SECONDARY_LIMIT.test(textOf(message)) ||
    errorsOf(answer).some((error) => {
      const { type, message } = error as { type?: unknown; message?: unknown };
      return RATE_LIMIT.test(textOf(type)) || SECONDARY_LIMIT.test(textOf(message));
    })
  );
}

const RATE_LIMIT = /^RATE_LIMIT(ED)?$/;
const SECONDARY_LIMIT = /secondary rate limit|abuse detection/i;

const GITHUB_WINDOW_MS = 3_600_000;

/**
 * Returns the milliseconds until the window ends. A script of another origin cannot read the date
 * of a response, and the local clock may be wrong. So without a date, the function ignores a reset
 * in the past, and returns at most the length of a window.
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
