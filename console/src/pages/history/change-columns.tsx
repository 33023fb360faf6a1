import type { ChangeInListFragment } from '../../generated/graphql.js';
import type { Column } from '../../parts/table/data-table.js';
import { Differences } from '../../parts/text/differences.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { historyText } from '../../text/history-text.js';

const { column } = commonText;

/**
 * Returns the readable name of an object. If the object no longer exists or has no name, the result
 * is its key in the store.
 */
function nameOf({ key, node }: Pick<ChangeInListFragment, 'key' | 'node'>): string {
  if (node && 'name' in node) return node.name;
  return (node && 'caller' in node && node.caller.name) || key;
}

/** Maximum number of differences in a sentence. If there are more, a list below shows all. */
const IN_SENTENCE = 3;

function wordsOf(value: unknown): string {
  return visibleText(typeof value === 'string' ? value : JSON.stringify(value ?? null));
}

/** Shows who changed what in one sentence, and the list of the differences if they are many. */
function ChangeSentence({ change }: { change: ChangeInListFragment }) {
  const { actor, action, entity } = change;
  const differences = action === 'UPDATE' || action === 'OVERRIDE' ? (change.differences ?? []) : [];
  const parts = differences
    .slice(0, IN_SENTENCE)
    .map(({ path, before, after }) => historyText.difference(path, wordsOf(before), wordsOf(after)));
  const others = differences.length - parts.length;
  if (others > 0) parts.push(historyText.moreDifferences(others));
  return (
    <>
      <Name>{actor}</Name> {historyText.verb(action, entity)} <Name>{nameOf(change)}</Name>
      {parts.length > 0 && `: ${parts.join(', ')}`}
      {others > 0 && <Differences differences={differences} />}
    </>
  );
}

/** Columns of a list of changes. */
export const CHANGE_COLUMNS: Column<ChangeInListFragment>[] = [
  { title: column.time, value: ({ changedAt }) => changedAt, show: ({ changedAt }) => <Moment at={changedAt} /> },
  {
    title: column.change,
    value: (change) => `${change.actor} ${historyText.verb(change.action, change.entity)} ${nameOf(change)}`,
    show: (change) => <ChangeSentence change={change} />,
  },
  { title: column.comment, value: ({ comment }) => comment, show: ({ comment }) => comment && <Name>{comment}</Name> },
];
