import { AssertionError } from 'node:assert';
import type { Answer } from '../protection/answer/answer-of.js';

/** Result of one operation that a test has sent. */
export interface TestResult {
  /** Whether the operation was admitted. */
  readonly admitted: boolean;
  /** Code of the first error, such as `THROTTLED`; undefined without an error. */
  readonly code: string | undefined;
  /** Message of the first error; undefined without an error. */
  readonly message: string | undefined;
  /**
   * Name of the limit that denied the operation, such as `tier:free` or the name of a rule;
   * undefined if no limit denied it.
   */
  readonly deniedBy: string | undefined;
  /**
   * Milliseconds after which the operation would be admitted; undefined if waiting is not required
   * or does not help.
   */
  readonly retryAfterMs: number | undefined;
  /** Names of all limits in shadow mode that would have denied the operation. */
  readonly shadowDeniedBy: readonly string[];
  /**
   * Estimated cost in tokens; 0 if the operation has no price, for example because it is invalid.
   */
  readonly requestedCost: number;
  /**
   * Tokens charged after settlement, or by the decision if the operation still runs; 0 for a
   * denial. Does not include a fee.
   */
  readonly paidCost: number;
  /**
   * HTTP response that a client would receive. Its body is empty for an operation that still runs.
   */
  readonly response: Answer;
}

/** Expected properties of an admitted operation. */
export interface ExpectedAdmission {
  /** Expected estimated cost in tokens. */
  cost?: number | undefined;
}

/** Expected properties of a denial. Properties that are absent are not compared. */
export interface ExpectedDenial {
  /** Name of the limit that denied the operation, such as `tier:free` or the name of a rule. */
  by?: string | undefined;
  /** Code of the error. */
  code?: string | undefined;
  /** Milliseconds after which the operation would be admitted. */
  retryAfterMs?: number | undefined;
}

/**
 * Returns the result if the operation was admitted, and has the expected cost if one is given.
 * @throws AssertionError whose message contains the code and message of the denial, or both costs
 * @example expectAdmitted(await tollgate.send({ caller, query: '{ products(first: 10) { id } }' }), { cost: 11 });
 */
export function expectAdmitted(result: TestResult, expected: ExpectedAdmission = {}): TestResult {
  return reject(findAdmissionDifference(awaited(result), expected), 'admitted', result, expectAdmitted);
}

/**
 * Returns the result if the operation was denied and all expected properties match.
 * @throws AssertionError whose message contains the differences
 * @example expectDenied(await tollgate.send({ caller, query }), { by: 'search-per-user', retryAfterMs: 60_000 });
 */
export function expectDenied(result: TestResult, expected: ExpectedDenial = {}): TestResult {
  return reject(findDenialDifference(awaited(result), expected), 'denied', result, expectDenied);
}

/** Describes how a result differs from an expected admission; undefined if it does not. */
export function findAdmissionDifference(result: TestResult, { cost }: ExpectedAdmission): string | undefined {
  if (!result.admitted) return `expected the operation to be admitted; it was ${describeResult(result)}`;
  if (cost === undefined || cost === result.requestedCost) return undefined;
  return `expected a cost of ${cost} tokens, got ${result.requestedCost}`;
}

/** Describes how a result differs from an expected denial; undefined if it does not. */
export function findDenialDifference(
  result: TestResult,
  { by, code, retryAfterMs }: ExpectedDenial,
): string | undefined {
  if (result.admitted) return `expected the operation to be denied; it was ${describeResult(result)}`;
  const members = [
    ['the limit', by, result.deniedBy],
    ['the code', code, result.code],
    ['retryAfterMs', retryAfterMs, result.retryAfterMs],
  ] as const;
  const differences = members.flatMap(([name, wanted, got]) =>
    wanted === undefined || wanted === got ? [] : [`${name} ${wanted}, got ${got ?? 'none'}`],
  );
  if (differences.length === 0) return undefined;
  return `expected ${differences.join('; ')}. The operation was ${describeResult(result)}`;
}

function describeResult({ admitted, requestedCost, code, message }: TestResult): string {
  if (admitted) return `admitted at a cost of ${requestedCost} tokens`;
  return `denied with ${code ?? 'no code'}: ${message ?? 'no message'}`;
}

/**
 * Returns the result. @throws TypeError for a promise, so that a missing `await` does not hide a
 * failure
 */
function awaited(result: TestResult): TestResult {
  if (typeof result?.admitted === 'boolean') return result;
  throw new TypeError('expected the result of tollgate.send: await it first');
}

function reject(
  difference: string | undefined,
  expected: string,
  result: TestResult,
  stackStartFn: typeof expectAdmitted | typeof expectDenied,
): TestResult {
  if (difference === undefined) return result;
  const actual = result.admitted ? 'admitted' : 'denied';
  throw new AssertionError({ message: difference, actual, expected, operator: stackStartFn.name, stackStartFn });
}
