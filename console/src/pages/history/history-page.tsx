import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { type ChangeFilter, HistoryDocument } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { FilterField } from '../../parts/form/filter-field.js';
import { Page } from '../../parts/page.js';
import { DataTable } from '../../parts/table/data-table.js';
import { commonText } from '../../text/common-text.js';
import { historyText } from '../../text/history-text.js';
import { CHANGE_COLUMNS } from './change-columns.js';

/** Shows the page of the record of changes. */
export function HistoryPage() {
  const [search] = useSearchParams();
  const filter: ChangeFilter = {};
  for (const name of ['actor', 'name'] as const) {
    const value = search.get(name);
    if (value) filter[name] = value;
  }
  const query = useAdmin(HistoryDocument, { filter, after: search.get('after') });
  return (
    <Page title={historyText.title} lead={historyText.lead}>
      <search className="filters">
        <FilterField name="actor" label={historyText.actor} />
        <FilterField name="name" label={historyText.name} />
      </search>
      <Card title={commonText.table.newestFirst}>
        <Load query={query} rows={8}>
          {({ changes }) => (
            <DataTable
              name="changes"
              rows={changes.nodes}
              columns={CHANGE_COLUMNS}
              keyOf={({ id }) => id}
              next={changes.pageInfo.hasNextPage ? (changes.pageInfo.endCursor ?? null) : null}
              empty={<Empty title={historyText.empty}>{historyText.emptyHint}</Empty>}
            />
          )}
        </Load>
      </Card>
    </Page>
  );
}
