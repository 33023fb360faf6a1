import type { BucketReport, BudgetReport, GraphqlAnswer, GraphqlAnswerError, HttpAnswer } from './budget-report.js';

/** Upper bound of plausible numbers. Sums of larger numbers would not be exact. */
const MOST = 1e15;

/** Error codes of operations that have not run, and may be sent again after a wait. */
const RETRIED: ReadonlySet<unknown> = new Set(['THROTTLED', 'UNDECIDED']);

/**
 * Reads Tollgate's responses: `extensions.cost`, the extensions of a `THROTTLED` or `UNDECIDED`
 * error, and `Retry-After`.
 */
export function readTollgate(answer: GraphqlAnswer | undefined, http?: HttpAnswer): BudgetReport {
  const cost = recordOf(answer?.extensions?.['cost']);
  const throttled = errorsOf(answer).find(({ extensions }) => RETRIED.has(extensions?.['code']))?.extensions;
  const priced = numberOf(cost?.['requestedQueryCost']);
  const ofTier = readThrottleStatus(cost?.['throttleStatus']);
  const ofKey = readThrottleStatus(cost?.['keyStatus']);
  // The pacer follows one bucket: the one that contains less, because it is empty first.
  const bucket = ofTier && ofKey ? (ofKey.available < ofTier.available ? ofKey : ofTier) : (ofKey ?? ofTier);
  if (hasRun(answer)) return { requestedCost: priced, bucket: cost?.['unlimited'] === true ? null : bucket };
  // The fee of an invalid credential is charged to the sender's address, so the numbers belong to
  // another caller.
  if (http?.status === 401 || hasCode(answer, 'UNAUTHENTICATED')) return {};
  // A denied operation may not have been priced yet. A rejected operation is charged the fee
  // instead of its price.
  const requestedCost = priced || (throttled ? undefined : numberOf(cost?.['fee']));
  if (throttled) {
    const statedMs = throttled['retryAfterMs'];
    // The pacer decides whether the wait is too long.
    const retryAfterMs = typeof statedMs === 'number' && statedMs >= 0 ? statedMs : http && retryAfterOf(http);
    const deniedBy = textOf(throttled['deniedBy']) || undefined;
    const isConcurrency = throttled['isConcurrency'] === true || undefined;
    return { requestedCost, bucket, denial: { retryAfterMs, deniedBy, isConcurrency } };
  }
  // A rule may define its own error code for denials. Such a denial is recognized by its status.
  if (http?.status === 429) return { requestedCost, bucket, denial: { retryAfterMs: retryAfterOf(http) } };
  return { requestedCost, bucket };
}

/** Reads a bucket in the format that Shopify introduced. */
export function readThrottleStatus(value: unknown): BucketReport | undefined {
  const status = recordOf(value);
  const capacity = numberOf(status?.['maximumAvailable']);
  const available = numberOf(status?.['currentlyAvailable']);
  const restorePerSecond = numberOf(status?.['restoreRate']);
  if (capacity === undefined || available === undefined || restorePerSecond === undefined) return undefined;
  return { capacity, available, restorePerSecond };
}

/** Returns `Retry-After` in milliseconds. The header contains seconds or a date. */
export function retryAfterOf(http: HttpAnswer): number | undefined {
  const text = http.header('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - serverTimeOf(http));
}

/**
 * Returns the current time by the clock of the server, from the `Date` header. Without this header,
 * it returns the local time.
 */
export function serverTimeOf(http: HttpAnswer | undefined): number {
  const atMs = Date.parse(http?.header('date') ?? '');
  return Number.isNaN(atMs) ? Date.now() : atMs;
}

/** Returns the errors that are objects. The member `errors` may have any value. */
export function errorsOf(answer: GraphqlAnswer | undefined): GraphqlAnswerError[] {
  const errors: unknown = answer?.errors;
  return Array.isArray(errors) ? errors.filter(recordOf) : [];
}

/** Returns whether one of the errors has this code. */
export function hasCode(answer: GraphqlAnswer | undefined, code: string): boolean {
  return errorsOf(answer).some(({ extensions }) => extensions?.['code'] === code);
}

/**
 * Returns whether a part of the operation has run: the response has data, or an error of a field.
 * If only a service behind the API denied a field, a retry would run the rest of the operation
 * twice.
 */
export function hasRun(answer: GraphqlAnswer | undefined): boolean {
  const isThere = (value: unknown) => value !== undefined && value !== null;
  return isThere(answer?.data) || errorsOf(answer).some(({ path }) => isThere(path));
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= MOST ? value : undefined;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
