import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Parts, startParts } from '../load/parts.js';
import { introduceCallers, seedCallers } from '../load/seed-callers.js';
import { CLIENTS } from './connect-clients.js';
import type { SendRequest, SendResult } from './sender-process.js';

const PROCESSES = 4;
const CALLERS = 20;
const TIER = { name: 'measured', capacity: 1000, refillAmount: 600, refillPeriodMs: 1000 };
const ACTOR = { name: 'load', authMethod: 'SYSTEM' as const };

/**
 * Measures 20 callers in 4 processes on the real platform, with Redis and PostgreSQL. The callers
 * use the same API key, so they share one bucket.
 * @param durationMs duration of the load of each client
 */
export async function measureMinute(durationMs: number): Promise<Record<string, unknown>[]> {
  const parts = await startParts();
  const results = [];
  try {
    await parts.store.ensureTiers([TIER], ACTOR);
    for (const client of Object.keys(CLIENTS))
      for (const isPaced of [false, true]) results.push(await measure(parts, client, isPaced, durationMs));
  } finally {
    await parts.stop();
  }
  return results;
}

async function measure({ platform, store }: Parts, client: string, isPaced: boolean, durationMs: number) {
  // A new user starts with a full bucket.
  const prefix = `${client.toLowerCase().replace(/\W/g, '-')}-${isPaced ? 'paced' : 'retrying'}`;
  const [key] = await seedCallers(store, prefix, TIER.name, 1);
  await introduceCallers(platform, [key!]);
  const senders = Array.from({ length: PROCESSES }, () =>
    fork(fileURLToPath(new URL('./sender-process.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] }),
  );
  await Promise.all(senders.map((sender) => nextMessage(sender)));
  const seen = await Promise.all(
    senders.map((sender, index) => {
      const headers = { 'x-api-key': key!, 'x-forwarded-for': `198.51.100.${index + 1}` };
      const url = `${platform.url}/graphql`;
      const request: SendRequest = { client, url, headers, isPaced, callers: CALLERS / PROCESSES, durationMs };
      sender.send(request);
      return nextMessage<SendResult>(sender);
    }),
  );
  for (const sender of senders) sender.disconnect();
  const seconds = durationMs / 1000;
  const sum = (count: (result: SendResult) => number) => seen.reduce((total, result) => total + count(result), 0);
  const answered = seen.flatMap((result) => result.answered);
  const operations = answered.reduce((total, count) => total + count, 0);
  const [sent, denied, ran, charged] = [
    sum((r) => r.sent),
    sum((r) => r.denied),
    sum((r) => r.ran),
    sum((r) => r.charged),
  ];
  for (const { failures } of seen) for (const failure of Object.keys(failures)) console.error(`${prefix}: ${failure}`);
  return {
    client: `${client}, ${isPaced ? 'paced' : 'retrying'}`,
    sent,
    'denied %': ((100 * denied) / sent).toFixed(2),
    'operations/s': (operations / seconds).toFixed(1),
    // The budget is the full bucket at the start, plus the refill during the run.
    'of the budget %': (
      (100 * charged) /
      (TIER.capacity + (TIER.refillAmount * durationMs) / TIER.refillPeriodMs)
    ).toFixed(1),
    'longest s': (Math.max(...seen.map(({ longestMs }) => longestMs)) / 1000).toFixed(1),
    'responses with data, least and most of a caller': `${Math.min(...answered)}, ${Math.max(...answered)}`,
    'ran twice': ran - operations,
  };
}

function nextMessage<Message>(sender: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a sender ended with ${code}`));
    sender.once('exit', onExit);
    sender.once('message', (message) => {
      sender.off('exit', onExit);
      resolve(message as Message);
    });
  });
}
