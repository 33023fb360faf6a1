import { serverNow } from '../../api/server-clock.js';
import { commonText } from '../../text/common-text.js';
import { Labelled, type Problem } from './labelled.js';

const { expiry: text } = commonText;
const DAY_MS = 86_400_000;

/** Days until a secret expires. Empty: it never expires. */
export type ExpiryDays = keyof typeof text.days;

/** `same`: the expiry of an edited secret stays as it is. */
export type ExpiryChoice = ExpiryDays | 'same';

const CHOICES: readonly ExpiryDays[] = ['30', '90', '365', ''];

export interface ExpiryFieldProps<Value extends ExpiryChoice> {
  value: Value;
  /** Whether the expiry may stay as it is. @default false */
  mayStay?: boolean;
  problems: readonly Problem[];
  onChange(value: Value): void;
}

/** Shows the choice of when a new secret expires. */
export function ExpiryField<Value extends ExpiryChoice>(props: ExpiryFieldProps<Value>) {
  const { value, mayStay = false, problems, onChange } = props;
  return (
    <Labelled label={text.label} problems={problems}>
      {(control) => (
        <select
          {...control}
          className="select"
          value={value}
          onChange={(event) => onChange(event.target.value as Value)}
        >
          {mayStay && <option value="same">{text.same}</option>}
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
