import { MAX_COST } from '../../../../src/model/limit-parameters.js';
import { CalendarFields } from '../../parts/form/calendar-fields.js';
import { Labelled, type Problem } from '../../parts/form/labelled.js';
import { membersGiven } from '../../parts/form/members-given.js';
import { NumberInput } from '../../parts/form/number-input.js';
import type { CalendarDraft } from '../../parts/text/calendar-words.js';
import { duration } from '../../parts/text/format.js';
import { callersText } from '../../text/callers-text.js';
import { type Bucket, bucketOf, type MaybeBucket } from '../tiers/bucket-text.js';
import { NEW_BUDGET } from '../tiers/tier-draft.js';

const { keys: text } = callersText;

const PERIODS_MS = [1000, 60_000, 3_600_000, 86_400_000];
const NEW_BUCKET: Bucket = { capacity: Number.NaN, refillAmount: Number.NaN, refillPeriodMs: 3_600_000 };

type BudgetKind = keyof typeof text.budgetKinds;

/** The budget of a key in a form. A number that is still missing is NaN. Null for no budget. */
type KeyBudgetDraft = Bucket | { calendar: CalendarDraft } | null;

/** First drafts of each kind of budget. */
const FIRST: Record<BudgetKind, KeyBudgetDraft> = {
  NONE: null,
  BUCKET: NEW_BUCKET,
  CALENDAR: { calendar: NEW_BUDGET },
};

export function draftOfKeyBudget(
  stored: (MaybeBucket & { calendar?: CalendarDraft | null }) | null | undefined,
): KeyBudgetDraft {
  if (!stored) return null;
  return stored.calendar ? { calendar: membersGiven(stored.calendar) } : (bucketOf(stored) ?? null);
}

export interface KeyBudgetFieldsProps {
  budget: KeyBudgetDraft;
  problems: readonly Problem[];
  onChange(budget: KeyBudgetDraft): void;
}

/** Shows the form fields of the budget of a key: a token bucket, or an amount for each period. */
export function KeyBudgetFields({ budget, problems, onChange }: KeyBudgetFieldsProps) {
  const kind: BudgetKind = budget === null ? 'NONE' : 'calendar' in budget ? 'CALENDAR' : 'BUCKET';
  const placed = problems.map(({ field, message }) => ({
    field,
    message: `${field.slice(1).join('.')} ${message}`.trim(),
  }));
  return (
    <>
      <Labelled label={text.budget} help={text.budgetHint} problems={placed}>
        {(control) => (
          <select
            {...control}
            className="select"
            value={kind}
            onChange={({ target }) => onChange(FIRST[target.value as BudgetKind])}
          >
            {Object.entries(text.budgetKinds).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {budget !== null &&
        ('calendar' in budget ? (
          <CalendarFields
            value={budget.calendar}
            onChange={(change) => onChange({ calendar: membersGiven({ ...budget.calendar, ...change }) })}
          />
        ) : (
          <BucketFields bucket={budget} onChange={onChange} />
        ))}
    </>
  );
}

function BucketFields({ bucket, onChange }: { bucket: Bucket; onChange(bucket: Bucket): void }) {
  const { refillPeriodMs } = bucket;
  const periods = PERIODS_MS.includes(refillPeriodMs) ? PERIODS_MS : [...PERIODS_MS, refillPeriodMs];
  const number = (label: string, name: 'capacity' | 'refillAmount') => (
    <Labelled label={label}>
      {(control) => (
        <NumberInput
          {...control}
          min={1}
          max={MAX_COST}
          required
          value={bucket[name]}
          onChange={(next) => onChange({ ...bucket, [name]: next })}
        />
      )}
    </Labelled>
  );
  return (
    <>
      {number(text.capacity, 'capacity')}
      {number(text.refill, 'refillAmount')}
      <Labelled label={text.refillPeriod}>
        {(control) => (
          <select
            {...control}
            className="select"
            value={refillPeriodMs}
            onChange={({ target }) => onChange({ ...bucket, refillPeriodMs: Number(target.value) })}
          >
            {periods.map((periodMs) => (
              <option key={periodMs} value={periodMs}>
                {duration(periodMs)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    </>
  );
}
