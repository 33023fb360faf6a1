import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useChange } from '../../api/use-admin.js';
import { CreateTierDocument, type TierFactsFragment, UpdateTierDocument } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { useToast } from '../../parts/feedback/toasts.js';
import { WarningNotice } from '../../parts/feedback/warning-notice.js';
import { CalendarFields } from '../../parts/form/calendar-fields.js';
import { Conflict } from '../../parts/form/conflict.js';
import { draftOnto } from '../../parts/form/draft-onto.js';
import { Labelled, type Problem } from '../../parts/form/labelled.js';
import { commonText } from '../../text/common-text.js';
import { tiersText } from '../../text/tiers-text.js';
import { bucketText, refillText } from './bucket-text.js';
import { budgetText } from './budget-text.js';
import {
  CEILINGS,
  draftOfTier,
  NEW_BUDGET,
  NEW_TIER,
  type TierDraft,
  tierOfDraft,
  updateOfDraft,
} from './tier-draft.js';

const { form: text } = tiersText;
const { create: createLabel, createAnyway, save: saveLabel, saveAnyway } = commonText;

const CEILING_LABELS: Record<(typeof CEILINGS)[number], string> = {
  maxCostPerOperation: text.maxCost,
  maxNodesPerOperation: text.maxNodes,
  maxTypeCostPerOperation: text.maxTypeCost,
  maxFieldCostPerOperation: text.maxFieldCost,
};
/** Form field that shows the errors of an input member, where the names differ. */
const SHOWN_AT: Record<string, keyof TierDraft> = { refillPeriodMs: 'refillSeconds', monthlyPrice: 'price' };

