import { askAdmin } from '../../api/ask-admin.js';
import { serverNow } from '../../api/server-clock.js';
import { type RuleCreateInput, SimulateRuleDocument, type SimulateRuleQuery } from '../../generated/graphql.js';
import type { Problem } from '../../parts/form/labelled.js';
import { rangeInput, readRange } from '../../parts/range/shown-range.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { percent, whole } from '../../parts/text/format.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { rulesText } from '../../text/rules-text.js';

export type Simulation = NonNullable<SimulateRuleQuery['ruleSimulate']['simulation']>;

const { simulation: text } = rulesText;

/**
 * Simulates a draft of a rule on the last day as if it had been enforced. Returns the result, or
 * the errors of the draft.
 */
export async function simulateRule(
  rule: RuleCreateInput,
  replaces?: string,
): Promise<{ simulation: Simulation | undefined; problems: readonly Problem[] }> {
  const range = rangeInput(readRange('24h', serverNow() - 1));
  const input = { rule: { ...rule, mode: 'ENFORCE' as const }, range, first: 5, ...(replaces && { replaces }) };
  const { simulation, userErrors } = (await askAdmin(SimulateRuleDocument, { input })).ruleSimulate;
  // Paths of errors start at the input, in which the rule is a member.
  const problems = userErrors.map(({ field, message }) => ({
    field: field[0] === 'rule' ? field.slice(1) : field,
    message,
  }));
  return { simulation: simulation ?? undefined, problems };
}

/** Shows a notice with the result of a simulation, without its warnings. */
export function SimulationNotice({ simulation }: { simulation: Simulation }) {
  const { decisions, denied, newlyDenied, newlyAdmitted, delayed, isTruncated, leftOut, sampled, callers, regions } =
    simulation;
  const affected = callers.filter((one) => one.newlyDenied > 0);
  return (
    <div className={newlyDenied > 0 ? 'notice notice-warn' : 'notice notice-good'} role="status">
      <div>
        {decisions === 0 ? (
          <strong>{text.noData}</strong>
        ) : (
          <strong>{text.newlyDenied(whole(newlyDenied), whole(decisions))}</strong>
        )}
        <p>
          {text.denied(whole(denied))}
          {newlyAdmitted > 0 && `; ${text.newlyAdmitted(whole(newlyAdmitted))}`}
          {delayed > 0 && `; ${text.delayed(whole(delayed))}`}.
        </p>
        {affected.length > 0 && (
          <ul className="small">
            {affected.map(({ caller, newlyDenied, decisions }) => (
              <li key={`${caller.kind} ${caller.name} ${caller.tenant}`}>
                <CallerName caller={caller} />: {commonText.ofTotal(whole(newlyDenied), whole(decisions))}
              </li>
            ))}
          </ul>
        )}
        {regions.length > 0 && (
          <p className="small">
            {text.byRegion}{' '}
            {regions
              .map((one) => text.inRegion(visibleText(one.region), whole(one.newlyDenied), whole(one.decisions)))
              .join(', ')}
          </p>
        )}
        {leftOut > 0 && <p className="muted small">{text.leftOut(whole(leftOut))}</p>}
        {isTruncated && <p className="muted small">{text.truncated}</p>}
        {sampled < 1 && <p className="muted small">{text.sampled(percent(sampled))}</p>}
      </div>
    </div>
  );
}
