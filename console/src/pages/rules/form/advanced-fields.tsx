import { useState } from 'react';
import type { RuleCreateInput } from '../../../generated/graphql.js';
import { Labelled, type Problem } from '../../../parts/form/labelled.js';
import { NumberInput } from '../../../parts/form/number-input.js';
import { rulesText } from '../../../text/rules-text.js';
import { documentWords, matchWords } from '../match-words.js';
import { CallerFields } from './caller-fields.js';
import { ListInput } from './list-input.js';
import { RuleChoice, type RuleFieldsProps } from './rule-choice.js';

const { form: text } = rulesText;

const ADVANCED: readonly string[] = [
  'rolloutPercent',
  'priority',
  'onUnavailable',
  'onEventDenied',
  'regionMode',
  'match',
  'description',
] satisfies (keyof RuleCreateInput)[];

/**
 * Shows the rarely used fields of a rule. They are folded if they have their default values, and
 * unfold when one of them has an error.
 */
export function AdvancedFields({ draft, problems, onChange }: RuleFieldsProps) {
  const [isOpen, setOpen] = useState(() => isUnusual(draft));
  const of = (name: keyof RuleCreateInput) => problems.filter(({ field }) => field[0] === name);
  const hasProblem = problems.some(({ field }) => ADVANCED.includes(field[0] ?? ''));
  const number = (name: 'rolloutPercent' | 'priority', label: string, help: string, max: number, step: string) => (
    <Labelled label={label} help={help} problems={of(name)}>
      {(control) => (
        <NumberInput
          {...control}
          required
          min={0}
          max={max}
          step={step}
          value={draft[name] ?? 100}
          onChange={(value) => onChange({ [name]: value })}
        />
      )}
    </Labelled>
  );
  return (
    <details
      className="card advanced"
      open={isOpen || hasProblem}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      // A browser does not submit a form with an invalid input. It cannot show its message at a
      // folded input, so the fields unfold.
      onInvalidCapture={() => setOpen(true)}
    >
      <summary>{text.advanced}</summary>
      <div className="fields card-body">
        <Labelled label={text.tiers} help={text.tiersHint} problems={of('match').filter(isAboutTiers)}>
          {(control) => (
            <ListInput
              {...control}
              value={draft.match?.tiers ?? []}
              onChange={(tiers) => onChange({ match: { ...draft.match, tiers } })}
            />
          )}
        </Labelled>
        <CallerFields {...{ draft, problems, onChange }} />
        {number('rolloutPercent', text.rollout, text.rolloutHint, 100, 'any')}
        {number('priority', text.priority, text.priorityHint, 1_000_000, '1')}
        <RuleChoice {...{ draft, problems, onChange }} name="onUnavailable" label={rulesText.withoutRedis} />
        <RuleChoice {...{ draft, problems, onChange }} name="onEventDenied" label={rulesText.deniedEvents} />
        <RuleChoice {...{ draft, problems, onChange }} name="regionMode" label={rulesText.regions} />
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
    </details>
  );
}

/** Returns whether one of the advanced fields differs from its default. */
function isUnusual(draft: RuleCreateInput): boolean {
  const { rolloutPercent, priority, onUnavailable, onEventDenied, regionMode, match, description } = draft;
  return (
    (rolloutPercent ?? 100) !== 100 ||
    (priority ?? 100) !== 100 ||
    (onUnavailable ?? 'LOCAL') !== 'LOCAL' ||
    (onEventDenied ?? 'COMPLETE') !== 'COMPLETE' ||
    (regionMode ?? 'CENTRAL') !== 'CENTRAL' ||
    matchWords(match).length + documentWords(match).length > 0 ||
    (match?.tiers ?? []).length > 0 ||
    Boolean(description)
  );
}

/** Members of the conditions whose errors are shown next to their own fields. */
const OF_CALLERS: readonly string[] = [
  'agents',
  'callers',
  'credentials',
  'users',
  'tenants',
  'keys',
  'document',
  'apps',
  'appVersions',
];

function isAboutTiers({ field }: Problem): boolean {
  return !OF_CALLERS.includes(field[1] ?? '');
}
