import type { RuleCreateInput } from '../../../generated/graphql.js';
import { Card } from '../../../parts/card.js';
import { Labelled, type Problem } from '../../../parts/form/labelled.js';
import { firstLimit, LimitFields } from './limit-fields.js';

/** The type check fails if a scope is missing here. */
const SCOPES = Object.keys({ USER: 1, TENANT: 1, API_KEY: 1, IP: 1, GLOBAL: 1 } satisfies Record<
  RuleCreateInput['scope'],
  1
>) as RuleCreateInput['scope'][];
const MEASURES = ['COST', 'CALLS', 'REQUESTS', 'NODES', 'TYPE_COST', 'FIELD_COST'] as const;
const MODES = ['SHADOW', 'ENFORCE', 'OFF'] as const;
const WITHOUT_REDIS = ['LOCAL', 'OPEN', 'CLOSED'] as const;

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
  const choice = <Name extends 'scope' | 'measure' | 'mode' | 'onUnavailable'>(
    name: Name,
    label: string,
    values: readonly NonNullable<RuleCreateInput[Name]>[],
  ) => (
    <Labelled label={label} problems={of(name)}>
      {(control) => (
        <select
          {...control}
          className="select"
          value={draft[name] ?? values[0]}
          onChange={(event) => onChange({ [name]: event.target.value })}
        >
          {values.map((one) => (
            <option key={one} value={one}>
              {one.toLowerCase().replaceAll('_', ' ')}
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
      <Card title="What it limits">
        <div className="fields card-body">
          <Labelled label="Name" problems={of('name')}>
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
          <Labelled label="Field" help="Such as Query.search; * for all." problems={of('field')}>
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
          {choice('scope', 'Counted by', SCOPES)}
          {choice('measure', 'Counts', MEASURES)}
          {choice('mode', 'Mode', MODES)}
          {number('rolloutPercent', 'Percent of callers', 'Always the same ones.', 100, 'any')}
          {number('priority', 'Priority', 'Of the rules of one field and scope, the lowest applies.', 1_000_000, '1')}
          {choice('onUnavailable', 'Without Redis', WITHOUT_REDIS)}
          <Labelled label="Tiers" help="With commas; empty: all." problems={of('match')}>
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
          <Labelled label="Description" problems={of('description')}>
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
        title="Limits"
        aside={
          <button
            type="button"
            className="button button-small"
            onClick={() => onChange({ limits: [...draft.limits, firstLimit('tokenBucket')] })}
          >
            Add a limit
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
          {draft.limits.length === 0 && (
            <p className="muted">Without a limit the rule exempts from the rules below it.</p>
          )}
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

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
