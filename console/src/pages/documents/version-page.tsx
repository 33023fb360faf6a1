import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { DocumentVersionInFullDocument, type DocumentVersionInFullQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { EmptyPage } from '../../parts/feedback/empty-page.js';
import { Load } from '../../parts/feedback/load.js';
import { Page } from '../../parts/page.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { whole } from '../../parts/text/format.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { documentsText } from '../../text/documents-text.js';
import { shellText } from '../../text/shell-text.js';
import { CHANGE_COLUMNS } from '../history/change-columns.js';
import { StatePill } from './state-pill.js';
import { VersionActions } from './version-actions.js';
import { VersionDocuments } from './version-documents.js';

const { version: text } = documentsText;
const { column } = commonText;

type FullVersion = NonNullable<DocumentVersionInFullQuery['documentVersion']>;

/** Shows the page of one version: its documents with prices and uses, its callers, its history. */
export function VersionPage() {
  const [search] = useSearchParams();
  const [app, version] = [search.get('app') ?? '', search.get('version') ?? ''];
  const name = `${app} ${version}`;
  const mayChange = useMay()('OPERATOR');
  const isNamed = app !== '' && version !== '';
  const query = useAdmin(DocumentVersionInFullDocument, { app, version }, { enabled: isNamed, about: name });
  if (!isNamed) {
    return (
      <EmptyPage title={text.unnamed} href="/documents" link={shellText.goTo(shellText.pages.documents)}>
        {text.unnamedHint}
      </EmptyPage>
    );
  }
  const stored = query.data?.documentVersion;
  return (
    <Page
      title={<Name>{name}</Name>}
      lead={text.of(visibleText(app))}
      actions={mayChange && stored && <VersionActions key={name} version={stored} />}
    >
      <Load query={query} rows={8}>
        {({ documentVersion }) =>
          documentVersion ? (
            <Filled version={documentVersion} />
          ) : (
            <Empty title={text.notFound} command={documentsText.list.command}>
              {text.notFoundHint}
            </Empty>
          )
        }
      </Load>
    </Page>
  );
}

function Filled({ version }: { version: FullVersion }) {
  const { app, version: name, state, documentCount, bytes, pushedAt, pushedBy, publishedAt, retiredAt } = version;
  return (
    <div className="page-parts">
      <div className="columns">
        <Card title={text.definition} aside={<StatePill state={state} />} className="card-facts">
          <dl className="facts">
            <dt>{text.documents}</dt>
            <dd>{whole(documentCount)}</dd>
            <dt>{text.size}</dt>
            <dd>{text.bytes(whole(bytes))}</dd>
            <dt>{documentsText.column.uses}</dt>
            <dd>{whole(version.uses)}</dd>
            <dt>{column.lastUsed}</dt>
            <dd>{version.lastUsedAt ? <Moment at={version.lastUsedAt} /> : documentsText.never}</dd>
            <dt>{text.pushed}</dt>
            <dd>
              <Moment at={pushedAt} /> {text.by(visibleText(pushedBy))}
            </dd>
            <dt>{text.published}</dt>
            <dd>{publishedAt ? <Moment at={publishedAt} /> : text.notYet}</dd>
            {retiredAt && (
              <>
                <dt>{text.retired}</dt>
                <dd>
                  <Moment at={retiredAt} />
                </dd>
              </>
            )}
          </dl>
        </Card>
        <Card title={text.callers}>
          <DataTable
            name="callers"
            rows={version.callers}
            columns={CALLERS}
            keyOf={({ caller }) => `${caller.kind} ${caller.name}`}
            empty={<Empty title={text.noCallers}>{text.noCallersHint}</Empty>}
          />
        </Card>
      </div>
      <VersionDocuments app={app} version={name} />
      <Card title={text.history}>
        <DataTable
          name="changes"
          rows={version.history.nodes}
          columns={CHANGE_COLUMNS}
          keyOf={({ id }) => id}
          empty={<Empty title={text.noHistory}>{text.noHistoryHint}</Empty>}
        />
      </Card>
    </div>
  );
}

const CALLERS: Column<FullVersion['callers'][number]>[] = [
  { title: column.caller, value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  {
    title: documentsText.column.usesByCaller,
    value: ({ uses }) => uses,
    show: ({ uses }) => whole(uses),
    isNumber: true,
  },
  {
    title: column.lastUsed,
    value: ({ lastUsedAt }) => lastUsedAt,
    show: ({ lastUsedAt }) => <Moment at={lastUsedAt} />,
  },
];
