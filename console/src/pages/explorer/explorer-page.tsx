import { useQuery } from '@tanstack/react-query';
import { buildSchema } from 'graphql';
import { type ReactNode, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { askAdmin } from '../../api/ask-admin.js';
import { useAdmin } from '../../api/use-admin.js';
import { type ApisInUse, useApis } from '../../api/use-apis.js';
import { useSession } from '../../app/login/session-context.js';
import {
  DeniedDocumentDocument,
  ExplainDocument,
  type ExplainQuery,
  SchemaSdlDocument,
} from '../../generated/graphql.js';
import { ApiChoice } from '../../parts/api-choice.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { NoSchema } from '../../parts/feedback/no-schema.js';
import { Skeleton } from '../../parts/feedback/skeleton.js';
import { Page } from '../../parts/page.js';
import { whole } from '../../parts/text/format.js';
import { explorerText } from '../../text/explorer-text.js';

import { SchemaDocs } from './docs/schema-docs.js';
import { Editor, type EditorHandle } from './editor.js';
import { HistoryList } from './history/history-list.js';
import { useRemembered } from './history/use-remembered.js';
import { PreviewCard } from './preview-card.js';
import { PriceView } from './price-view.js';
import { RunCard } from './run-card.js';
import { SAMPLE_OPERATION } from './sample-operation.js';
import { type PanelTab, SidePanel } from './side-panel.js';
import { TiersCard } from './tiers-card.js';
import { readVariables, useOperation } from './use-operation.js';
import { VariablesField } from './variables-field.js';

const { denied: deniedText, price: priceText } = explorerText;

/**
 * Shows the explorer, in which the user writes an operation and sees its price. It can start with a
 * denied operation: `?document=...`.
 */
export function ExplorerPage() {
  const { demo } = useSession();
  const [search] = useSearchParams();
  const id = search.get('document');
  const isWritten = search.get('query') !== null;
  const denied = useAdmin(DeniedDocumentDocument, { id: id ?? '' }, { enabled: id !== null && !isWritten });
  if (id !== null && !isWritten && !denied.data) {
    return (
      <Page title={explorerText.title} lead={explorerText.lead}>
        <Load query={denied} rows={10}>
          {() => null}
        </Load>
      </Page>
    );
  }
  const text = denied.data?.deniedDocument?.text;
  const isGone = id !== null && !isWritten && text === undefined;
  return (
    // The key resets the explorer for a link to another denial, but not while the user writes.
    <Explorer key={id} first={text ?? (demo && !isGone ? SAMPLE_OPERATION : '')}>
      {(cost) =>
        isGone ? (
          <p className="notice notice-warn" role="status">
            {deniedText.notStored}
          </p>
        ) : (
          id !== null && !isWritten && <AsDenied cost={cost} deniedCost={search.get('cost')} />
        )
      }
    </Explorer>
  );
}

/**
 * Shows a notice about a denied operation. Tollgate stores the operation without the caller's
 * values, and prices may have changed since the denial. The notice therefore compares the current
 * price with the price at the denial.
 */
function AsDenied({ cost, deniedCost }: { cost: number | undefined; deniedCost: string | null }) {
  if (cost === undefined || deniedCost === null || cost === Number(deniedCost)) {
    return (
      <p className="notice" role="status">
        {deniedText.redacted} {deniedCost !== null && cost !== undefined && deniedText.sameCost}
      </p>
    );
  }
  return (
    <p className="notice notice-warn" role="status">
      {deniedText.redacted} {deniedText.otherCost(whole(Number(deniedCost)), whole(cost))}
    </p>
  );
}

/** Shows the cost of an operation, and the decision that it would get. */
function Explorer({ first, children }: { first: string; children(cost: number | undefined): ReactNode }) {
  const { demo } = useSession();
  const apis = useApis();
  const { service } = apis;
  const operation = useOperation(first);
  const { query, variables, setQuery, setVariables, settled } = operation;
  const [runs, setRuns] = useState(0);
  const [tab, setTab] = useState<PanelTab>('price');
  const [places, setPlaces] = useState<readonly string[]>([]);
  const editor = useRef<EditorHandle>(null);
  const schema = useSchema(apis);
  const given = readVariables(settled.variables);
  const isComplete = settled.query.trim() !== '' && typeof given !== 'string';
  const isReady = apis.isReady && isComplete;
  const input = { query: settled.query, variables: typeof given === 'string' ? {} : given, service };
  const explained = useAdmin(ExplainDocument, { input }, { enabled: isReady });
  const explanation = explained.data?.costExplain.explanation;
  const cost = isReady && !explained.isPlaceholderData ? explanation?.cost : undefined;
  useRemembered(cost === undefined ? undefined : { ...settled, service, cost });
  // In demo mode, the API of this process is the sample API.
  const canRun = demo && apis.isOwn;
  const onRun = canRun ? () => setRuns((count) => count + 1) : undefined;
  const showDocs = (coordinate: string) => {
    setPlaces((before) => [...before, coordinate]);
    setTab('schema');
  };
  if (apis.apis?.length === 0) return <WithoutApi />;
  return (
    <Page title={explorerText.title} lead={explorerText.lead} actions={<ApiChoice {...apis} />}>
      {children(cost)}
      <div className="columns">
        <Card title={explorerText.editor.label}>
          <Editor
            ref={editor}
            label={explorerText.editor.label}
            first={query}
            onChange={setQuery}
            onRun={onRun}
            schema={schema.data}
            onShowDocs={showDocs}
          />
          <VariablesField
            text={variables}
            problem={typeof given === 'string' ? given : undefined}
            onChange={setVariables}
            onRun={onRun}
          />
        </Card>
        <SidePanel
          tab={tab}
          onTab={setTab}
          cost={cost === undefined ? undefined : whole(cost)}
          panels={{
            price: isComplete ? (
              <Load query={explained} rows={6}>
                {({ costExplain }) => <Price {...costExplain} onField={showDocs} />}
              </Load>
            ) : (
              <Empty title={priceText.empty}>{priceText.emptyHint}</Empty>
            ),
            schema: (
              <Load query={schema} rows={6}>
                {(known) => (
                  <SchemaDocs
                    schema={known}
                    service={service}
                    places={places}
                    onPlaces={setPlaces}
                    onInsert={(type, field) => editor.current?.insertField(type, field) ?? false}
                  />
                )}
              </Load>
            ),
            history: (
              <HistoryList
                titleOf={(of) =>
                  (apis.apis?.length ?? 0) > 1 ? apis.apis?.find((api) => api.service === of)?.title : undefined
                }
                onRestore={(past) => {
                  editor.current?.replaceAll(past.query);
                  setVariables(past.variables);
                  if (apis.apis?.some((api) => api.service === past.service)) apis.choose(past.service);
                  setTab('price');
                }}
              />
            ),
          }}
        />
      </div>
      {isComplete && explained.isPending && (
        // The placeholder has the size of the content. Otherwise, the parts below would move.
        <div className="columns">
          <Card title={explorerText.tiers.title}>
            <Skeleton rows={10} />
          </Card>
          <Card title={explorerText.preview.title}>
            <Skeleton rows={10} />
          </Card>
        </div>
      )}
      {isReady && explanation && (
        <div className="columns">
          <TiersCard cost={explanation.cost} />
          <PreviewCard operation={input} />
        </div>
      )}
      {canRun && <RunCard operation={{ query, variables: input.variables }} isReady={isReady} runs={runs} />}
    </Page>
  );
}

/**
 * Returns the schema from the admin API. A query to the protected API would count as usage of a
 * caller.
 */
function useSchema({ service, isReady, apis }: ApisInUse) {
  return useQuery({
    queryKey: ['schema', service],
    queryFn: async ({ signal }) => buildSchema((await askAdmin(SchemaSdlDocument, { service }, signal)).schemaSdl),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    enabled: isReady && apis?.length !== 0,
  });
}

function WithoutApi() {
  return (
    <Page title={explorerText.title} lead={explorerText.lead}>
      <section className="card">
        <NoSchema />
      </section>
    </Page>
  );
}

/** Shows the price of the operation, or why it has none. */
function Price({
  explanation,
  userErrors,
  onField,
}: ExplainQuery['costExplain'] & { onField(coordinate: string): void }) {
  if (explanation) return <PriceView explanation={explanation} onField={onField} />;
  return (
    <ul className="card-body panel-body" role="alert">
      {userErrors.map(({ message }) => (
        <li key={message} className="field-problem">
          {message}
        </li>
      ))}
    </ul>
  );
}
