import { Card } from '../../../parts/card.js';
import { Labelled } from '../../../parts/form/labelled.js';
import { rulesText } from '../../../text/rules-text.js';
import { fieldsOf } from '../draft-of-rule.js';
import { AdvancedFields } from './advanced-fields.js';
import { FieldInput } from './field-input.js';
import { firstLimit, LimitFields } from './limit-fields.js';
import { RuleChoice, type RuleFieldsProps } from './rule-choice.js';
import { ruleSentence } from './rule-sentence.js';
import { TimeFields } from './time-fields.js';

const { form: text } = rulesText;

/** Shows the form fields of a rule. */
export function RuleFields({ draft, problems, onChange }: RuleFieldsProps) {
  const of = (name: string) => problems.filter(({ field }) => field[0] === name);
  const fields = { draft, problems, onChange };
  return (
    <>
      <Card title={text.rule}>
        <div className="card-body">
          {/* The sentence changes with each key press, so screen readers do not announce it. */}
          <p className="rule-sentence">{ruleSentence(draft)}</p>
          <div className="fields">
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
            <Labelled label={text.field} help={text.fieldHint} problems={[...of('field'), ...of('fields')]}>
              {(control) => (
                <FieldInput
                  {...control}
                  required
                  value={fieldsOf(draft)}
                  onChange={(fields) => onChange({ field: undefined, fields })}
                />
              )}
            </Labelled>
            <RuleChoice {...fields} name="scope" label={rulesText.scope} />
            <RuleChoice {...fields} name="measure" label={rulesText.measure} />
            <RuleChoice {...fields} name="mode" label={text.mode} />
          </div>
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
      <TimeFields {...fields} />
      <AdvancedFields {...fields} />
    </>
  );
}
