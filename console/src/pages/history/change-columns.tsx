import type { ChangeInListFragment } from '../../generated/graphql.js';
import type { Column } from '../../parts/table/data-table.js';
import { Differences } from '../../parts/text/differences.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
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

/** Columns of a list of changes. */
export const CHANGE_COLUMNS: Column<ChangeInListFragment>[] = [
  { title: column.time, value: ({ changedAt }) => changedAt, show: ({ changedAt }) => <Moment at={changedAt} /> },
  { title: column.by, value: ({ actor }) => actor, show: ({ actor }) => <Name>{actor}</Name> },
  {
    title: column.change,
    value: (change) => `${change.action} ${change.entity} ${nameOf(change)}`,
    show: ({ action, entity, ...change }) => (
      <>
        {historyText.change(action, entity)} <Name>{nameOf(change)}</Name>
      </>
    ),
  },
  {
    title: column.differences,
    value: ({ differences }) => (differences ?? []).map(({ path }) => path).join(' '),
    show: ({ differences, action }) => action === 'UPDATE' && <Differences differences={differences} />,
  },
  { title: column.comment, value: ({ comment }) => comment, show: ({ comment }) => comment && <Name>{comment}</Name> },
];
