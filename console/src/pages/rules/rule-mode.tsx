import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { type RuleMode as Mode, SetRuleModeDocument } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { WarningNotice } from '../../parts/feedback/warning-notice.js';
import { commonText } from '../../text/common-text.js';
import { rulesText } from '../../text/rules-text.js';
import { problemsOf } from '../callers/problems-of.js';
import { draftOfRule, type FullRule } from './draft-of-rule.js';
import { type Simulation, SimulationNotice, simulateRule } from './simulation.js';

const { mode: text, simulation: simulationText } = rulesText;
const MODES: Record<Mode, string> = text.options;

/**
 * Shows the mode of a rule, with a simulation of the denials on the last day if it had been
 * enforced.
 */
export function RuleMode({ rule }: { rule: FullRule }) {
  const mayChange = useMay()('OPERATOR');
  // Unsaved choices. Members that are not chosen show the stored values.
  const [chosen, setChosen] = useState<{ mode?: Mode; percent?: string }>({});
  const mode = chosen.mode ?? rule.mode;
  const percent = chosen.percent ?? String(rule.rolloutPercent);
  const [problem, setProblem] = useState<string>();
  const [found, setFound] = useState<Simulation>();
  // Choice whose simulated denials have been shown. A save of the same choice confirms them.
  const [seen, setSeen] = useState<{ mode: Mode; percent: string }>();
  const isSeen = seen?.mode === mode && seen.percent === percent;
  const [isBusy, setBusy] = useState(false);
  const change = useChange(SetRuleModeDocument);

  function choose(next: { mode?: Mode; percent?: string }) {
    setChosen({ ...chosen, ...next });
    setSeen(undefined);
    setFound(undefined);
  }
  async function run(ask: () => Promise<string | undefined>) {
    setBusy(true);
    setProblem(await ask());
    setBusy(false);
  }
  async function simulate(): Promise<Simulation> {
    const { simulation, problems } = await simulateRule(
      { ...draftOfRule(rule), rolloutPercent: Number(percent) },
      rule.id,
    );
    setFound(simulation);
    if (!simulation) throw new Error(problems.map(({ message }) => message).join('. '));
    return simulation;
  }
  const tryOut = () =>
    simulate().then(
      () => undefined,
      ({ message }: Error) => message,
    );
  async function save(): Promise<string | undefined> {
    const deniesMore = mode === 'ENFORCE' && (rule.mode !== mode || Number(percent) > rule.rolloutPercent);
    if (deniesMore && !isSeen) {
      try {
        if ((await simulate()).newlyDenied > 0) {
          setSeen({ mode, percent });
          return undefined;
        }
      } catch (error) {
        setSeen({ mode, percent });
        return simulationText.failed(error instanceof Error ? error.message : String(error));
      }
    }
    const input = { id: rule.id, mode, rolloutPercent: Number(percent), expectedVersion: rule.version };
    const problem = await problemsOf(() => change.mutateAsync({ input }));
    if (problem === undefined) setChosen({});
    setSeen(undefined);
    return problem;
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    void run(save);
  }
  return (
    <Card title={text.title}>
      <form className="card-body" onSubmit={submit}>
        {mayChange && (
          <div className="fields">
            <label className="field">
              <span className="field-label">{text.mode}</span>
              <select
                className="select"
                value={mode}
                onChange={(event) => choose({ mode: event.target.value as Mode })}
              >
                {Object.entries(MODES).map(([value, title]) => (
                  <option key={value} value={value}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
            <label className="field">
              <span className="field-label">{text.rollout}</span>
              <input
                className="input"
                type="number"
                min={0}
                max={100}
                step="any"
                required
                value={percent}
                onChange={(event) => choose({ percent: event.target.value })}
              />
            </label>
          </div>
        )}
        {found && <WarningNotice messages={found.warnings} title={rulesText.form.ifEnforced} />}
        {found && <SimulationNotice simulation={found} />}
        <p className="form-problem" role="alert">
          {problem}
        </p>
        <div className="form-actions">
          {mayChange && (
            <button type="submit" className="button button-primary" disabled={isBusy}>
              {isSeen ? text.enforceAnyway : commonText.save}
            </button>
          )}
          <button type="button" className="button" disabled={isBusy} onClick={() => void run(tryOut)}>
            {simulationText.run}
          </button>
        </div>
      </form>
    </Card>
  );
}
