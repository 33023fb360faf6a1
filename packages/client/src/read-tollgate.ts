import type { BucketReport, BudgetReport, GraphqlAnswer, GraphqlAnswerError, HttpAnswer } from './budget-report.js';

/** Upper bound of plausible numbers. Sums of larger ones would not be exact. */
const MOST = 1e15;

/** Reads Tollgate's answers: `extensions.cost`, the extensions of a `THROTTLED` error, and `Retry-After`. */
export function readTollgate(answer: GraphqlAnswer | undefined, http?: HttpAnswer): BudgetReport {
  const cost = recordOf(answer?.extensions?.['cost']);
  const throttled = errorsOf(answer).find(({ extensions }) => extensions?.['code'] === 'THROTTLED')?.extensions;
  const priced = numberOf(cost?.['requestedQueryCost']);
  const bucket = readThrottleStatus(cost?.['throttleStatus']);
  if (hasRun(answer)) return { requestedCost: priced, bucket };
  // The sender's address pays for a rejected credential, so the numbers are those of another caller.
  if (isUnauthenticated(answer, http)) return {};
  // A denied operation may not have been priced yet, and a rejected one pays a fee instead.
  const requestedCost = priced || (throttled ? undefined : numberOf(cost?.['fee']));
  if (throttled) {
    const told = throttled['retryAfterMs'];
    // The pacer decides what is too long to wait for.
    const retryAfterMs = typeof told === 'number' && told >= 0 ? told : http && retryAfterOf(http);
    const deniedBy = textOf(throttled['deniedBy']) || undefined;
    const isConcurrency = throttled['isConcurrency'] === true || undefined;
    return { requestedCost, bucket, denial: { retryAfterMs, deniedBy, isConcurrency } };
  }
  // A rule may give its denials a code of its own: the status identifies them.
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
  const text = http.header('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - serverTimeOf(http));
}

/** What time it is for the server, whose dates are by its own clock; by ours, where it does not say. */
export function serverTimeOf(http: HttpAnswer | undefined): number {
  const atMs = Date.parse(http?.header('date') ?? '');
  return Number.isNaN(atMs) ? Date.now() : atMs;
}

/** Those of its errors that are any, whatever has come in their place. */
export function errorsOf(answer: GraphqlAnswer | undefined): GraphqlAnswerError[] {
  const errors: unknown = answer?.errors;
  return Array.isArray(errors) ? errors.filter((error) => recordOf(error) !== undefined) : [];
}

/**
 * Whether something of the operation has run, whatever its errors say: there is data, or an error of a field. A field may be
 * denied by an API behind this one; to send the operation again would run the rest of it twice.
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

function isUnauthenticated(answer: GraphqlAnswer | undefined, http: HttpAnswer | undefined): boolean {
  return http?.status === 401 || errorsOf(answer).some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED');
}
