/** The local time of one time zone. Local times are epoch milliseconds as if the zone were UTC. */
export interface ZoneClock {
  localOf(timeMs: number): number;
  /**
   * Returns the time at which the clocks of the zone first show a local time. For a local time that
   * they skip, it is the first moment after the gap.
   */
  firstTimeAt(localMs: number): number;
}

const HOUR_MS = 3_600_000;

/**
 * Clocks by zone. A formatter takes about 50 microseconds to create. Names of zones come from rules
 * only, so the number of names is small.
 */
const clocks = new Map<string, ZoneClock>();
const MAX_CLOCKS = 1000;

export function zoneClock(timeZone: string): ZoneClock {
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    if (clocks.size >= MAX_CLOCKS) clocks.clear();
    clock = createZoneClock(timeZone);
    clocks.set(timeZone, clock);
  }
  return clock;
}

function createZoneClock(timeZone: string): ZoneClock {
  const format = new Intl.DateTimeFormat('en-US', {
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

  function localOf(timeMs: number): number {
    const read: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(timeMs)) read[type] = Number(value);
    const { year, month, day, hour, minute, second } = read;
    // The formatter drops the milliseconds.
    const milliseconds = timeMs - Math.floor(timeMs / 1000) * 1000;
    return Date.UTC(year!, month! - 1, day, hour, minute, second) + milliseconds;
  }

  function firstTimeAt(localMs: number): number {
    // Offsets lie between -12 and +14 hours, so the time is between these two. Each zone changes
    // its offset at most once within this time.
    const from = localMs - 15 * HOUR_MS;
    const to = localMs + 13 * HOUR_MS;
    const before = localMs - (localOf(from) - from);
    const after = localMs - (localOf(to) - to);
    // The clocks show a repeated local time first with the earlier offset.
    if (localOf(before) === localMs) return before;
    if (localOf(after) === localMs) return after;
    // The clocks skip this local time. They change at a full second.
    let [early, late] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
    while (late - early > 1) {
      const middle = Math.floor((early + late) / 2);
      if (localOf(middle * 1000) < localMs) early = middle;
      else late = middle;
    }
    return late * 1000;
  }

  return { localOf, firstTimeAt };
}
