import { commonText } from '../../text/common-text.js';

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const TENTHS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const PRECISE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Formats a whole number: `12,345`. */
export function whole(value: number): string {
  return WHOLE.format(value);
}

/**
 * Formats a number in little space: `12.3K` from ten thousand on. A tooltip should have the whole
 * number.
 */
export function short(value: number): string {
  return Math.abs(value) < 10_000 ? (Number.isInteger(value) ? WHOLE : PRECISE).format(value) : SHORT.format(value);
}

/**
 * Formats a measured rate per second, without the unit. The rate is measured over about ten
 * seconds, with an error of some milliseconds. With more digits than tenths, one per second would
 * appear as `0.999`.
 */
export function measuredRate(perSecond: number): string {
  if (perSecond > 0 && perSecond < 0.05) return '<0.1';
  return perSecond < 100 ? TENTHS.format(perSecond) : short(Math.round(perSecond));
}

/**
 * Formats a fraction as a percentage: `12.3%`. A fraction above 0 never appears as `0%`, and a
 * fraction below 1 never appears as `100%`.
 */
export function percent(part: number): string {
  if (part >= 0.995 && part < 1) return '>99%';
  if (part > 0 && part < 0.001) return '<0.1%';
  const digits = part < 0.1 ? 1 : 0;
  return `${(part * 100).toFixed(digits).replace(/\.0$/, '')}%`;
}

const UNITS: readonly [number, string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
  [1, 'ms'],
];

/** Formats a duration with its two largest units: `2 h 5 min`, `850 ms`. */
export function duration(exactMs: number): string {
  if (exactMs < 1) return '0 ms';
  // A duration that rounds up to a second or a minute must not appear as 1000 ms or 60 s.
  const ms = exactMs >= 59_500 && exactMs < 60_000 ? 60_000 : Math.round(exactMs);
  const first = UNITS.findIndex(([unit]) => ms >= unit);
  const [unit, name] = UNITS[first]!;
  const [smaller, smallerName] = UNITS[first + 1] ?? [1, 'ms'];
  // From ten seconds on, fractions of a second are noise.
  if (unit === 1 || (unit === 1000 && ms >= 10_000)) return `${Math.round(ms / unit)} ${name}`;
  if (unit === 1000) return `${PRECISE.format(ms / 1000)} s`;
  const whole = Math.floor(ms / unit);
  const rest = Math.floor((ms - whole * unit) / smaller);
  return rest > 0 ? `${whole} ${name} ${rest} ${smallerName}` : `${whole} ${name}`;
}

/** Formats a rate: `100 per minute`, `3 per 15 min`. */
export function rate(amount: number, periodMs: number): string {
  return commonText.perPeriod(whole(amount), periodMs, duration(periodMs));
}

/**
 * Returns the relative difference to the previous number, or undefined if the previous number is
 * zero.
 */
export function change(now: number, before: number): number | undefined {
  return before > 0 ? (now - before) / before : undefined;
}
