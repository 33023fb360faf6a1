import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { postToAdmin } from '../../api/ask-admin.js';
import { Card } from '../../parts/card.js';
import { CopyButton } from '../../parts/feedback/copy-button.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Failure } from '../../parts/feedback/failure.js';
import { Load } from '../../parts/feedback/load.js';
import { Page } from '../../parts/page.js';
import { adminApiText } from '../../text/admin-api-text.js';
import { commonText } from '../../text/common-text.js';
import { AnswerText } from '../explorer/answer-text.js';
import { SchemaDocs } from '../explorer/docs/schema-docs.js';
import { Editor, type EditorHandle } from '../explorer/editor.js';
import { useOperation } from '../explorer/use-operation.js';
import { VariablesField } from '../explorer/variables-field.js';
import { curlOf } from './curl-of.js';
import { type OperationToSend, readOperation } from './operation-to-send.js';
import { readAdminSchema } from './read-admin-schema.js';

const { response: responseText } = adminApiText;

/** Operation in the editor of a new page. */
const FIRST = `query TopCallers {
  viewer { name role }
  topCallers(first: 5) {
    nodes {
      caller { name kind }
      actualCost
      requests
      denied
    }
  }
}
`;

/**
 * Shows an editor for the admin API, with the response and the schema. An operation in the URL
 * only fills the editor. It does not run by itself, because the link may come from another person
 * and contain a mutation.
 */
export function AdminApiPage() {
  const { query, variables, setQuery, setVariables } = useOperation(FIRST);
  const [chosen, setChosen] = useState('');
  const [places, setPlaces] = useState<readonly string[]>([]);
  const editor = useRef<EditorHandle>(null);
  const client = useQueryClient();
  const schema = useQuery({
    queryKey: ['admin-schema'],
    queryFn: ({ signal }) => readAdminSchema(signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const { operations, operation, toSend, problem } = readOperation(query, variables, chosen);
  // The user may press the key that runs the operation before React has rendered the last letter.
  // The operation without that letter must not run: it may be another mutation.
  const typed = useRef({ query, variables });
  const run = useMutation({
    mutationFn: (wanted: OperationToSend) => postToAdmin(wanted),
    // A mutation may have changed what other pages show.
    onSuccess(_answer, { query: ran, operationName = '' }) {
      if (readOperation(ran, '', operationName).operation?.type === 'MUTATION') void client.invalidateQueries();
    },
  });
  const onRun = () => {
    const wanted = readOperation(typed.current.query, typed.current.variables, chosen).toSend;
    if (wanted && !run.isPending) run.mutate(wanted);
  };
  return (
    <Page title={adminApiText.title} lead={adminApiText.lead}>
      <div className="columns">
        <div className="page-parts">
          <Card
            title={adminApiText.operation}
            aside={
              <>
                {operations.length > 1 && (
                  <select
                    className="select"
                    aria-label={adminApiText.chosen}
                    value={operation?.name}
                    onChange={({ target }) => setChosen(target.value)}
                  >
                    {operations.map(({ name }, at) => (
                      <option key={name ?? at} value={name ?? ''}>
                        {name ?? adminApiText.unnamed}
                      </option>
                    ))}
                  </select>
                )}
                {toSend && <CopyButton label={commonText.copy.asCurl} text={() => curlOf(toSend)} />}
                <button
                  type="button"
                  className="button button-primary"
                  disabled={!toSend || run.isPending}
                  onClick={onRun}
                >
                  {adminApiText.run[operation?.type ?? 'QUERY']}
                </button>
              </>
            }
          >
            <Editor
              ref={editor}
              label={adminApiText.operation}
              first={query}
              onChange={(text) => {
                typed.current.query = text;
                setQuery(text);
              }}
              onRun={onRun}
              schema={schema.data}
            />
            {operation?.type === 'MUTATION' && (
              <p className="notice notice-warn card-notice" role="status">
                {adminApiText.changes}
              </p>
            )}
            <VariablesField
              text={variables}
              problem={problem}
              onChange={(text) => {
                typed.current.variables = text;
                setVariables(text);
              }}
              onRun={onRun}
            />
          </Card>
          <Card title={responseText.title}>
            {run.error && <Failure error={run.error} onRetry={onRun} />}
            {run.data ? (
              <AnswerText status={run.data.status} text={JSON.stringify(run.data.body, null, 2)} />
            ) : (
              <Empty title={responseText.empty}>{responseText.emptyHint}</Empty>
            )}
          </Card>
        </div>
        <Load query={schema} rows={12}>
          {(read) => (
            <Card title={adminApiText.schema}>
              <SchemaDocs
                schema={read}
                places={places}
                onPlaces={setPlaces}
                onInsert={(type, field) => editor.current?.insertField(type, field) ?? false}
              />
            </Card>
          )}
        </Load>
      </div>
    </Page>
  );
}
