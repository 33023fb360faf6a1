import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { type ChangeFilter, HistoryDocument, type HistoryQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { FilterField } from '../../parts/form/filter-field.js';
import { Page } from '../../parts/page.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { Differences } from '../../parts/text/differences.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';

/** Who changed what, and when. */
export function HistoryPage() {
  const [search] = useSearchParams();
  const filter: ChangeFilter = {};
  for (const name of ['actor', 'name'] as const) {
    const value = search.get(name);
    if (value) filter[name] = value;
  }
  const query = useAdmin(HistoryDocument, { filter, after: search.get('after') });
  return (
    <Page title="History" lead="Every change, and every attempt that was refused. Nobody can alter it.">
      <search className="filters">
        <FilterField name="actor" label="Who" />
        <FilterField name="name" label="Name of a rule, tier, caller" />
      </search>
      <Card title="Newest first">
        <Load query={query} rows={8}>
          {({ changes }) => (
            <DataTable
              name="changes"
              rows={changes.nodes}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              next={changes.pageInfo.hasNextPage ? (changes.pageInfo.endCursor ?? null) : null}
              empty={<Empty title="Nothing was changed">Or nothing with these conditions.</Empty>}
            />
          )}
        </Load>
      </Card>
    </Page>
  );
}

type ChangeRow = HistoryQuery['changes']['nodes'][number];

const COLUMNS: Column<ChangeRow>[] = [
  { title: 'When', value: ({ changedAt }) => changedAt, show: ({ changedAt }) => <Moment at={changedAt} /> },
  { title: 'Who', value: ({ actor }) => actor, show: ({ actor }) => <Name>{actor}</Name> },
  {
    title: 'What',
    value: ({ action, entity, key }) => `${action} ${entity} ${key}`,
    show: ({ action, entity, key }) => (
      <>
        {`${action} ${entity}`.toLowerCase().replaceAll('_', ' ')} <Name>{key}</Name>
      </>
    ),
  },
  {
    title: 'Differences',
    value: ({ differences }) => differences.map(({ path }) => path).join(' '),
    show: ({ differences, action }) => action === 'UPDATE' && <Differences differences={differences} />,
  },
  { title: 'Why', value: ({ comment }) => comment, show: ({ comment }) => comment && <Name>{comment}</Name> },
];
