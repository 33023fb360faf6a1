import { ERRORS, errorOf } from '../model/errors.js';
import type { Identify, IdentifyRequest } from '../model/identify.js';
import { MAX_FILL_MS, MAX_UNITS } from '../model/limit-parameters.js';
import { type IdentifiedSubject, isFieldOfKey, KEY_KINDS } from '../model/subject.js';
import { findCalendarMistakes } from '../options/find-calendar-mistakes.js';
import { isCalendarDate } from '../options/is-calendar-date.js';
import { didYouMean } from '../options/nearest-name.js';
import { isPromise } from '../runtime/is-promise.js';
import { withTimeout } from '../runtime/with-timeout.js';
import { authenticationError } from './authentication-error.js';

/**
 * Kind of an `identify` failure. `threw`: it threw an error that is not meant for the caller.
 * `answer`: its result is invalid. `timeout`: it returned no result in time.
 */
type IdentifyFailureKind = 'threw' | 'answer' | 'timeout';

/**
 * Handler of `identify` failures. The error has a stack. For an invalid result, its message
 * describes the expected and the returned result.
 */
export type OnIdentifyFailed = (kind: IdentifyFailureKind, error: Error) => void;

/**
 * Wraps the `identify` of the server and checks its result. An invalid result fails the request. If
 * the caller were treated as anonymous instead, they would get the bucket, and perhaps the tier, of
 * other callers.
 *
 * Errors that `identify` throws:
 * - An error with `extensions`, such as a GraphQL error, is passed to the caller unchanged.
 * - An error with status 401 becomes `UNAUTHENTICATED`. The caller does not receive its message.
 * - Any other error becomes `IDENTIFY_FAILED`. The caller receives no detail of it.
 * @param timeoutMs time after which the request fails with 503; a later result is ignored
 */
export function askIdentify<Context>(
  identify: Identify<Context>,
  onFailed: OnIdentifyFailed,
  timeoutMs: number,
): Identify<Context> {
  function rejectionOf(error: unknown): unknown {
    if (isForCaller(error)) return error;
    const { status, statusCode } = (error ?? {}) as { status?: unknown; statusCode?: unknown };
    if (status === 401 || statusCode === 401) return authenticationError('the server rejected them');
    onFailed('threw', error instanceof Error ? error : new Error(`identify threw ${kindOf(error)}`));
    return failure('it threw an error');
  }

  function checked(found: IdentifiedSubject): IdentifiedSubject {
    let mistake: string | undefined;
    try {
      mistake = findStranger(found);
      if (mistake === undefined) {
        const subject = copyOf(found);
        mistake = findMistake(subject);
        if (mistake === undefined) return subject;
      }
    } catch (error) {
      throw rejectionOf(error); // A getter of the result threw.
    }
    onFailed('answer', new TypeError(`identify: ${mistake}`));
    throw failure(mistake);
  }

  /**
   * Limits the wait for a result. Otherwise requests and their connections would accumulate while a
   * session store hangs.
   */
  function inTime(found: Promise<IdentifiedSubject>): Promise<IdentifiedSubject> {
    return withTimeout(found, timeoutMs, () => {
      const mistake = `it did not answer within ${timeoutMs} ms`;
      onFailed('timeout', new Error(`identify: ${mistake}`));
      throw failure(mistake, 503);
    });
  }

  return (request: IdentifyRequest<Context>) => {
    let found: ReturnType<Identify<Context>>;
    try {
      found = identify(request);
    } catch (error) {
      throw rejectionOf(error);
    }
    if (!isPromise(found)) return checked(found);
    return inTime(Promise.resolve(found)).then(checked, (error) => {
      throw rejectionOf(error);
    });
  };
}

const MEMBERS: { readonly [Member in keyof Required<IdentifiedSubject>]: (value: unknown) => string | undefined } = {
  user: notText,
  tenant: notText,
  apiKey: notText,
  keyKind: notKind,
  keyBudget: notKeyBudget,
  keyFields: notFields,
  ip: notText,
  tier: notText,
  bucket: notBucket,
  billingAnchor: notBillingAnchor,
};

