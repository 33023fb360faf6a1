import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Brand } from '../app/brand.js';
import { askSampleApi, readSampleSchema } from '../pages/explorer/ask-sample-api.js';
import { Editor } from '../pages/explorer/editor.js';
import { RunCard } from '../pages/explorer/run-card.js';
import { SAMPLE_OPERATION } from '../pages/explorer/sample-operation.js';
import { readVariables, useOperation } from '../pages/explorer/use-operation.js';
import { VariablesField } from '../pages/explorer/variables-field.js';
import { Card } from '../parts/card.js';
import { Empty } from '../parts/feedback/empty.js';
import { Load } from '../parts/feedback/load.js';
import { type StaticColumn, StaticTable } from '../parts/table/static-table.js';
import { whole } from '../parts/text/format.js';
import { commonText } from '../text/common-text.js';
import { explorerText } from '../text/explorer-text.js';

const { editor, price: priceText, sampleApi } = explorerText;
const { column } = commonText;

interface PricedField {
  coordinate: string;
  calls: number;
  cost: number;
}

/** The price in a response of the API to a request with `GraphQL-Cost: validate`. */
interface PricedAnswer {
  errors?: readonly { message: string }[];
  extensions?: {
    cost?: { requestedQueryCost: number; fields?: readonly PricedField[] };
  };
}

const NEVER_AGAIN = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

/** Shows the page of the sample API: it prices operations while you write, and runs them. */
export function ApiPage() {
  const { query, variables, setQuery, setVariables, settled } = useOperation(SAMPLE_OPERATION);
  const [runs, setRuns] = useState(0);
  const schema = useQuery({ queryKey: ['schema'], queryFn: readSampleSchema, ...NEVER_AGAIN });
  const given = readVariables(settled.variables);
  const isReady = settled.query.trim() !== '' && typeof given !== 'string';
  const operation = { query: settled.query, variables: typeof given === 'string' ? {} : given };
  const priced = useQuery({
    queryKey: ['price', operation],
    queryFn: async ({ signal }) =>
      (await askSampleApi({ ...operation, key: 'demo-pro', wants: 'validate' }, signal)).body,
    enabled: isReady,
    ...NEVER_AGAIN,
  });
  const onRun = () => setRuns((count) => count + 1);
  return (
    <main className="api-page">
      <header className="page-head">
        <div className="page-title">
          <h1>{sampleApi.title}</h1>
          <p className="lead">{sampleApi.lead}</p>
        </div>
        <Brand />
      </header>
      <div className="columns">
        <Card title={editor.label}>
          <Editor label={editor.label} first={query} onChange={setQuery} onRun={onRun} schema={schema.data} />
          <VariablesField
            text={variables}
            problem={typeof given === 'string' ? given : undefined}
            onChange={setVariables}
            onRun={onRun}
          />
        </Card>
        <Card title={priceText.title}>
          {isReady ? (
            <Load query={priced} rows={4}>
              {(answer) => <Priced answer={answer as PricedAnswer} />}
            </Load>
          ) : (
            <Empty title={priceText.empty}>{priceText.emptyHint}</Empty>
          )}
        </Card>
      </div>
      <RunCard operation={operation} isReady={isReady} runs={runs} />
    </main>
  );
}

function Priced({ answer }: { answer: PricedAnswer }) {
  const { errors = [], extensions } = answer;
  const cost = extensions?.cost;
  const most = Math.max(1, ...(cost?.fields ?? []).map((field) => field.cost));
  return (
    <>
      {errors.map(({ message }) => (
        <p key={message} className="card-body field-problem" role="alert">
          {message}
        </p>
      ))}
      {cost && errors.length === 0 && (
        <>
          <dl className="stats">
            <div className="stat">
              <dt>{priceText.maximum}</dt>
              <dd className="stat-value">{whole(cost.requestedQueryCost)}</dd>
            </div>
          </dl>
          <StaticTable
            label={priceText.fields}
            rows={cost.fields ?? []}
            columns={columnsOf(cost.requestedQueryCost, most)}
            keyOf={({ coordinate }) => coordinate}
          />
        </>
      )}
    </>
  );
}

/**
 * @param total cost of the operation
 * @param most highest cost of a field
 */
function columnsOf(total: number, most: number): StaticColumn<PricedField>[] {
  return [
    { title: column.field, show: ({ coordinate }) => coordinate },
    { title: column.calls, isNumber: true, show: ({ calls }) => whole(calls) },
    { title: column.cost, isNumber: true, show: ({ cost }) => whole(cost) },
    {
      title: priceText.share,
      show: ({ coordinate, cost }) => (
        <progress
          className="meter"
          max={most}
          value={cost}
          aria-label={priceText.tokensOf(coordinate, whole(cost), whole(total))}
        />
      ),
    },
  ];
}
