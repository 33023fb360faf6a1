import type { Measure, RuleLimitInput, Scope } from '../../generated/graphql.js';
import { calendarWords } from '../../parts/text/calendar-words.js';
import { duration, whole } from '../../parts/text/format.js';
import { commonText } from '../../text/common-text.js';
import { rulesText } from '../../text/rules-text.js';

const { limit: text, missing } = rulesText;

export interface LimitWords {
  /** Singular and plural of the counted unit. */
  units: readonly [one: string, several: string];
  /** Callers who share the limit, with a space before them. Empty: the sentence names them. */
  whose: string;
}

/** Describes the limits of a rule in words: `10 calls per minute per user`. */
export function limitsText(
  limits: readonly RuleLimitInput[],
  { measure, scope }: { measure: Measure; scope: Scope },
): string {
  if (limits.length === 0) return text.none;
  return limitWords(limits, { units: rulesText.units[measure], whose: ` ${rulesText.whose[scope]}` });
}

/** Describes limits in words, for a sentence that names their callers or their unit itself. */
export function limitWords(limits: readonly RuleLimitInput[], words: LimitWords): string {
  return limits.map((limit) => oneLimit(limit, words)).join(text.and);
}

function oneLimit(limit: RuleLimitInput, { units, whose }: LimitWords): string {
  const amount = (count: number) => `${shown(count, whole)} ${units[count === 1 ? 0 : 1]}`;
  const { tokenBucket, leakyBucket, concurrency, fixedWindow, calendarWindow } = limit;
  const window = fixedWindow ?? limit.slidingWindowCounter ?? limit.slidingWindowLog;
  if (tokenBucket) {
    const { capacity, refillAmount, refillPeriodMs } = tokenBucket;
    return text.tokenBucket(amount(capacity), whose, perPeriod(shown(refillAmount, whole), refillPeriodMs));
  }
  if (leakyBucket) {
    const { capacity, refillAmount, refillPeriodMs } = leakyBucket;
    return text.leakyBucket(perPeriod(amount(refillAmount), refillPeriodMs), whose, shown(capacity, whole));
  }
  if (concurrency) {
    const shared = text.concurrency(amount(concurrency.capacity), whose);
    const limit = concurrency.perConnection ? text.perConnection(shared) : shared;
    return concurrency.maxWaitMs ? text.waits(limit, duration(concurrency.maxWaitMs)) : limit;
  }
  if (calendarWindow) return calendarWords(calendarWindow, amount(calendarWindow.amount), whose, missing);
  if (!window) return missing;
  const rate = `${perPeriod(amount(window.amount), window.windowMs)}${whose}`;
  return fixedWindow ? text.fixedWindow(rate) : rate;
}

function perPeriod(amount: string, periodMs: number): string {
  return commonText.perPeriod(amount, periodMs, shown(periodMs, duration));
}

/** Formats a number of a form, which may still be missing. */
function shown(value: number, format: (value: number) => string): string {
  return Number.isNaN(value) ? missing : format(value);
}
