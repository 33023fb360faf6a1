// Some of the callers of one bucket, in a process of their own: sends operations until the time is
// over, and answers with what came of them. Ends when its parent disconnects.
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, CLIENTS, type Counts } from './connect-clients.js';

/** What a process is told. */
export interface SendRequest {
  client: string;
  url: string;
  headers: Record<string, string>;
  isPaced: boolean;
  callers: number;
  durationMs: number;
}

/** What it saw. */
export interface SendResult extends Counts {
  /** Operations that were answered with data, by caller. */
  answered: number[];
  /** Tokens that were charged until the time was over; `charged` has those of the last answers too. */
  chargedInTime: number;
  /** The longest that an operation took from its wish to its answer. */
  longestMs: number;
  /** What went wrong besides denials, by what it was. */
  failures: Record<string, number>;
}

/**
 * Each caller sends one after the other, in turns; 6, 11 and 31 tokens, of which one comes back
 * where no country has that code.
 */
const OPERATIONS = [5, 10, 30].map((first) => ({
  query: `query First${first}($first: Int!, $call: ID! = "SE") { countries(first: $first) { name } country(code: $call) { name } }`,
  variables: { first },
}));
/** Nothing but this is expected of those that have no pacing. */
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
