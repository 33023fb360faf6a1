import type { RuleCreateInput } from '../../../generated/graphql.js';
import { Labelled, type Problem } from '../../../parts/form/labelled.js';
import { rulesText } from '../../../text/rules-text.js';

export interface RuleFieldsProps {
  draft: RuleCreateInput;
  problems: readonly Problem[];
  onChange(change: Partial<RuleCreateInput>): void;
}

/** Options of the selections, in the order of their texts. */
const OPTIONS: {
  [Name in 'scope' | 'measure' | 'mode' | 'onUnavailable' | 'onEventDenied' | 'regionMode']: Readonly<
    Record<NonNullable<RuleCreateInput[Name]>, string>
  >;
} = {
  scope: rulesText.scopes,
  measure: rulesText.measures,
  mode: { SHADOW: rulesText.modes.SHADOW, ENFORCE: rulesText.modes.ENFORCE, OFF: rulesText.modes.OFF },
  onUnavailable: rulesText.withoutRedisModes,
  onEventDenied: rulesText.eventPolicies,
  regionMode: rulesText.regionModes,
};

export interface RuleChoiceProps extends RuleFieldsProps {
  name: keyof typeof OPTIONS;
  label: string;
}

/** Shows a selection in the form of a rule. */
export function RuleChoice({ draft, problems, onChange, name, label }: RuleChoiceProps) {
  return (
    <Labelled label={label} problems={problems.filter(({ field }) => field[0] === name)}>
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
}
