import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Failure } from '../../parts/feedback/failure.js';
import { explorerText } from '../../text/explorer-text.js';
import { AnswerText } from './answer-text.js';
import { askSampleApi, DEMO_KEYS } from './ask-sample-api.js';

const { run: runText } = explorerText;

export interface RunCardProps {
  operation: { query: string; variables: Readonly<Record<string, unknown>> };
  isReady: boolean;
  /** Number of runs that the editor has requested. */
  runs: number;
}

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
        <AnswerText status={run.data!.status} text={text} />
      )}
    </Card>
  );
}
