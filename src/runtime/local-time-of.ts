/** Local date and time, to the minute. Months count from 1. */
interface LocalTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Upper bounds of the offset from UTC. No time zone has, or had, a larger offset. */
const MAX_BEHIND_MS = 16 * HOUR_MS;
const MAX_AHEAD_MS = 16 * HOUR_MS;

/** Returns the local time in a time zone at an instant, in epoch milliseconds. */
export function localTimeOf(timeZone: string, atMs: number): LocalTime {
  const local = new Date(localMs(timeZone, atMs));
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
  };
}

/**
 * Returns the instant of a local time, in epoch milliseconds. A time that does not exist, because
 * clocks skip it, maps to the first instant after the gap. A time that exists twice maps to the
 * first of the two. Days and months outside of their range overflow: day 0 is the last day of the
 * month before.
 */
export function instantOf(timeZone: string, { year, month, day, hour, minute }: LocalTime): number {
  const wanted = Date.UTC(year, month - 1, day, hour, minute);
  let low = wanted - MAX_AHEAD_MS;
  let high = wanted + MAX_BEHIND_MS;
  // The offset in force at the start of the range comes first: it finds the earlier of two instants.
  for (const known of [low, high]) {
    const instant = wanted - (localMs(timeZone, known) - known);
    if (localMs(timeZone, instant) === wanted) return instant;
  }
  // The time is in a gap. Local times before the gap are earlier than the wanted one, and those
  // after it are later, so the end of the gap is found by bisection.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (localMs(timeZone, middle) < wanted) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Returns the day of the week of a date, from 1 (Monday) to 7 (Sunday). The day of the month may
 * overflow.
 */
export function weekdayOf({ year, month, day }: Pick<LocalTime, 'year' | 'month' | 'day'>): number {
  // The calendar repeats every 400 years, and `Date.UTC` takes the years from 0 to 99 for 1900 to 1999.
  return new Date(Date.UTC(year + 400, month - 1, day)).getUTCDay() || 7;
}

/** Returns the local time at an instant as if it were in UTC, in epoch milliseconds. */
function localMs(timeZone: string, atMs: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(atMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((atMs % 1000) + 1000) % 1000);
}

/**
 * Formats by time zone. The creation of a format takes a hundred times as long as its use.
 * Administrators choose the names, and the runtime knows about 600 of them.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, made);
  return made;
}
