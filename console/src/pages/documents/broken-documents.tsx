import { Link } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useApis } from '../../api/use-apis.js';
import { BrokenDocumentsDocument, type BrokenDocumentsQuery } from '../../generated/graphql.js';
import { ApiChoice } from '../../parts/api-choice.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { documentsText } from '../../text/documents-text.js';
import { DocumentName } from './document-name.js';

const { broken: text } = documentsText;

type BrokenDocument = BrokenDocumentsQuery['brokenDocuments']['documents'][number];

/** Shows the published documents that the schema in force breaks. */
export function BrokenDocuments() {
  const apis = useApis();
  const query = useAdmin(BrokenDocumentsDocument, { service: apis.service }, { enabled: apis.isReady });
  return (
    <Card title={text.title} aside={<ApiChoice {...apis} />}>
      <Load query={query} rows={2}>
        {({ brokenDocuments: { isComplete, checked, count, documents } }) => (
          <>
            <DataTable
              name="broken-documents"
              rows={documents}
              columns={COLUMNS}
              keyOf={({ app, documentId }) => `${app} ${documentId}`}
              empty={<Empty title={text.none}>{text.checked(whole(checked))}</Empty>}
            />
            {(count > documents.length || !isComplete) && (
              <p className="card-note">
                {count > documents.length && text.more(whole(count))} {!isComplete && text.incomplete(whole(checked))}
              </p>
            )}
          </>
        )}
      </Load>
    </Card>
  );
}

const COLUMNS: Column<BrokenDocument>[] = [
  { title: documentsText.column.app, value: ({ app }) => app, show: ({ app }) => <Name>{app}</Name> },
  {
    title: commonText.column.version,
    value: ({ versions }) => versions[0],
    show: ({ app, versions: [version = '', ...others] }) => (
      <>
        <Link href={`/documents-of?${new URLSearchParams({ app, version })}`}>
          <Name>{version}</Name>
        </Link>
        {others.length > 0 && <span className="muted"> {text.others(others.length)}</span>}
      </>
    ),
  },
  {
    title: documentsText.column.document,
    value: ({ operationName, documentId }) => operationName ?? documentId,
    show: (document) => <DocumentName {...document} />,
  },
  { title: text.reason, value: ({ error }) => error, show: ({ error }) => <Name>{error}</Name> },
];
