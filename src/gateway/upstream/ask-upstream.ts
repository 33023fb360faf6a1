import { timerMs } from '../../runtime/schedule.js';
import { createPace } from './create-pace.js';
import { readAnswer } from './read-answer.js';
import { createReadBudget } from './read-budget.js';
import type { Upstream } from './upstream.js';
import { UpstreamFailure } from './upstream-failure.js';

const MAX_BYTES = 64 * 2 ** 20;

interface OwnRequest {
  query: string;
  /** The gateway's own `Authorization` header. The request contains no data of a caller. */
  authorization: string | undefined;
  timeoutMs: number;
}

/**
 * Sends the gateway's own query to the upstream. Resolves to the response; rejects with the reason
 * if there is none.
 */
export async function askUpstream(
  upstream: Upstream,
  { query, authorization, timeoutMs }: OwnRequest,
): Promise<unknown> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new UpstreamFailure('UPSTREAM_TIMEOUT', { hasRun: true })),
    timerMs(timeoutMs),
  );
  try {
    const answer = await upstream.ask({
      body: JSON.stringify({ query }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json;q=0.9',
        'accept-encoding': 'identity',
        ...(authorization !== undefined && { authorization }),
      },
      signal: late.signal,
      isQuery: true,
    });
    const budget = createReadBudget({ maxBytes: MAX_BYTES, maxBytesEach: MAX_BYTES });
    const read = await readAnswer(answer, budget.open(), createPace(timeoutMs));
    if (!('result' in read)) {
      answer.dump();
      throw new Error(`its answer has more than ${MAX_BYTES} bytes`);
    }
    return read.result;
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    const { status, cause, why = cause instanceof Error ? cause.message : undefined } = error.details;
    const reason = why === undefined ? '' : `: ${why}`;
    throw new Error(`${error.message}${status === undefined ? '' : ` (status ${status})`}${reason}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
