import type { BucketReport, BudgetReport, GraphqlAnswer, HttpAnswer } from './budget-report.js';

/** Reads what Tollgate answers: `extensions.cost`, the extensions of a `THROTTLED` error, and `Retry-After`. */
export function readTollgate(answer: GraphqlAnswer | undefined, http?: HttpAnswer): BudgetReport {
  const cost = recordOf(answer?.extensions?.['cost']);
  const throttled = answer?.errors?.find(({ extensions }) => extensions?.['code'] === 'THROTTLED')?.extensions;
  const requestedCost = numberOf(cost?.['requestedQueryCost']) || undefined;
  const bucket = readThrottleStatus(cost?.['throttleStatus']);
  if (throttled) {
    const retryAfterMs = numberOf(throttled['retryAfterMs']) ?? (http && retryAfterOf(http));
    return { requestedCost, bucket, denial: { retryAfterMs, deniedBy: textOf(throttled['deniedBy']) } };
  }
  // A rule may give its denials another code; the status tells them.
  if (http?.status === 429) return { requestedCost, bucket, denial: { retryAfterMs: retryAfterOf(http) } };
  return { requestedCost, bucket };
}

/** A bucket in the form that Shopify's answers have had first. */
export function readThrottleStatus(value: unknown): BucketReport | undefined {
  const status = recordOf(value);
  const capacity = numberOf(status?.['maximumAvailable']);
  const available = numberOf(status?.['currentlyAvailable']);
  const restorePerSecond = numberOf(status?.['restoreRate']);
  if (capacity === undefined || available === undefined || restorePerSecond === undefined) return undefined;
  return { capacity, available, restorePerSecond };
}

/** `Retry-After` in milliseconds: seconds, or a date. */
export function retryAfterOf(http: HttpAnswer): number | undefined {
  const text = http.header('retry-after');
  if (text === null || text.trim() === '') return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
