import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { askAdmin } from '../../api/ask-admin.js';
import { useChange } from '../../api/use-admin.js';
import { RestoreRuleDocument, RetireRuleDocument } from '../../generated/graphql.js';
import { useToast } from '../../parts/feedback/toasts.js';
import { WarningNotice } from '../../parts/feedback/warning-notice.js';
import { Confirm } from '../../parts/form/confirm.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { rulesText } from '../../text/rules-text.js';
import { problemsOf } from '../callers/problems-of.js';
import type { FullRule } from './draft-of-rule.js';
import { RestoreVersion } from './versions/restore-version.js';

const { action } = rulesText;

/** Actions of an administrator on a rule: change, retire, and restore it. */
export function RuleActions({ rule }: { rule: FullRule }) {
  const [, go] = useLocation();
  const showToast = useToast();
  const [undoes, setUndoes] = useState(false);
  const [asks, setAsks] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** Warnings that must be confirmed before the rule is restored. */
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const retire = useChange(RetireRuleDocument);
  const restore = useChange(RestoreRuleDocument);
  const { id, name, version, retiredAt } = rule;
  async function run(change: () => Promise<object>, then: () => void) {
    const found = await problemsOf(change);
    setProblem(found);
    if (found === undefined) then();
  }
  const input = { id, expectedVersion: version };
  const reactivate = () =>
    run(
      () => restore.mutateAsync({ input }),
      () => {
        setWarnings([]);
        go(`/rule?${new URLSearchParams({ name })}`);
      },
    );
  /** Restores the rule immediately if there is no warning. Otherwise, asks for confirmation. */
  async function askToReactivate() {
    let warned: readonly string[] = [];
    const found = await problemsOf(async () => {
      const answer = await askAdmin(RestoreRuleDocument, { input: { ...input, dryRun: true } });
      warned = answer.ruleRestore?.warnings ?? [];
      return answer;
    });
    setProblem(found);
    if (found !== undefined) return;
    if (warned.length > 0) setWarnings(warned);
    else await reactivate();
  }
  if (retiredAt) {
    return (
      <>
        <button type="button" className="button" onClick={() => void askToReactivate()}>
          {action.reactivate}
        </button>
        {warnings.length > 0 && (
          <Confirm
            title={action.reactivateTitle}
            action={action.reactivateAnyway}
            isDangerous={false}
            isPending={restore.isPending}
            problem={problem}
            onConfirm={() => void reactivate()}
            onClose={() => setWarnings([])}
          >
            <WarningNotice messages={warnings} />
          </Confirm>
        )}
        {problem && warnings.length === 0 && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
      </>
    );
  }
  return (
    <>
      <Link className="button" href={`/rule-form?${new URLSearchParams({ name })}`}>
        {commonText.edit}
      </Link>
      {version > 1 && (
        <button type="button" className="button" onClick={() => setUndoes(true)}>
          {action.undo}
        </button>
      )}
      <button type="button" className="button button-danger" onClick={() => setAsks(true)}>
        {commonText.retire}
      </button>
      {undoes && <RestoreVersion rule={rule} toVersion={version - 1} onClose={() => setUndoes(false)} />}
      {asks && (
        <Confirm
          title={action.retireTitle}
          action={commonText.retire}
          isPending={retire.isPending}
          problem={problem}
          onConfirm={() =>
            void run(
              () => retire.mutateAsync({ input: { id, expectedVersion: version } }),
              () => {
                go(`/rule?${new URLSearchParams({ id })}`);
                showToast({ text: action.retired(visibleText(name, 40)) });
              },
            )
          }
          onClose={() => setAsks(false)}
        >
          <p>{action.retireText}</p>
        </Confirm>
      )}
    </>
  );
}
