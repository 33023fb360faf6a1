import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { type DenialFilter, DeniedGroupsDocument, type DeniedGroupsQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { rangeInput } from '../../parts/range/shown-range.js';
import { type RangeInUse, withParam } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { percent, whole } from '../../parts/text/format.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { denialsText } from '../../text/denials-text.js';
import { groupOf } from './denial-group.js';

const { column } = commonText;
const { groups } = denialsText;

type Group = DeniedGroupsQuery['violations']['nodes'][number];

/**
 * Shows the denials grouped by caller and limit, with their operations. A click on a group filters
 * the list of single denials by this group.
 */
export function DenialGroups({ range, filter }: { range: RangeInUse; filter: DenialFilter }) {
  const { shadow, operation, integration, ...others } = filter;
  const query = useAdmin(
    DeniedGroupsDocument,
    { range: rangeInput(range), filter: others },
    { everyMs: range.everyMs },
  );
  const [search, setSearch] = useSearchParams();
  const selected = search.get('group');
  const select = (group: string | undefined) =>
    setSearch((before) => withParam(before, 'group', group === undefined || group === selected ? null : group));
  const countOf = ({ denied, shadowDenied }: Group) =>
    (shadow === true ? 0 : denied) + (shadow === false ? 0 : shadowDenied);
  return (
    <Card title={groups.title}>
      <Load query={query} rows={6}>
        {({ violations }) => (
          <>
            <DataTable
              name="denial-groups"
              rows={violations.nodes.filter((group) => countOf(group) > 0)}
              columns={[...WHO, operationsColumn(selected, select), ...COUNTS]}
              keyOf={({ caller, ruleName }) => `${caller.kind} ${caller.name} ${caller.tenant} ${ruleName}`}
              onRow={({ caller, ruleName }) => select(groupOf(caller, ruleName))}
              isSelected={({ caller, ruleName }) => selected !== null && selected === groupOf(caller, ruleName)}
              actions={({ caller, ruleName }) => {
                const group = groupOf(caller, ruleName);
                return group && <Select group={group} title={groups.show} selected={selected} select={select} />;
              }}
              empty={<Empty title={denialsText.empty}>{denialsText.emptyHint}</Empty>}
            />
            <p className="card-note">
              {groups.note} {operation && groups.operationIgnored} {integration && groups.integrationIgnored}{' '}
              {violations.pageInfo.hasNextPage && groups.more(violations.nodes.length)}
            </p>
          </>
        )}
      </Load>
    </Card>
  );
}

interface SelectProps {
  group: string;
  title: string;
  selected: string | null;
  select(group: string): void;
}

/** Shows a button that filters the single denials by a group, or removes this filter. */
function Select({ group, title, selected, select }: SelectProps) {
  return (
    <button
      type="button"
      className="button button-small"
      aria-pressed={group === selected}
      onClick={() => select(group)}
    >
      {title}
    </button>
  );
}

const WHO: Column<Group>[] = [
  { title: column.caller, value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  { title: column.limit, value: ({ ruleName }) => ruleName, show: ({ ruleName }) => <Name>{ruleName}</Name> },
];

/**
 * Returns the column of the operations. A click on an operation filters the single denials by it.
 */
function operationsColumn(selected: string | null, select: SelectProps['select']): Column<Group> {
  return {
    title: groups.operations,
    value: ({ operations }) => operations.map(({ operation }) => operation.name ?? '').join(' '),
    show: ({ caller, ruleName, operations }) => (
      <span className="caller">
        {operations.length === 0 && commonText.notAvailable}
        {operations.map(({ operation: { type, name }, stored }) => {
          const group = name ? groupOf(caller, ruleName, name) : undefined;
          const title = groups.operation(name ? visibleText(name) : commonText.unnamed(type), whole(stored));
          if (group) return <Select key={group} group={group} title={title} selected={selected} select={select} />;
          return (
            <em key={`${type} ${name}`} className="muted">
              {title}
            </em>
          );
        })}
      </span>
    ),
  };
}

const COUNTS: Column<Group>[] = [
  { title: column.denied, value: ({ denied }) => denied, show: ({ denied }) => whole(denied), isNumber: true },
  {
    title: column.shadowDenied,
    value: ({ shadowDenied }) => shadowDenied,
    show: ({ shadowDenied }) => whole(shadowDenied),
    isNumber: true,
  },
  { title: column.share, value: ({ share }) => share, show: ({ share }) => percent(share), isNumber: true },
  {
    title: groups.last,
    value: ({ lastAt }) => lastAt ?? null,
    show: ({ lastAt }) => (lastAt ? <Moment at={lastAt} /> : commonText.notAvailable),
  },
];
