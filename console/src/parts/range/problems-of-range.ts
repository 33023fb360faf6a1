import { commonText } from '../../text/common-text.js';

const { custom } = commonText.range;
const DAY_MS = 86_400_000;

/** Messages for the start and the end of a range. Both are undefined for a valid range. */
export interface RangeProblems {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Returns the problems of a range: a missing time, a wrong order, a start in the future, or too
 * many days.
 */
export function problemsOfRange(
  fromMs: number,
  toMs: number,
  { maxDays, nowMs }: { maxDays: number; nowMs: number },
): RangeProblems {
  return { from: problemOfStart(fromMs, nowMs), to: problemOfEnd(fromMs, toMs, maxDays) };
}

function problemOfStart(fromMs: number, nowMs: number): string | undefined {
  if (Number.isNaN(fromMs)) return custom.missing;
  return fromMs >= nowMs ? custom.future : undefined;
}

function problemOfEnd(fromMs: number, toMs: number, maxDays: number): string | undefined {
  if (Number.isNaN(toMs)) return custom.missing;
  if (toMs <= fromMs) return custom.order;
  return toMs - fromMs > maxDays * DAY_MS ? custom.tooLong(maxDays) : undefined;
}
