import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import {
  type DocumentVersionFilter,
  type DocumentVersionState,
  DocumentVersionsDocument,
  type VersionFactsFragment,
} from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { FilterField } from '../../parts/form/filter-field.js';
import { Page } from '../../parts/page.js';
import { withParam } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { short, whole } from '../../parts/text/format.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { documentsText } from '../../text/documents-text.js';
import { BrokenDocuments } from './broken-documents.js';
import { StatePill } from './state-pill.js';
import { UnusedSelect, useUnusedSince } from './unused-select.js';

const { list: text } = documentsText;
const { column, filter: label } = commonText;
const STATES = ['DRAFT', 'PUBLISHED', 'RETIRED'] as const satisfies readonly DocumentVersionState[];

/** Shows the page of the registered documents: the versions of all apps with their uses. */
export function DocumentsPage() {
  const [search, setSearch] = useSearchParams();
  const state = STATES.find((one) => one === search.get('state'));
  const name = search.get('name');
  const unusedSince = useUnusedSince();
  const filter: DocumentVersionFilter = {
    ...(name && { nameContains: name }),
    ...(state && { state }),
    ...(unusedSince && { unusedSince }),
  };
  const query = useAdmin(DocumentVersionsDocument, { filter, after: search.get('after') });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page title={text.title} lead={text.lead}>
      <search className="filters">
        <FilterField name="name" label={text.name} />
        <select
          className="select"
          aria-label={label.state}
          value={state ?? ''}
          onChange={(event) => setSearch((before) => withParam(before, 'state', event.target.value))}
        >
          <option value="">{text.anyState}</option>
          {STATES.map((one) => (
            <option key={one} value={one}>
              {documentsText.states[one]}
            </option>
          ))}
        </select>
        <UnusedSelect />
      </search>
      <Card title={text.versions}>
        <Load query={query} rows={6}>
          {({ documentVersions }) => (
            <DataTable
              name="versions"
              rows={documentVersions.nodes}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              next={documentVersions.pageInfo.hasNextPage ? (documentVersions.pageInfo.endCursor ?? null) : null}
              empty={
                isFiltered ? (
                  <Empty title={text.noMatch}>{documentsText.version.changeFilters}</Empty>
                ) : (
                  <Empty title={text.empty} command={text.command}>
                    {text.emptyHint}
                  </Empty>
                )
              }
            />
          )}
        </Load>
      </Card>
      {!isFiltered && query.data && query.data.documentVersions.nodes.length > 0 && <BrokenDocuments />}
    </Page>
  );
}

const COLUMNS: Column<VersionFactsFragment>[] = [
  { title: documentsText.column.app, value: ({ app }) => app, show: ({ app }) => <Name>{app}</Name> },
  {
    title: column.version,
    value: ({ version }) => version,
    show: ({ app, version }) => (
      <Link href={`/documents-of?${new URLSearchParams({ app, version })}`}>
        <Name>{version}</Name>
      </Link>
    ),
  },
  { title: column.state, value: ({ state }) => state, show: ({ state }) => <StatePill state={state} /> },
  {
    title: documentsText.column.documents,
    value: ({ documentCount }) => documentCount,
    show: ({ documentCount }) => whole(documentCount),
    isNumber: true,
  },
  {
    title: documentsText.column.uses,
    value: ({ uses }) => uses,
    show: ({ uses }) => <span title={whole(uses)}>{short(uses)}</span>,
    isNumber: true,
  },
  {
    title: column.lastUsed,
    value: ({ lastUsedAt }) => lastUsedAt,
    show: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : documentsText.never),
  },
  {
    title: documentsText.column.pushed,
    value: ({ pushedAt }) => pushedAt,
    show: ({ pushedAt }) => <Moment at={pushedAt} />,
  },
];
