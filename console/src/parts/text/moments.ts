import { serverNow } from '../../api/server-clock.js';
/** Time zone of the browser. All times of the page are in it. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

const UTC_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/**
 * Formats the UTC day that begins at this moment, such as `28 Nov`. Usage by day is stored by UTC
 * days.
 */
export function utcDay(at: string | number): string {
  return UTC_DAY.format(new Date(at));
}

/**
 * Formats a moment. A moment of today has no day, and a moment of another year has the year.
 */
export function momentOf(at: string | number, nowMs = serverNow()): string {
  const [date, now] = [new Date(at), new Date(nowMs)];
  if (date.toDateString() === now.toDateString()) return TIME.format(date);
  const day = date.getFullYear() === now.getFullYear() ? DAY : DAY_OF_YEAR;
  return `${day.format(date)}, ${TIME.format(date).slice(0, 5)}`;
}

/** Formats a moment with day and seconds, for tooltips. */
export function fullMoment(at: string | number): string {
  return FULL.format(new Date(at));
}

const STEPS: readonly [number, Intl.RelativeTimeFormatUnit][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
];
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Formats a relative time: `3 minutes ago`, `in 2 days`. */
export function fromNow(at: string | number, nowMs = serverNow()): string {
  const ms = new Date(at).getTime() - nowMs;
  const [unit, name] = STEPS.find(([unit]) => Math.abs(ms) >= unit) ?? STEPS.at(-1)!;
  return RELATIVE.format(Math.round(ms / unit), name);
}
