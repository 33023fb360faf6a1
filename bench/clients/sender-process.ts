// Process that sends the operations of some of the callers of one bucket. It stops after the given
// duration and returns the results. The process ends when its parent disconnects.
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, CLIENTS, type Counts } from './connect-clients.js';

/** Message from the parent process with the load to send. */
export interface SendRequest {
  client: string;
  url: string;
  headers: Record<string, string>;
  isPaced: boolean;
  callers: number;
  durationMs: number;
}

/** Results of the process. */
export interface SendResult extends Counts {
  /** Number of operations whose response had data, by caller. */
  answered: number[];
  /**
   * Tokens charged until the end of the given duration. `charged` also includes the tokens of later
   * responses.
   */
  chargedInTime: number;
  /**
   * Longest time from the first attempt of an operation to its response with data, or to the end of
   * the run.
   */
  longestMs: number;
  /** Number of failures, by message. A denial counts as a failure only if the client is paced. */
  failures: Record<string, number>;
}

/**
 * Operations that each caller sends in turn, one at a time. They cost 6, 11 and 31 tokens. One
 * token is refunded if no country has the code.
 */
const OPERATIONS = [5, 10, 30].map((first) => ({
  query: `query First${first}($first: Int!, $call: ID! = "SE") { countries(first: $first) { name } country(code: $call) { name } }`,
  variables: { first },
}));
/** Expected error of clients without pacing. Any other error is a failure. */
const DENIED = /THROTTLED|429/;

process.on('message', async (message: SendRequest) => {
  process.send?.(await sendAll(message));
});
process.send?.('ready');

async function sendAll(asked: SendRequest): Promise<SendResult> {
  const { client, url, headers, isPaced, callers, durationMs } = asked;
  const counts: Counts = { sent: 0, denied: 0, ran: 0, charged: 0 };
  const send = CLIENTS[client]!({ url, headers, counts, isPaced });
  const answered = Array.from({ length: callers }, () => 0);
  const failures: Record<string, number> = {};
  let longestMs = 0;
  const endMs = performance.now() + durationMs;
  const inTime = sleep(durationMs).then(() => counts.charged);

  async function call(caller: number): Promise<void> {
    for (let number = caller; performance.now() < endMs; number++) {
      const { query, variables } = OPERATIONS[number % OPERATIONS.length]!;
      const startMs = performance.now();
      for (let attempt = 0; performance.now() < endMs; attempt++) {
        try {
          await send(query, variables);
          answered[caller]!++;
          break;
        } catch (error) {
          const text = `${(error as Error).message} ${JSON.stringify(error)}`;
          if (isPaced || !DENIED.test(text)) {
            const failure = text.slice(0, 200);
            failures[failure] = (failures[failure] ?? 0) + 1;
          }
          await sleep(backoffMs(attempt));
        }
      }
      longestMs = Math.max(longestMs, performance.now() - startMs);
    }
  }
  await Promise.all(answered.map((_, caller) => call(caller)));
  return { ...counts, chargedInTime: await inTime, answered, longestMs, failures };
}
