import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { type DenialFilter, DenialsDocument } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { FilterField } from '../../parts/form/filter-field.js';
import { Page } from '../../parts/page.js';
import { RangePicker } from '../../parts/range/range-picker.js';
import { rangeInput } from '../../parts/range/shown-range.js';
import { useRange, withParam } from '../../parts/range/use-range.js';
import { DataTable } from '../../parts/table/data-table.js';
import { DenialActions } from './denial-actions.js';
import { DENIAL_COLUMNS } from './denial-columns.js';

/** Shows the page of the denials: the caller, the limit, and the missing amount. */
export function DenialsPage() {
  const range = useRange('24h');
  const [search, setSearch] = useSearchParams();
  const filter: DenialFilter = {};
  for (const name of ['user', 'tenant', 'apiKey', 'ip', 'rule', 'operation'] as const) {
    const value = search.get(name);
    if (value) filter[name] = value;
  }
  const shadow = search.get('shadow');
  if (shadow === 'true' || shadow === 'false') filter.shadow = shadow === 'true';
  const variables = { range: rangeInput(range), filter, after: search.get('after') };
  // Later pages do not refresh, so that they do not change while they are read.
  const query = useAdmin(DenialsDocument, variables, { everyMs: variables.after ? undefined : range.everyMs });
  return (
    <Page
      title="Denials"
      lead="Who was denied, by which limit, and what was missing. Of many alike a sample: Overview and Rules count all of them."
      actions={<RangePicker range={range} presets={['15m', '1h', '24h', '7d', '30d']} />}
    >
      <search className="filters">
        <FilterField name="user" label="User" />
        {filter.tenant && <FilterField name="tenant" label="Tenant" />}
        {filter.apiKey && <FilterField name="apiKey" label="API key" />}
        {filter.ip && <FilterField name="ip" label="Address" />}
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
              columns={DENIAL_COLUMNS}
              keyOf={({ at, caller }) => `${at} ${caller.name}`}
              next={denials.pageInfo.hasNextPage ? (denials.pageInfo.endCursor ?? null) : null}
              actions={(denial) => <DenialActions denial={denial} />}
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
