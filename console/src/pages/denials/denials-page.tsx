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
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { denialsText } from '../../text/denials-text.js';
import { DenialActions } from './denial-actions.js';
import { DenialChart } from './denial-chart.js';
import { denialColumns } from './denial-columns.js';
import { readGroup } from './denial-group.js';
import { DenialGroups } from './denial-groups.js';

const { filter: label } = commonText;
const { single, type } = denialsText;

/**
 * Shows the page of the denials: over time, by caller and limit, and one by one. A selected group
 * is a filter of the single denials only.
 */
export function DenialsPage() {
  const range = useRange('24h');
  const [search, setSearch] = useSearchParams();
  const filter: DenialFilter = {};
  for (const name of ['user', 'tenant', 'apiKey', 'ip', 'rule', 'operation', 'integration'] as const) {
    const value = search.get(name);
    if (value) filter[name] = value;
  }
  const shadow = search.get('shadow');
  if (shadow === 'true' || shadow === 'false') filter.shadow = shadow === 'true';
  const group = readGroup(search.get('group'));
  const ofList = group ? { ...(filter.shadow !== undefined && { shadow: filter.shadow }), ...group } : filter;
  const variables = { range: rangeInput(range), filter: ofList, after: search.get('after') };
  // Later pages do not refresh, so that they do not change while they are read.
  const query = useAdmin(DenialsDocument, variables, { everyMs: variables.after ? undefined : range.everyMs });
  return (
    <Page
      title={denialsText.title}
      lead={denialsText.lead}
      actions={<RangePicker range={range} presets={['15m', '1h', '24h', '7d', '30d']} maxDays={31} />}
    >
      <search className="filters">
        <FilterField name="user" label={label.user} />
        {filter.tenant && <FilterField name="tenant" label={label.tenant} />}
        {filter.apiKey && <FilterField name="apiKey" label={label.apiKey} />}
        {filter.ip && <FilterField name="ip" label={label.ip} />}
        <FilterField name="rule" label={label.rule} />
        <FilterField name="operation" label={label.operation} />
        <FilterField name="integration" label={label.integration} />
        <select
          className="select"
          aria-label={type.label}
          value={shadow ?? ''}
          onChange={(event) => setSearch((before) => withParam(before, 'shadow', event.target.value))}
        >
          <option value="">{type.all}</option>
          <option value="false">{type.denied}</option>
          <option value="true">{type.shadow}</option>
        </select>
      </search>
      <DenialChart range={range} filter={filter} />
      <DenialGroups range={range} filter={filter} />
      <Card
        title={single.title}
        aside={
          group && (
            <>
              <span>
                {single.group(
                  Object.values(group)
                    .map((name) => visibleText(name))
                    .join(', '),
                )}
              </span>
              <button
                type="button"
                className="button button-small"
                onClick={() => setSearch((before) => withParam(before, 'group', null))}
              >
                {single.all}
              </button>
            </>
          )
        }
      >
        <Load query={query} rows={8}>
          {({ denials }) => (
            <>
              <DataTable
                name="denials"
                rows={denials.nodes}
                columns={denialColumns(denials.nodes)}
                keyOf={({ at, caller }) => `${at} ${caller.name}`}
                next={denials.pageInfo.hasNextPage ? (denials.pageInfo.endCursor ?? null) : null}
                actions={(denial) => <DenialActions denial={denial} />}
                empty={<Empty title={denialsText.empty}>{denialsText.emptyHint}</Empty>}
              />
              {denials.nodes.length > 0 && <p className="card-note">{single.note}</p>}
            </>
          )}
        </Load>
      </Card>
    </Page>
  );
}
