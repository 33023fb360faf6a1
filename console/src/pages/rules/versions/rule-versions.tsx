import { useState } from 'react';
import { useMay } from '../../../app/login/session-context.js';
import { Card } from '../../../parts/card.js';
import { CopyButton } from '../../../parts/feedback/copy-button.js';
import { Empty } from '../../../parts/feedback/empty.js';
import { type Column, DataTable } from '../../../parts/table/data-table.js';
import { Differences } from '../../../parts/text/differences.js';
import { Moment } from '../../../parts/text/moment.js';
import { Name } from '../../../parts/text/name.js';
import { commonText } from '../../../text/common-text.js';
import { historyText } from '../../../text/history-text.js';
import { rulesText } from '../../../text/rules-text.js';
import type { FullRule } from '../draft-of-rule.js';
import { RestoreVersion } from './restore-version.js';
import { draftOfVersion, ruleAsMutation, ruleAsYaml } from './rule-as-text.js';

const { versions: text } = rulesText;
const { column } = commonText;

type Change = FullRule['history']['nodes'][number];

/** Versions of a rule with their differences, and actions to copy and to restore them. */
export function RuleVersions({ rule }: { rule: FullRule }) {
  const mayChange = useMay()('ADMIN');
  const [chosen, setChosen] = useState<number>();
  const { nodes, pageInfo } = rule.history;
  const actions = (change: Change) => {
    const version = versionOf(change);
    const draft = () => draftOfVersion(change.after as Record<string, unknown>);
    return (
      <span className="form-actions">
        <CopyButton short={text.yaml} label={text.copyYaml(version)} text={() => ruleAsYaml(draft())} />
        <CopyButton short={text.graphql} label={text.copyMutation(version)} text={() => ruleAsMutation(draft())} />
        {mayChange && version !== rule.version && (
          <button
            type="button"
            className="button button-small"
            aria-label={text.restoreVersion(version)}
            onClick={() => setChosen(version)}
          >
            {text.restore}
          </button>
        )}
      </span>
    );
  };
  return (
    <Card title={text.title}>
      <DataTable
        name="versions"
        rows={nodes}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        actions={actions}
        next={pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null}
        empty={<Empty title={text.empty}>{text.emptyHint}</Empty>}
      />
      {chosen !== undefined && <RestoreVersion rule={rule} toVersion={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  );
}

/** Returns the version that a change has created. The recorded object contains this number. */
function versionOf({ after }: Change): number {
  return (after as { version: number }).version;
}

const COLUMNS: Column<Change>[] = [
  { title: column.version, value: versionOf, isNumber: true },
  { title: column.time, value: ({ changedAt }) => changedAt, show: ({ changedAt }) => <Moment at={changedAt} /> },
  { title: column.by, value: ({ actor }) => actor, show: ({ actor }) => <Name>{actor}</Name> },
  { title: column.change, value: ({ action }) => action, show: ({ action }) => historyText.action(action) },
  {
    title: column.differences,
    value: ({ differences }) => (differences ?? []).map(({ path }) => path).join(' '),
    show: ({ differences, action }) =>
      action === 'CREATE' ? commonText.notAvailable : <Differences differences={differences} />,
  },
  { title: column.comment, value: ({ comment }) => comment, show: ({ comment }) => comment && <Name>{comment}</Name> },
];
