import { duration, whole } from '../../parts/text/format.js';
import { healthText } from '../../text/health-text.js';

const { settings } = healthText;

export interface ShownSetting {
  value?: unknown;
  unit?: string | null;
}

/** Formats a setting with its unit for people: `25 ms`, `yes`, `100,000 callers`. */
export function settingText({ value, unit }: ShownSetting): string {
  if (value === null || value === undefined) return settings.notSet;
  if (typeof value === 'boolean') return value ? settings.yes : settings.no;
  if (typeof value === 'number') {
    if (unit === 'milliseconds') return duration(value);
    if (unit === 'HTTP status') return `${value}`;
    return unit ? `${whole(value)} ${value === 1 ? unit.replace(/(ss)?es$|s$/, '$1') : unit}` : whole(value);
  }
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : settings.none;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
