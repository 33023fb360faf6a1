import { type FormEvent, useState } from 'react';
import { askAdmin } from '../../api/ask-admin.js';
import { useChange } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import {
  type RuleMode as Mode,
  SetRuleModeDocument,
  SimulateRuleDocument,
  type SimulateRuleQuery,
} from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { whole } from '../../parts/text/format.js';
import { problemsOf } from '../callers/problems-of.js';
import { draftOfRule, type FullRule } from './draft-of-rule.js';

const MODES: Record<Mode, string> = {
  OFF: 'Off: it does nothing',
  SHADOW: 'Shadow: it counts, and denies nobody',
  ENFORCE: 'Enforce: it denies',
};

type Simulation = NonNullable<SimulateRuleQuery['ruleSimulate']['simulation']>;

/** The mode of a rule, and what it would have done on the last day if it had been enforced. */
export function RuleMode({ rule, day }: { rule: FullRule; day: { from: string; to: string } }) {
  const mayChange = useMay()('OPERATOR');
  const [mode, setMode] = useState<Mode>(rule.mode);
  const [percent, setPercent] = useState(String(rule.rolloutPercent));
  const [problem, setProblem] = useState<string>();
  const [found, setFound] = useState<Simulation>();
  const [isBusy, setBusy] = useState(false);
  const change = useChange(SetRuleModeDocument);

  async function run(ask: () => Promise<object>) {
    setBusy(true);
    setProblem(await problemsOf(ask));
    setBusy(false);
  }
  function save(event: FormEvent) {
    event.preventDefault();
    const input = { id: rule.id, mode, rolloutPercent: Number(percent), expectedVersion: rule.version };
    void run(() => change.mutateAsync({ input }));
  }
  const simulate = () =>
    run(async () => {
      const draft = { ...draftOfRule(rule), mode: 'ENFORCE' as const, rolloutPercent: Number(percent) };
      const answer = await askAdmin(SimulateRuleDocument, { input: { rule: draft, replaces: rule.id, range: day } });
      setFound(answer.ruleSimulate.simulation ?? undefined);
      return answer;
    });
  return (
    <Card title="Mode">
      <form className="card-body" onSubmit={save}>
        {mayChange && (
          <div className="fields">
            <label className="field">
              <span className="field-label">Mode</span>
              <select className="select" value={mode} onChange={(event) => setMode(event.target.value as Mode)}>
                {Object.entries(MODES).map(([value, title]) => (
                  <option key={value} value={value}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
            <label className="field">
              <span className="field-label">Percent of callers</span>
              <input
                className="input"
                type="number"
                min={0}
                max={100}
                step="any"
                required
                value={percent}
                onChange={(event) => setPercent(event.target.value)}
              />
            </label>
          </div>
        )}
        {found && <Found simulation={found} />}
        <p className="form-problem" role="alert">
          {problem}
        </p>
        <div className="form-actions">
          {mayChange && (
            <button type="submit" className="button button-primary" disabled={isBusy}>
              Save
            </button>
          )}
          <button type="button" className="button" disabled={isBusy} onClick={() => void simulate()}>
            What would it have denied?
          </button>
        </div>
      </form>
    </Card>
  );
}

function Found({ simulation }: { simulation: Simulation }) {
  const { decisions, denied, newlyDenied, newlyAdmitted, warnings } = simulation;
  return (
    <div className="notice" role="status">
      <div>
        <strong>
          Enforced on the last day, it would have denied {whole(denied)} of {whole(decisions)} operations that were
          logged
        </strong>
        <p>
          {whole(newlyDenied)} of them ran, {whole(newlyAdmitted)} others would have run.
        </p>
        {warnings.map((warning) => (
          <p key={warning} className="muted small">
            {warning}
          </p>
        ))}
      </div>
    </div>
  );
}
