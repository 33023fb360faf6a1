import type { RuleLimitInput } from '../../../generated/graphql.js';
import { CalendarFields } from '../../../parts/form/calendar-fields.js';
import { Labelled } from '../../../parts/form/labelled.js';
import { membersGiven } from '../../../parts/form/members-given.js';
import { NumberInput } from '../../../parts/form/number-input.js';
import { commonText } from '../../../text/common-text.js';
import { rulesText } from '../../../text/rules-text.js';

export type LimitKind = keyof RuleLimitInput;

const { limitForm: text } = rulesText;
const KINDS: Record<LimitKind, string> = text.kinds;

interface NumberField {
  name: string;
  label: string;
  /** Initial value; undefined for an optional field. */
  first: number | undefined;
  isTime?: boolean;
}

/**
 * Number fields and initial values of each kind of limit. Durations are entered in seconds. A
 * calendar window has other fields.
 */
const NUMBERS: Record<Exclude<LimitKind, 'calendarWindow'>, readonly NumberField[]> = {
  tokenBucket: bucket(),
  leakyBucket: bucket(),
  fixedWindow: window_(),
  slidingWindowCounter: window_(),
  slidingWindowLog: window_(),
  concurrency: [
    { name: 'capacity', label: text.concurrent, first: 5 },
    { name: 'leaseMs', label: text.timeout, first: 60_000, isTime: true },
    { name: 'maxWaitMs', label: text.longestWait, first: undefined, isTime: true },
    { name: 'maxQueue', label: text.queue, first: undefined },
  ],
};

function bucket() {
  return [
    { name: 'capacity', label: text.capacity, first: 100 },
    { name: 'refillAmount', label: text.refill, first: 10 },
    { name: 'refillPeriodMs', label: text.refillPeriod, first: 1000, isTime: true },
  ];
}
function window_() {
  return [
    { name: 'amount', label: text.amount, first: 60 },
    { name: 'windowMs', label: text.window, first: 60_000, isTime: true },
  ];
}

export function firstLimit(kind: LimitKind): RuleLimitInput {
  if (kind === 'calendarWindow') return { calendarWindow: { amount: 10_000, every: 'MONTH' } };
  const needed = NUMBERS[kind].filter(({ first }) => first !== undefined);
  const numbers = Object.fromEntries(needed.map(({ name, first }) => [name, first]));
  return { [kind]: numbers } as unknown as RuleLimitInput;
}

export interface LimitFieldsProps {
  limit: RuleLimitInput;
  onChange(limit: RuleLimitInput): void;
  onRemove(): void;
}

/** Shows the form fields of one limit of a rule. Members without a form field keep their values. */
export function LimitFields({ limit, onChange, onRemove }: LimitFieldsProps) {
  const [kind, values] = Object.entries(limit)[0] as [LimitKind, Record<string, unknown>];
  return (
    <fieldset className="limit-fields">
      <legend className="visually-hidden">{text.limit}</legend>
      <label className="field">
        <span className="field-label">{text.kind}</span>
        <select
          className="select"
          value={kind}
          onChange={(event) => onChange(firstLimit(event.target.value as LimitKind))}
        >
          {Object.entries(KINDS).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {limit.calendarWindow && (
        <CalendarFields
          value={limit.calendarWindow}
          onChange={(change) => onChange({ calendarWindow: membersGiven({ ...limit.calendarWindow!, ...change }) })}
        />
      )}
      {(kind === 'calendarWindow' ? [] : NUMBERS[kind]).map(({ name, label, first, isTime }) => (
        <Labelled key={name} label={label}>
          {(control) => (
            <NumberInput
              {...control}
              required={first !== undefined}
              min={isTime ? 0.001 : 0}
              step={isTime ? 'any' : 1}
              value={isTime ? Number(values[name]) / 1000 : Number(values[name])}
              onChange={(number) => {
                const { [name]: _before, ...others } = values;
                const isRemoved = first === undefined && Number.isNaN(number);
                const value = isTime ? Math.round(number * 1000) : number;
                onChange({ [kind]: isRemoved ? others : { ...others, [name]: value } } as RuleLimitInput);
              }}
            />
          )}
        </Labelled>
      ))}
      {limit.concurrency && (
        <label className="check">
          <input
            type="checkbox"
            checked={limit.concurrency.perConnection ?? false}
            onChange={({ target }) => {
              const { perConnection: _before, ...others } = limit.concurrency!;
              onChange({ concurrency: target.checked ? { ...others, perConnection: true } : others });
            }}
          />
          {text.perConnection}
        </label>
      )}
      <button type="button" className="button" onClick={onRemove}>
        {commonText.remove}
      </button>
    </fieldset>
  );
}
