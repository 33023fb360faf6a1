import { serverNow } from '../../api/server-clock.js';
import { commonText } from '../../text/common-text.js';
import { Labelled, type Problem } from './labelled.js';

const { expiry: text } = commonText;
const DAY_MS = 86_400_000;

/** Days until a secret expires. Empty: it never expires. */
export type ExpiryDays = keyof typeof text.days;

const CHOICES: readonly ExpiryDays[] = ['30', '90', '365', ''];

export interface ExpiryFieldProps {
  value: ExpiryDays;
  problems: readonly Problem[];
  onChange(value: ExpiryDays): void;
}

/** Shows the choice of when a new secret expires. */
export function ExpiryField({ value, problems, onChange }: ExpiryFieldProps) {
  return (
    <Labelled label={text.label} problems={problems}>
      {(control) => (
        <select
          {...control}
          className="select"
          value={value}
          onChange={(event) => onChange(event.target.value as ExpiryDays)}
        >
          {CHOICES.map((days) => (
            <option key={days} value={days}>
              {text.days[days]}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** Returns the expiry of a secret that is created now, or null if the secret never expires. */
export function expiryAfter(days: ExpiryDays): string | null {
  return days === '' ? null : new Date(serverNow() + Number(days) * DAY_MS).toISOString();
}
