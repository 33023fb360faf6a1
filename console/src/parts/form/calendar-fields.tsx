import { timeZones } from '../../../../src/options/time-zones.js';
import type { CalendarAnchor, CalendarPeriod } from '../../generated/graphql.js';
import { calendarText as text } from '../../text/calendar-text.js';
import type { CalendarDraft } from '../text/calendar-words.js';
import { Labelled } from './labelled.js';
import { NumberInput } from './number-input.js';

const ZONES = timeZones();
/** Periods whose first day can be selected. */
const WITH_DAY: readonly CalendarPeriod[] = ['WEEK', 'MONTH', 'QUARTER', 'YEAR'];

export interface CalendarFieldsProps {
  value: CalendarDraft;
  /** Called with the changed members. A member that is undefined is removed. */
  onChange(change: Partial<CalendarDraft>): void;
}

/** Shows the form fields of a calendar window, for a limit of a rule or a budget. */
export function CalendarFields({ value, onChange }: CalendarFieldsProps) {
  const { every, anchor, carryOver } = value;
  const isOfSubject = anchor === 'SUBJECT';
  const hasDay = WITH_DAY.includes(every);
  /** Returns the input of an optional number. An empty input removes the member. */
  const optional = (label: string, help: string, number: number | null | undefined, set: (next?: number) => void) => (
    <Labelled label={label} help={help}>
      {(control) => (
        <NumberInput
          {...control}
          min={1}
          step={1}
          value={number ?? Number.NaN}
          onChange={(next) => set(Number.isNaN(next) ? undefined : next)}
        />
      )}
    </Labelled>
  );
  return (
    <>
      <Labelled label={text.amount}>
        {(control) => (
          <NumberInput
            {...control}
            required
            min={1}
            step={1}
            value={value.amount}
            onChange={(amount) => onChange({ amount })}
          />
        )}
      </Labelled>
      <Labelled label={text.every}>
        {(control) => (
          <select
            {...control}
            className="select"
            value={every}
            onChange={(event) => onChange(withEvery(event.target.value as CalendarPeriod))}
          >
            {Object.entries(text.periods).map(([period, title]) => (
              <option key={period} value={period}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label={text.timeZone}>
        {(control) => (
          <select
            {...control}
            className="select"
            value={value.timeZone ?? 'UTC'}
            onChange={(event) => onChange({ timeZone: event.target.value === 'UTC' ? undefined : event.target.value })}
          >
            {(ZONES.includes(value.timeZone ?? 'UTC') ? ZONES : [value.timeZone ?? 'UTC', ...ZONES]).map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        )}
      </Labelled>
      {hasDay && (
        <Labelled label={text.anchor} help={isOfSubject ? text.subjectHint : undefined}>
          {(control) => (
            <select
              {...control}
              className="select"
              value={anchor ?? 'CALENDAR'}
              onChange={(event) =>
                onChange(
                  (event.target.value as CalendarAnchor) === 'SUBJECT' ? { anchor: 'SUBJECT' } : { anchor: undefined },
                )
              }
            >
              {Object.entries(text.anchors).map(([name, title]) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      )}
      {hasDay &&
        optional(
          isOfSubject ? text.dayWithout : every === 'WEEK' ? text.dayOfWeek : text.dayOfMonth,
          every === 'WEEK' ? text.dayOfWeekHint : text.dayOfMonthHint,
          value.anchorDay,
          (anchorDay) => onChange({ anchorDay }),
        )}
      <Labelled label={text.time} help={text.timeHint}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="time"
            required
            value={value.anchorTime ?? '00:00'}
            onChange={(event) =>
              onChange({ anchorTime: event.target.value === '00:00' ? undefined : event.target.value })
            }
          />
        )}
      </Labelled>
      {optional(text.hardCap, text.hardCapHint, value.hardCap, (hardCap) => onChange({ hardCap }))}
      {optional(text.carryPercent, text.carryPercentHint, carryOver?.percent, (percent) =>
        onChange({ carryOver: percent === undefined ? undefined : { percent, max: carryOver?.max ?? value.amount } }),
      )}
      {carryOver &&
        optional(text.carryMax, text.carryMaxHint, carryOver.max, (max) =>
          onChange({ carryOver: { percent: carryOver.percent, max: max ?? Number.NaN } }),
        )}
    </>
  );
}

/** Returns the change to another period, without the members that have no effect on it. */
function withEvery(every: CalendarPeriod): Partial<CalendarDraft> {
  return { every, anchorDay: undefined, ...(!WITH_DAY.includes(every) && { anchor: undefined }) };
}
