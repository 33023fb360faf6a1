import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Failure } from '../../parts/feedback/failure.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { explorerText } from '../../text/explorer-text.js';
import { askSampleApi, DEMO_KEYS } from './ask-sample-api.js';

const { run: runText } = explorerText;

export interface RunCardProps {
  operation: { query: string; variables: Readonly<Record<string, unknown>> };
  isReady: boolean;
  /** Number of runs that the editor has requested. */
  runs: number;
}

/**
 * Maximum length of the response that is shown. The page is for a first look, not for complete
 * responses.
 */
const MOST_LETTERS = 20_000;

/**
 * Runs an operation of the sample API as one of the demo callers. It is charged like any other
 * operation.
 */
export function RunCard({ operation, isReady, runs }: RunCardProps) {
  const [key, setKey] = useState<string>(DEMO_KEYS[0]);
  const run = useMutation({ mutationFn: () => askSampleApi({ ...operation, key }) });
  const seen = useRef(runs);
  const { mutate } = run;
  useEffect(() => {
    if (seen.current === runs) return;
    seen.current = runs;
    if (isReady) mutate();
  }, [runs, isReady, mutate]);

  const text = run.data && JSON.stringify(run.data.body, null, 2);
  return (
    <Card
      title={runText.title}
      aside={
        <>
          <select
            className="select"
            aria-label={runText.key}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          >
            {DEMO_KEYS.map((one) => (
              <option key={one} value={one}>
                {one === '' ? runText.withoutKey : runText.withKey(one)}
              </option>
            ))}
          </select>
          <button
            type="button"
            className="button button-primary"
            disabled={!isReady || run.isPending}
            onClick={() => mutate()}
          >
            {runText.run}
          </button>
        </>
      }
    >
      {run.error && <Failure error={run.error} onRetry={() => mutate()} />}
      {text === undefined ? (
        <Empty title={runText.empty}>{runText.emptyHint}</Empty>
      ) : (
        <>
          <p className="card-body">
            {runText.status}{' '}
            <span className={`pill ${run.data!.status < 400 ? 'pill-good' : 'pill-bad'}`}>{run.data!.status}</span>
          </p>

          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to reach an element that scrolls. */}
          <section className="answer" aria-label={runText.response} tabIndex={0}>
            <pre>
              {text
                .slice(0, MOST_LETTERS)
                .split('\n')
                .map((line) => visibleText(line, MOST_LETTERS))
                .join('\n')}
            </pre>
          </section>
          {text.length > MOST_LETTERS && <p className="muted card-body">{runText.truncated}</p>}
        </>
      )}
    </Card>
  );
}
