/** Length of the time buckets of a range. */
export type Bucket = 'MINUTE' | 'HOUR' | 'DAY';

export const BUCKET_MS: Record<Bucket, number> = { MINUTE: 60_000, HOUR: 3_600_000, DAY: 86_400_000 };

/** Lengths of the ranges that end now, in milliseconds, by their value in the URL. */
const PRESETS = {
  '15m': 15 * 60_000,
  '1h': 3_600_000,
  '3h': 3 * 3_600_000,
  '24h': 86_400_000,
  '7d': 7 * 86_400_000,
  '30d': 30 * 86_400_000,
  '90d': 90 * 86_400_000,
} as const;

export type Preset = keyof typeof PRESETS;

/** Value in the URL for the previous day. */
export const YESTERDAY = 'yesterday';

export interface TimeRange {
  fromMs: number;
  toMs: number;
  bucket: Bucket;
  /** Preset of a range that ends now and moves forward. Undefined: the range is fixed. */
  preset: Preset | undefined;
  /** Whether the range is the previous day in the time zone of the browser. */
  isYesterday: boolean;
}

/**
 * Reads a range from the URL: `1h`, `yesterday`, or two moments,
 * `2026-01-31T12:00:00Z~2026-01-31T13:00:00Z`. An invalid value means the default. A range that
 * ends now moves forward in steps of one time bucket, so that requests within a step are identical.
 */
export function readRange(text: string | null, nowMs: number, defaultPreset: Preset = '1h'): TimeRange {
  const isYesterday = text === YESTERDAY;
  const [from, to] = isYesterday ? dayBefore(nowMs) : (text ?? '').split('~').map((part) => Date.parse(part));
  if (from !== undefined && to !== undefined && from < to) {
    return { fromMs: from, toMs: to, bucket: bucketFor(to - from, nowMs - from), preset: undefined, isYesterday };
  }
  const preset = text !== null && Object.hasOwn(PRESETS, text) ? (text as Preset) : defaultPreset;
  const ms = PRESETS[preset];
  const bucket = bucketFor(ms, ms);
  const bucketMs = BUCKET_MS[bucket];
  const toMs = Math.floor(nowMs / bucketMs) * bucketMs + bucketMs;
  return { fromMs: toMs - ms, toMs, bucket, preset, isYesterday };
}

/** Returns the start and the end of the previous day in the time zone of the browser. */
function dayBefore(nowMs: number): [fromMs: number, toMs: number] {
  const now = new Date(nowMs);
  const startOf = (day: number) => new Date(now.getFullYear(), now.getMonth(), day).getTime();
  return [startOf(now.getDate() - 1), startOf(now.getDate())];
}

/**
 * Returns the length of the time buckets that the platform uses for a range. Up to three hours, it
 * uses minutes, and up to eight days, hours. It keeps minutes for three days and hours for 35 days.
 */
function bucketFor(lengthMs: number, ageMs: number): Bucket {
  if (lengthMs <= 3 * 3_600_000 && ageMs <= 3 * 86_400_000) return 'MINUTE';
  if (lengthMs <= 8 * 86_400_000 && ageMs <= 35 * 86_400_000) return 'HOUR';
  return 'DAY';
}

/** Returns the range of the same length right before this one. */
export function rangeBefore(range: TimeRange): TimeRange {
  return { ...range, fromMs: 2 * range.fromMs - range.toMs, toMs: range.fromMs, preset: undefined, isYesterday: false };
}

/** Converts a range to the input of the admin API. */
export function rangeInput({ fromMs, toMs }: TimeRange): { from: string; to: string } {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

/** Formats the part of a chart that the user has selected, extended to whole minutes. */
export function zoomedRange(fromMs: number, toMs: number): string {
  const minute = BUCKET_MS.MINUTE;
  return writeRange(Math.floor(fromMs / minute) * minute, Math.ceil(toMs / minute) * minute);
}

/** Returns the value of a date-time input: a local time in whole minutes. */
export function toLocalInput(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * BUCKET_MS.MINUTE;
  return new Date(ms - offsetMs).toISOString().slice(0, 16);
}

/** Formats two moments for the URL. */
export function writeRange(fromMs: number, toMs: number): string {
  return `${new Date(fromMs).toISOString()}~${new Date(toMs).toISOString()}`;
}