/**
 * Returns a copy of a result. The object belongs to the server, which may change it before the
 * operation is settled, or reuse it for the next caller.
 */
function copyOf(found: IdentifiedSubject): IdentifiedSubject {
  const { user, tenant, apiKey, keyKind, keyBudget, keyFields, ip, tier, bucket, billingAnchor } = found;
  return { user, tenant, apiKey, keyKind, keyBudget, keyFields, ip, tier, bucket, billingAnchor };
}

/**
 * Returns the mistake in the form of a result: it is not an object, or has an unknown property.
 * Returns undefined if there is none.
 */
function findStranger(found: unknown): string | undefined {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    return `expected an object such as { user: "ann" }, or {} for an anonymous caller, got ${kindOf(found)}`;
  }
  for (const name in found) {
    if (Object.hasOwn(MEMBERS, name)) continue;
    const known = Object.keys(MEMBERS);
    return `expected only ${known.join(', ')}, got ${name}${didYouMean(name, known)}`;
  }
  return undefined;
}

/**
 * Returns the mistake in the members of a result; undefined if there is none. The text contains no
 * values, which may be secrets.
 */
function findMistake(subject: IdentifiedSubject): string | undefined {
  for (const name in subject) {
    const value: unknown = subject[name as keyof IdentifiedSubject];
    if (value === undefined) continue;
    const mistake = MEMBERS[name as keyof IdentifiedSubject](value);
    if (mistake !== undefined) return `${name}: ${mistake}, got ${kindOf(value)}`;
  }
  if (subject.keyBudget !== undefined && subject.apiKey === undefined) return 'keyBudget: set apiKey too';
  return undefined;
}

function notText(value: unknown): string | undefined {
  if (typeof value === 'string') return undefined;
  return typeof value === 'number' ? 'expected a string, such as String(id)' : 'expected a string, or undefined';
}

function notBillingAnchor(value: unknown): string | undefined {
  return isCalendarDate(value) ? undefined : 'expected a date as YYYY-MM-DD';
}

function notKind(value: unknown): string | undefined {
  return (KEY_KINDS as readonly unknown[]).includes(value) ? undefined : `expected ${KEY_KINDS.join(' or ')}`;
}

function notFields(value: unknown): string | undefined {
  if (Array.isArray(value) && value.every(isFieldOfKey)) return undefined;
  return 'expected a list of fields such as ["Query.user", "User.*"]';
}

function notBucket(value: unknown): string | undefined {
  const { capacity, refillAmount, refillPeriodMs } = (value ?? {}) as Record<string, unknown>;
  const isGood = [capacity, refillAmount, refillPeriodMs].every((one) => Number.isInteger(one) && (one as number) > 0);
  if (!isGood) return 'expected { capacity, refillAmount, refillPeriodMs } of whole numbers';
  const units = Number(capacity) * Number(refillPeriodMs);
  if (units > MAX_UNITS) return 'expected capacity x refillPeriodMs of at most 2^52';
  if (units > MAX_FILL_MS * Number(refillAmount)) return 'expected a bucket that fills up within 34 years (2^40 ms)';
  return undefined;
}

function notKeyBudget(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('calendar' in value)) return notBucket(value);
  const { calendar } = value;
  if (typeof calendar !== 'object' || calendar === null || Object.keys(value).length > 1)
    return 'expected only calendar, as { amount, every }, or a bucket';
  for (const { path } of findCalendarMistakes(calendar)) return `expected a valid calendar.${path.join('.')}`;
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return `a ${typeof value}`;
}

function failure(mistake: string, status?: number) {
  return errorOf('IDENTIFY_FAILED', `${ERRORS.IDENTIFY_FAILED.message}: ${mistake}`, { status });
}

/** Returns whether an error is meant for the caller. */
function isForCaller(error: unknown): boolean {
  const { extensions } = (error ?? {}) as { extensions?: unknown };
  return error instanceof Error && typeof extensions === 'object' && extensions !== null;
}
