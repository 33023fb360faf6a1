import { ERRORS, errorOf } from '../model/errors.js';
import type { Identify, IdentifyRequest } from '../model/identify.js';
import { MAX_FILL_MS, MAX_UNITS } from '../model/limit-parameters.js';
import type { IdentifiedSubject } from '../model/subject.js';
import { didYouMean } from '../options/nearest-name.js';
import { isPromise } from '../runtime/is-promise.js';
import { withTimeout } from '../runtime/with-timeout.js';
import { authenticationError } from './authentication-error.js';

/** How `identify` failed: by an error that is not a refusal, by an answer that names no caller, or by none in time. */
type IdentifyFailureKind = 'threw' | 'answer' | 'timeout';

/** Called for every failure: with an error that has the stack, and in words what was expected and came. */
export type OnIdentifyFailed = (kind: IdentifyFailureKind, error: Error) => void;

/**
 * `identify` as the server gave it, with what it answers looked at. A caller of whom it says something that no counter can be
 * kept by is refused: taken for anonymous they would have a bucket, and perhaps a tier, that are not theirs. What it throws
 * for the caller, as GraphQL errors and with status 401, goes out as it is; nothing of any other error does.
 *
 * @param timeoutMs what has not answered by then is refused with 503, and what it answers later is not used
 */
export function askIdentify<Context>(
  identify: Identify<Context>,
  onFailed: OnIdentifyFailed,
  timeoutMs: number,
): Identify<Context> {
  function refusalOf(error: unknown): unknown {
    if (isForCaller(error)) return error;
    const { status, statusCode } = (error ?? {}) as { status?: unknown; statusCode?: unknown };
    if (status === 401 || statusCode === 401) return authenticationError('they were refused');
    onFailed('threw', error instanceof Error ? error : new Error(`identify threw ${kindOf(error)}`));
    return failure('it threw an error');
  }

  function checked(found: IdentifiedSubject): IdentifiedSubject {
    let mistake: string | undefined;
    try {
      mistake = findStranger(found);
      if (mistake === undefined) {
        const said = copyOf(found);
        mistake = findMistake(said);
        if (mistake === undefined) return said;
      }
    } catch (error) {
      throw refusalOf(error); // A getter of its own threw.
    }
    onFailed('answer', new TypeError(`identify: ${mistake}`));
    throw failure(mistake);
  }

  /** The requests of a session store that hangs would otherwise pile up, each with its connection. */
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
      throw refusalOf(error);
    }
    if (!isPromise(found)) return checked(found);
    return inTime(Promise.resolve(found)).then(checked, (error) => {
      throw refusalOf(error);
    });
  };
}

const MEMBERS: { readonly [Member in keyof Required<IdentifiedSubject>]: (value: unknown) => string | undefined } = {
  user: notText,
  tenant: notText,
  apiKey: notText,
  ip: notText,
  tier: notText,
  bucket: notBucket,
};

/** What an answer says now. Its object is the server's, which may change it before the operation is settled, or use it for the next caller. */
function copyOf({ user, tenant, apiKey, ip, tier, bucket }: IdentifiedSubject): IdentifiedSubject {
  return { user, tenant, apiKey, ip, tier, bucket };
}

/** Why an answer, which may be anything, is no subject, or what it has that no subject has. */
function findStranger(found: unknown): string | undefined {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    return `expected an object such as { user: "ann" }, or {} for a caller that is not known, got ${kindOf(found)}`;
  }
  for (const name in found) {
    if (Object.hasOwn(MEMBERS, name)) continue;
    const known = Object.keys(MEMBERS);
    return `expected nothing but ${known.join(', ')}, got ${name}${didYouMean(name, known)}`;
  }
  return undefined;
}

/** What is wrong with the members of an answer; no text of it is shown, as it may be a secret. */
function findMistake(said: IdentifiedSubject): string | undefined {
  for (const name in said) {
    const value: unknown = said[name as keyof IdentifiedSubject];
    if (value === undefined) continue;
    const mistake = MEMBERS[name as keyof IdentifiedSubject](value);
    if (mistake !== undefined) return `${name}: ${mistake}, got ${kindOf(value)}`;
  }
  return undefined;
}

function notText(value: unknown): string | undefined {
  if (typeof value === 'string') return undefined;
  return typeof value === 'number' ? 'expected a text, such as String(id)' : 'expected a text, or undefined';
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

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return `a ${typeof value}`;
}

function failure(mistake: string, status?: number) {
  return errorOf('IDENTIFY_FAILED', `${ERRORS.IDENTIFY_FAILED.message}: ${mistake}`, { status });
}

/** Made to be read by callers. */
function isForCaller(error: unknown): boolean {
  const { extensions } = (error ?? {}) as { extensions?: unknown };
  return error instanceof Error && typeof extensions === 'object' && extensions !== null;
}
