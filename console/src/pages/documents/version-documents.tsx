import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useApis } from '../../api/use-apis.js';
import { DocumentsOfVersionDocument, type DocumentsOfVersionQuery } from '../../generated/graphql.js';
import { ApiChoice } from '../../parts/api-choice.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { FilterField } from '../../parts/form/filter-field.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { short, whole } from '../../parts/text/format.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { documentsText } from '../../text/documents-text.js';
import { DocumentName } from './document-name.js';
import { UnusedSelect, useUnusedSince } from './unused-select.js';

const { version: text } = documentsText;
const { column } = commonText;

type VersionDocument = NonNullable<DocumentsOfVersionQuery['documentVersion']>['documents']['nodes'][number];

/** Shows the documents of a version: the price on the current schema, the uses, and the operation. */
export function VersionDocuments({ app, version }: { app: string; version: string }) {
  const [search] = useSearchParams();
  const apis = useApis();
  const unusedSince = useUnusedSince();
  const name = search.get('name');
  const filter = { ...(name && { nameContains: name }), ...(unusedSince && { unusedSince }) };
  const query = useAdmin(
    DocumentsOfVersionDocument,
    { app, version, filter, service: apis.service, after: search.get('after') },
    { enabled: apis.isReady, about: `${app} ${version}` },
  );
  return (
    <>
      <search className="filters">
        <FilterField name="name" label={text.documentName} />
        <UnusedSelect />
      </search>
      <Card title={text.documents} aside={<ApiChoice {...apis} />}>
        <Load query={query} rows={6}>
          {({ documentVersion }) => {
            const { nodes = [], pageInfo } = documentVersion?.documents ?? {};
            return (
              <DataTable
                name="documents"
                rows={nodes}
                columns={COLUMNS}
                keyOf={({ documentId }) => documentId}
                next={pageInfo?.hasNextPage ? (pageInfo.endCursor ?? null) : null}
                actions={({ text: query }) => (
                  <Link className="button button-small" href={explorerPath(query, apis.service)}>
                    {commonText.explain}
                  </Link>
                )}
                empty={<Empty title={text.noDocument}>{text.changeFilters}</Empty>}
              />
            );
          }}
        </Load>
        <p className="card-note">{text.worstCaseNote}</p>
      </Card>
    </>
  );
}

function explorerPath(query: string, service: string | null): string {
  return `/explorer?${new URLSearchParams({ query, ...(service !== null && { service }) })}`;
}

function priceText({ price: { worstCase, unbounded, errors } }: VersionDocument): string {
  if (errors.length > 0) return text.broken;
  return worstCase == null ? text.unbounded(unbounded.map((name) => `$${name}`).join(', ')) : whole(worstCase);
}

const COLUMNS: Column<VersionDocument>[] = [
  {
    title: documentsText.column.document,
    value: ({ operationName, documentId }) => operationName ?? documentId,
    show: ({ price, ...document }) => (
      <>
        <DocumentName {...document} />
        {price.errors.map((error) => (
          <p className="small" key={error}>
            <Name>{error}</Name>
          </p>
        ))}
      </>
    ),
  },
  {
    title: documentsText.column.worstCase,
    value: (document) => document.price.worstCase ?? priceText(document),
    show: (document) =>
      document.price.errors.length > 0 ? <span className="pill pill-bad">{text.broken}</span> : priceText(document),
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
];
