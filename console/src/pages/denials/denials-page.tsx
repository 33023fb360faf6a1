import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { type DenialFilter, DenialsDocument, type DenialsQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { FilterField } from '../../parts/form/filter-field.js';
import { Page } from '../../parts/page.js';
import { RangePicker } from '../../parts/range/range-picker.js';
import { rangeInput } from '../../parts/range/shown-range.js';
import { useRange, withParam } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { callerPath } from '../../parts/text/caller-path.js';
import { duration, whole } from '../../parts/text/format.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';

type DenialRow = DenialsQuery['denials']['nodes'][number];

/** Who was denied, by which limit, and what was missing. */
export function DenialsPage() {
  const range = useRange('24h');
  const may = useMay();
  const [search, setSearch] = useSearchParams();
  const filter: DenialFilter = {};
  for (const name of ['user', 'rule', 'operation'] as const) {
    const value = search.get(name);
    if (value) filter[name] = value;
  }
  const shadow = search.get('shadow');
  if (shadow === 'true' || shadow === 'false') filter.shadow = shadow === 'true';
  const variables = { range: rangeInput(range), filter, after: search.get('after') };
  // A page further down stays as it is while it is read.
  const query = useAdmin(DenialsDocument, variables, { everyMs: variables.after ? undefined : range.everyMs });
  return (
    <Page
      title="Denials"
      lead="Who was denied, by which limit, and what was missing."
      actions={<RangePicker range={range} presets={['15m', '1h', '24h', '7d', '30d']} />}
    >
      <search className="filters">
        <FilterField name="user" label="User" />
        <FilterField name="rule" label="Rule, or tier:NAME" />
        <FilterField name="operation" label="Name of the operation" />
        <select
          className="select"
          aria-label="Kind"
          value={shadow ?? ''}
          onChange={(event) => setSearch((before) => withParam(before, 'shadow', event.target.value))}
        >
          <option value="">Denied, and in shadow</option>
          <option value="false">Denied</option>
          <option value="true">In shadow</option>
        </select>
      </search>
      <Card title="Newest first">
        <Load query={query} rows={8}>
          {({ denials }) => (
            <DataTable
              name="denials"
              rows={denials.nodes}
              columns={COLUMNS}
              keyOf={({ at, caller }) => `${at} ${caller.name}`}
              next={denials.pageInfo.hasNextPage ? (denials.pageInfo.endCursor ?? null) : null}
              {...(may('OPERATOR') && { actions: raise })}
              empty={
                <Empty title="Nothing was denied">
                  In this time, with these conditions. A rule in shadow shows here what it would have denied.
                </Empty>
              }
            />
          )}
        </Load>
      </Card>
    </Page>
  );
}

/** The way to a larger bucket for the caller, with what the operation needed. Only what a tier denied is mended by that. */
function raise({ caller, ruleName, requestedCost, code }: DenialRow) {
  const path = (caller.user || caller.tenant) && callerPath(caller);
  if (!path || code !== 'THROTTLED' || !ruleName.startsWith('tier:')) return null;
  return (
    <Link className="button button-small" href={`${path}&raise=${requestedCost}`}>
      Raise limit
    </Link>
  );
}

const COLUMNS: Column<DenialRow>[] = [
  { title: 'When', value: ({ at }) => at, show: ({ at }) => <Moment at={at} /> },
  { title: 'Caller', value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  {
    title: 'Limit',
    value: ({ ruleName }) => ruleName,
    show: ({ ruleName, shadow, code, field, degraded }) => (
      <span className="caller">
        <Name>{ruleName}</Name>
        {field && field !== '*' && <span className="tag">{field}</span>}
        {shadow && <span className="pill pill-warn">shadow</span>}
        {code === 'MAX_COST_EXCEEDED' && <span className="pill pill-bad">too expensive</span>}
        {code === 'UNAVAILABLE' && <span className="pill pill-bad">unavailable</span>}
        {degraded && <span className="pill">degraded</span>}
      </span>
    ),
  },
  {
    title: 'Operation',
    value: ({ operation }) => operation.name,
    show: ({ operation }) =>
      operation.name ? (
        <Name>{operation.name}</Name>
      ) : (
        <em className="muted">unnamed {operation.type.toLowerCase()}</em>
      ),
  },
  {
    title: 'Needed',
    value: ({ charge, requestedCost }) => charge ?? requestedCost,
    show: ({ charge, requestedCost }) => whole(charge ?? requestedCost),
    isNumber: true,
  },
  {
    title: 'Had',
    value: ({ remaining }) => remaining,
    show: ({ remaining, limit }) =>
      remaining == null ? '–' : `${whole(remaining)}${limit ? ` of ${whole(limit)}` : ''}`,
    isNumber: true,
  },
  {
    title: 'Retry after',
    value: ({ retryAfterMs }) => retryAfterMs,
    show: ({ retryAfterMs }) => (retryAfterMs == null ? 'never' : duration(retryAfterMs)),
    isNumber: true,
  },
];
