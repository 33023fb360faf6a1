import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { askAdmin } from '../../../api/ask-admin.js';
import { useChange } from '../../../api/use-admin.js';
import { RestoreRuleDocument, type RuleFactsFragment } from '../../../generated/graphql.js';
import { Load } from '../../../parts/feedback/load.js';
import { WarningNotice } from '../../../parts/feedback/warning-notice.js';
import { Confirm } from '../../../parts/form/confirm.js';
import { Differences } from '../../../parts/text/differences.js';
import { rulesText } from '../../../text/rules-text.js';
import { problemsOf } from '../../callers/problems-of.js';

const { versions: text } = rulesText;

export interface RestoreVersionProps {
  rule: Pick<RuleFactsFragment, 'id' | 'version'>;
  toVersion: number;
  onClose(): void;
}

/**
 * Shows a dialog that restores an earlier version of a rule, after it has shown the differences.
 */
export function RestoreVersion({ rule: { id, version }, toVersion, onClose }: RestoreVersionProps) {
  const [, go] = useLocation();
  const [problem, setProblem] = useState<string>();
  const restore = useChange(RestoreRuleDocument);
  const input = { id, toVersion, expectedVersion: version };
  const trial = useQuery({
    queryKey: ['restore', input],
    queryFn: ({ signal }) => askAdmin(RestoreRuleDocument, { input: { ...input, dryRun: true } }, signal),
    gcTime: 0,
  });
  async function confirmed() {
    let name: string | undefined;
    const found = await problemsOf(async () => {
      const answer = await restore.mutateAsync({ input });
      name = answer.ruleRestore?.rule?.name;
      return answer;
    });
    setProblem(found);
    if (found !== undefined) return;
    onClose();
    // The earlier version may have another name.
    if (name !== undefined) go(`/rule?${new URLSearchParams({ name })}`);
  }
  return (
    <Confirm
      title={text.restoreTitle(toVersion)}
      action={text.restore}
      isDangerous={false}
      isPending={restore.isPending}
      problem={problem}
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      <Load query={trial} rows={2}>
        {({ ruleRestore }) => (
          <>
            <p>{ruleRestore && ruleRestore.differences.length > 0 ? text.applies : text.noDifference}</p>
            <Differences differences={ruleRestore?.differences ?? []} />
            <WarningNotice
              messages={[
                ...(ruleRestore?.warnings ?? []),
                ...(ruleRestore?.userErrors ?? []).map(({ message }) => message),
              ]}
            />
          </>
        )}
      </Load>
    </Confirm>
  );
}
