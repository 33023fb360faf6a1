import { useId, useState } from 'react';
import { timeZones } from '../../../../../src/options/time-zones.js';
import type { RuleCreateInput, Weekday } from '../../../generated/graphql.js';
import { Labelled } from '../../../parts/form/labelled.js';
import { toLocalInput } from '../../../parts/range/shown-range.js';
import { TIME_ZONE } from '../../../parts/text/moments.js';
import { rulesText } from '../../../text/rules-text.js';
import type { RuleFieldsProps } from './rule-choice.js';

const { times: text } = rulesText;

/** Members of a rule that these fields show. */
export const TIMES: readonly string[] = ['schedule', 'activeFrom', 'activeUntil'] satisfies (keyof RuleCreateInput)[];

const DAYS = Object.keys(text.days) as Weekday[];

/** Shows the fields for the times at which a rule applies. They are folded for a rule without any. */
export function TimeFields({ draft, problems, onChange }: RuleFieldsProps) {
  const { schedule, activeFrom, activeUntil } = draft;
  const [isOpen, setOpen] = useState(() => Boolean(schedule ?? activeFrom ?? activeUntil));
  const zones = useId();
  const of = (...path: string[]) => problems.filter(({ field }) => path.every((name, at) => field[at] === name));
  const isWrong = problems.some(({ field }) => TIMES.includes(field[0] ?? ''));
  const set = (change: Partial<NonNullable<RuleCreateInput['schedule']>>) =>
    onChange({ schedule: { timeZone: TIME_ZONE, from: '00:00', to: '24:00', ...schedule, ...change } });
  const days = schedule?.days ?? DAYS;
  const choose = (day: Weekday, isChosen: boolean) => {
    const chosen = DAYS.filter((one) => (one === day ? isChosen : days.includes(one)));
    set({ days: chosen.length === DAYS.length ? undefined : chosen });
  };
  const hour = (name: 'from' | 'to', help?: string) => (
    <Labelled label={text[name]} help={help} problems={of('schedule', name)}>
      {(control) => (
        <input
          {...control}
          className="input"
          pattern="([01][0-9]|2[0-3]):[0-5][0-9]|24:00"
          title={text.hourFormat}
          required
          value={schedule?.[name] ?? ''}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      )}
    </Labelled>
  );
  const moment = (name: 'activeFrom' | 'activeUntil') => (
    <Labelled label={text[name]} help={text.browserZone(TIME_ZONE)} problems={of(name)}>
      {(control) => (
        <input
          {...control}
          className="input"
          type="datetime-local"
          value={draft[name] ? toLocalInput(Date.parse(draft[name])) : ''}
          onChange={(event) => onChange({ [name]: momentIn(event.target.value) })}
        />
      )}
    </Labelled>
  );
  return (
    <details
      className="card advanced"
      open={isOpen || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      // A browser cannot show its message at a folded input.
      onInvalidCapture={() => setOpen(true)}
    >
      <summary>{text.title}</summary>
      <div className="fields card-body">
        <label className="check">
          <input
            type="checkbox"
            checked={schedule !== undefined && schedule !== null}
            onChange={(event) => (event.target.checked ? set({}) : onChange({ schedule: undefined }))}
          />
          {text.hasSchedule}
        </label>
        {schedule && (
          <>
            <fieldset className="choice">
              <legend className="field-label">{text.daysTitle}</legend>
              {DAYS.map((day) => (
                <label key={day} className="check">
                  <input
                    type="checkbox"
                    checked={days.includes(day)}
                    onChange={(event) => choose(day, event.target.checked)}
                  />
                  {text.days[day]}
                </label>
              ))}
            </fieldset>
            {hour('from')}
            {hour('to', text.toHint)}
            <Labelled label={text.timeZone} problems={of('schedule', 'timeZone')}>
              {(control) => (
                <input
                  {...control}
                  className="input"
                  list={zones}
                  required
                  value={schedule.timeZone ?? ''}
                  onChange={(event) => set({ timeZone: event.target.value })}
                />
              )}
            </Labelled>
            <datalist id={zones}>
              {timeZones().map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
          </>
        )}
        {moment('activeFrom')}
        {moment('activeUntil')}
      </div>
    </details>
  );
}

/** Returns the moment of a text of an input. Undefined while the text is incomplete. */
function momentIn(local: string): string | undefined {
  const at = Date.parse(local);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