/** Shows the form of a new or an existing tier. */
export function TierForm({ tier }: { tier?: TierFactsFragment }) {
  const [, go] = useLocation();
  const showToast = useToast();
  // The stored tier on which the draft is based. The form sends only the differences. When the user
  // resolves a conflict, the version of the other person becomes the new base.
  const [base, setBase] = useState(tier);
  const [draft, setDraft] = useState(tier ? draftOfTier(tier) : NEW_TIER);
  const [theirs, setTheirs] = useState<TierFactsFragment>();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const create = useChange(CreateTierDocument);
  const update = useChange(UpdateTierDocument);
  const isBusy = create.isPending || update.isPending;

  async function send(dryRun: boolean) {
    if (!base) return (await create.mutateAsync({ input: { ...tierOfDraft(draft), dryRun } })).tierCreate;
    const input = { ...updateOfDraft(draft, draftOfTier(base), base.version), dryRun };
    return (await update.mutateAsync({ input })).tierUpdate;
  }
  async function save(): Promise<readonly Problem[]> {
    // The first attempt is a dry run. It shows unintended effects before the change is made.
    const isConfirmed = warnings.length > 0;
    let payload = await send(!isConfirmed);
    const warned = isConfirmed ? [] : (payload?.warnings ?? []);
    setWarnings(warned);
    if (!isConfirmed && warned.length === 0 && payload?.userErrors.length === 0) payload = await send(false);
    const errors = payload?.userErrors ?? [];
    if (payload?.tier && errors.length === 0 && warned.length === 0) {
      const { name } = payload.tier;
      go(`/tier?${new URLSearchParams({ name })}`);
      showToast({ text: (base ? tiersText.toast.updated : tiersText.toast.created)(name) });
    }
    const isStale = errors.some(({ code }) => code === 'STALE_VERSION');
    setTheirs((isStale && payload?.tier) || undefined);
    return errors.filter(({ code }) => code !== 'STALE_VERSION' || !payload?.tier);
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save().then(setProblems, ({ message }: Error) => setProblems([{ field: [], message }]));
  };
  const take = (next: TierDraft) => {
    setBase(theirs);
    setDraft(next);
    setTheirs(undefined);
  };

  const onTop = (stored: TierFactsFragment, first: TierFactsFragment) =>
    draftOnto(draftOfTier(stored), draft, draftOfTier(first));

  const placeOf = ({ field }: Problem) => {
    const [top = '', last = ''] = [field[0], field.at(-1)];
    if (top === 'budget') return top;
    return Object.hasOwn(draft, last) ? last : (SHOWN_AT[top] ?? top);
  };
  const of = (name: keyof TierDraft) => problems.filter((problem) => placeOf(problem) === name);
  const others = problems.filter((problem) => !Object.hasOwn(draft, placeOf(problem)));
  const set = (change: Partial<TierDraft>) => {
    setDraft((before) => ({ ...before, ...change }));
    setWarnings([]);
  };
  const number = (name: keyof TierDraft, label: string, { min = 1, step = '1', required = true, help = '' } = {}) => (
    <Labelled key={name} label={label} help={help} problems={of(name)}>
      {(control) => (
        <input
          {...control}
          className="input"
          type="number"
          min={min}
          step={step}
          required={required}
          value={`${draft[name]}`}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      )}
    </Labelled>
  );

  return (
    <form onSubmit={submit} className="page-parts">
      <Card title={text.tier}>
        <div className="fields card-body">
          <Labelled label={text.name} help={text.nameHint} problems={of('name')}>
            {(control) => (
              <input
                {...control}
                className="input mono"
                required
                maxLength={64}
                disabled={base !== undefined}
                value={draft.name}
                onChange={(event) => set({ name: event.target.value })}
              />
            )}
          </Labelled>
          <Labelled label={text.displayName} problems={of('displayName')}>
            {(control) => (
              <input
                {...control}
                className="input"
                maxLength={100}
                required={base !== undefined}
                placeholder={draft.name}
                value={draft.displayName}
                onChange={(event) => set({ displayName: event.target.value })}
              />
            )}
          </Labelled>
          {number('price', text.price, {
            min: 0,
            step: 'any',
            required: false,
            help: text.priceHint,
          })}
          <Labelled label={text.currency} problems={of('currency')}>
            {(control) => (
              <input
                {...control}
                className="input"
                maxLength={3}
                pattern="[A-Za-z]{3}"
                title={text.currencyFormat}
                value={draft.currency}
                onChange={(event) => set({ currency: event.target.value })}
              />
            )}
          </Labelled>
          <Labelled label={tiersText.responseDetail} problems={of('answer')}>
            {(control) => (
              <select
                {...control}
                className="select"
                value={draft.answer}
                onChange={(event) => set({ answer: event.target.value as TierDraft['answer'] })}
              >
                {Object.entries(tiersText.responseDetails).map(([value, title]) => (
                  <option key={value} value={value}>
                    {title}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
          <label className="check">
            <input
              type="checkbox"
              checked={draft.isDefault}
              // The default tier stays the default until another tier is made the default. Without
              // a default tier, some callers would have no tier.
              disabled={base?.isDefault ?? false}
              onChange={(event) => set({ isDefault: event.target.checked })}
            />
            {text.isDefault}
          </label>
        </div>
      </Card>
      <Card title={text.bucket} aside={<span role="status">{summaryOf(draft)}</span>}>
        <div className="fields card-body">
          <label className="check">
            <input
              type="checkbox"
              checked={draft.isUnlimited}
              onChange={(event) => set({ isUnlimited: event.target.checked })}
            />
            {text.isUnlimited}
          </label>
          {draft.isUnlimited ? (
            <p className="muted">{text.unlimitedHint}</p>
          ) : (
            <>
              {number('capacity', text.capacity, { help: text.capacityHint })}
              {number('refillAmount', text.refill)}
              {number('refillSeconds', text.refillPeriod, { min: 0.001, step: 'any' })}
            </>
          )}
        </div>
      </Card>
      <Card
        title={text.budget}
        aside={draft.budget ? <span role="status">{budgetText(draft.budget)}</span> : <span>{text.noBudget}</span>}
      >
        <div className="fields card-body">
          <label className="check">
            <input
              type="checkbox"
              checked={draft.budget !== null}
              onChange={(event) => set({ budget: event.target.checked ? NEW_BUDGET : null })}
            />
            {text.hasBudget}
          </label>
          {draft.budget && (
            <CalendarFields
              value={draft.budget}
              onChange={(change) => set({ budget: { ...draft.budget!, ...change } })}
            />
          )}
          {of('budget').map(({ field, message }) => (
            <p key={message} className="field-problem" role="alert">
              {field.slice(1).join('.')} {message}
            </p>
          ))}
        </div>
      </Card>
      <Card title={text.maximum} aside={text.maximumHint}>
        <div className="fields card-body">
          {CEILINGS.map((name) => number(name, CEILING_LABELS[name], { required: false }))}
        </div>
      </Card>
      {others.map(({ message }) => (
        <p key={message} className="form-problem" role="alert">
          {message}
        </p>
      ))}
      {/* The notice is at the end of the form, where users look after saving. */}
      {theirs && base && (
        <Conflict
          what="tier"
          first={tierOfDraft(draftOfTier(base))}
          stored={tierOfDraft(draftOfTier(theirs))}
          merged={tierOfDraft(onTop(theirs, base))}
          onTakeStored={() => take(draftOfTier(theirs))}
          onKeepMine={() => take(onTop(theirs, base))}
        />
      )}
      <WarningNotice messages={warnings} />
      <div className="form-actions">
        <button type="submit" className="button button-primary" disabled={isBusy || theirs !== undefined}>
          {warnings.length === 0 ? (base ? saveLabel : createLabel) : base ? saveAnyway : createAnyway}
        </button>
      </div>
    </form>
  );
}

/** Returns a summary of the bucket, updated while the user types. */
function summaryOf({ isUnlimited, capacity, refillAmount, refillSeconds }: TierDraft): string {
  if (isUnlimited) return tiersText.noBucket;
  const bucket = {
    capacity: Number(capacity),
    refillAmount: Number(refillAmount),
    refillPeriodMs: Number(refillSeconds) * 1000,
  };
  if (!Object.values(bucket).every((number) => number > 0)) return '';
  return text.summary(bucketText(bucket), refillText(bucket) ?? '');
}
