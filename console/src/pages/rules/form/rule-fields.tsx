import type { RuleCreateInput } from '../../../generated/graphql.js';
import { Card } from '../../../parts/card.js';
import { Labelled, type Problem } from '../../../parts/form/labelled.js';
import { rulesText } from '../../../text/rules-text.js';
import { firstLimit, LimitFields } from './limit-fields.js';

const { form: text } = rulesText;
/** Options of the selections, in the order of their texts. */
const OPTIONS: {
  [Name in 'scope' | 'measure' | 'mode' | 'onUnavailable']: Readonly<
    Record<NonNullable<RuleCreateInput[Name]>, string>
  >;
} = {
  scope: rulesText.scopes,
  measure: rulesText.measures,
  mode: { SHADOW: rulesText.modes.SHADOW, ENFORCE: rulesText.modes.ENFORCE, OFF: rulesText.modes.OFF },
  onUnavailable: rulesText.withoutRedisModes,
};

/** Members of a rule whose errors the form shows next to their fields. */
export const SHOWN: readonly string[] = [
  'name',
  'field',
  'scope',
  'measure',
  'mode',
  'rolloutPercent',
  'priority',
  'onUnavailable',
  'match',
  'description',
  'limits',
] satisfies (keyof RuleCreateInput)[];

export interface RuleFieldsProps {
  draft: RuleCreateInput;
  problems: readonly Problem[];
  onChange(change: Partial<RuleCreateInput>): void;
}

/** Shows the form fields of a rule. */
export function RuleFields({ draft, problems, onChange }: RuleFieldsProps) {
  const of = (name: keyof RuleCreateInput) => problems.filter(({ field }) => field[0] === name);
  const choice = (name: keyof typeof OPTIONS, label: string) => (
    <Labelled label={label} problems={of(name)}>
      {(control) => (
        <select
          {...control}
          className="select"
          value={draft[name] ?? Object.keys(OPTIONS[name])[0]}
          onChange={(event) => onChange({ [name]: event.target.value })}
        >
          {Object.entries(OPTIONS[name]).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
  const number = (name: 'rolloutPercent' | 'priority', label: string, help: string, max: number, step: string) => (
    <Labelled label={label} help={help} problems={of(name)}>
      {(control) => (
        <input
          {...control}
          className="input"
          type="number"
          required
          min={0}
          max={max}
          step={step}
          value={draft[name] ?? 100}
          onChange={(event) => onChange({ [name]: Number(event.target.value) })}
        />
      )}
    </Labelled>
  );
  return (
    <>
      <Card title={text.rule}>
        <div className="fields card-body">
          <Labelled label={text.name} problems={of('name')}>
            {(control) => (
              <input
                {...control}
                className="input"
                required
                maxLength={100}
                value={draft.name}
                onChange={(event) => onChange({ name: event.target.value })}
              />
            )}
          </Labelled>
          <Labelled label={text.field} help={text.fieldHint} problems={of('field')}>
            {(control) => (
              <input
                {...control}
                className="input mono"
                required
                value={draft.field}
                onChange={(event) => onChange({ field: event.target.value })}
              />
            )}
          </Labelled>
          {choice('scope', rulesText.scope)}
          {choice('measure', rulesText.measure)}
          {choice('mode', text.mode)}
          {number('rolloutPercent', text.rollout, text.rolloutHint, 100, 'any')}
          {number('priority', text.priority, text.priorityHint, 1_000_000, '1')}
          {choice('onUnavailable', rulesText.withoutRedis)}
          <Labelled label={text.tiers} help={text.tiersHint} problems={of('match')}>
            {(control) => (
              <input
                {...control}
                className="input"
                // The key is the content, because the draft may be merged into a version that
                // another person has stored.
                key={(draft.match?.tiers ?? []).join()}
                defaultValue={(draft.match?.tiers ?? []).join(', ')}
                // The value is read on blur. A normalization while typing would change unfinished
                // text.
                onBlur={(event) => {
                  const tiers = namesIn(event.target.value);
                  if (tiers.join() !== (draft.match?.tiers ?? []).join())
                    onChange({ match: { ...draft.match, tiers } });
                }}
              />
            )}
          </Labelled>
          <Labelled label={text.description} problems={of('description')}>
            {(control) => (
              <input
                {...control}
                className="input"
                value={draft.description ?? ''}
                onChange={(event) => onChange({ description: event.target.value })}
              />
            )}
          </Labelled>
        </div>
      </Card>
      <Card
        title={text.limits}
        aside={
          <button
            type="button"
            className="button button-small"
            onClick={() => onChange({ limits: [...draft.limits, firstLimit('tokenBucket')] })}
          >
            {text.addLimit}
          </button>
        }
      >
        <div className="card-body">
          {draft.limits.map((limit, at) => (
            <LimitFields
              // biome-ignore lint/suspicious/noArrayIndexKey: limits have no other identity and no state.
              key={at}
              limit={limit}
              onChange={(changed) => onChange({ limits: draft.limits.map((one, i) => (i === at ? changed : one)) })}
              onRemove={() => onChange({ limits: draft.limits.filter((_, i) => i !== at) })}
            />
          ))}
          {draft.limits.length === 0 && <p className="muted">{text.noLimits}</p>}
          {of('limits').map(({ message, field }) => (
            <p key={message} className="field-problem" role="alert">
              {field.slice(1).join('.')} {message}
            </p>
          ))}
        </div>
      </Card>
    </>
  );
}

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
