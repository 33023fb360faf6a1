import { useQuery } from '@tanstack/react-query';
import { buildSchema } from 'graphql';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { askAdmin } from '../../api/ask-admin.js';
import { useAdmin } from '../../api/use-admin.js';
import { useSession } from '../../app/login/session-context.js';
import { DeniedDocumentDocument, ExplainDocument, SchemaSdlDocument } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { Skeleton } from '../../parts/feedback/skeleton.js';
import { Page } from '../../parts/page.js';
import { whole } from '../../parts/text/format.js';
import { explorerText } from '../../text/explorer-text.js';
import { Editor } from './editor.js';
import { PreviewCard } from './preview-card.js';
import { PriceCard } from './price-card.js';
import { RunCard } from './run-card.js';
import { SAMPLE_OPERATION } from './sample-operation.js';
import { TiersCard } from './tiers-card.js';
import { readVariables, useOperation } from './use-operation.js';
import { VariablesField } from './variables-field.js';

const { denied: deniedText, price: priceText } = explorerText;

/**
 * Shows the explorer of the operation that is being written. It can start with a denied operation:
 * `?document=...`.
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
  const operation = useOperation(first);
  const { query, variables, setQuery, setVariables, settled } = operation;
  const [runs, setRuns] = useState(0);
  // The schema comes from the admin API. A query to the protected API would count as usage of a
  // caller.
  const schema = useQuery({
    queryKey: ['schema'],
    queryFn: async ({ signal }) => buildSchema((await askAdmin(SchemaSdlDocument, {}, signal)).schemaSdl),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

  const given = readVariables(settled.variables);
  const isReady = settled.query.trim() !== '' && typeof given !== 'string';
  const input = { query: settled.query, variables: typeof given === 'string' ? {} : given };
  const explained = useAdmin(ExplainDocument, { input }, { enabled: isReady });
  const onRun = demo ? () => setRuns((count) => count + 1) : undefined;
  return (
    <Page title={explorerText.title} lead={explorerText.lead}>
      {children(explained.isPlaceholderData ? undefined : explained.data?.costExplain.explanation?.cost)}
      <div className="columns">
        <Card title={explorerText.editor.label}>
          <Editor
            label={explorerText.editor.label}
            first={query}
            onChange={setQuery}
            onRun={onRun}
            schema={schema.data}
          />
          <VariablesField
            text={variables}
            problem={typeof given === 'string' ? given : undefined}
            onChange={setVariables}
            onRun={onRun}
          />
        </Card>
        {isReady ? (
          <Load query={explained} rows={6}>
            {({ costExplain: { explanation, userErrors } }) =>
              explanation ? (
                <PriceCard explanation={explanation} />
              ) : (
                <Card title={priceText.title}>
                  <ul className="card-body" role="alert">
                    {userErrors.map(({ message }) => (
                      <li key={message} className="field-problem">
                        {message}
                      </li>
                    ))}
                  </ul>
                </Card>
              )
            }
          </Load>
        ) : (
          <Card title={priceText.title}>
            <Empty title={priceText.empty}>{priceText.emptyHint}</Empty>
          </Card>
        )}
      </div>
      {isReady && explained.isPending && (
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
      {explained.data?.costExplain.explanation && (
        <div className="columns">
          <TiersCard cost={explained.data.costExplain.explanation.cost} />
          <PreviewCard operation={input} />
        </div>
      )}
      {demo && <RunCard operation={{ ...input, query }} isReady={isReady} runs={runs} />}
    </Page>
  );
}
