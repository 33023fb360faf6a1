import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Precision } from '../../src/model/limit-parameters.js';
import { uniqueName } from '../../test/helpers/servers.js';

export interface SharedLoad {
  precision: Precision;
  durationMs: number;
}

/**
 * Message that requests that a process charge a limit for a duration, or until the limit denies.
 */
export interface ShareRequest {
  id: string;
  amount: number;
  precision: Precision;
  durationMs: number;
}

export interface ShareResult {
  admitted: number;
  nodeCpuUs: number;
}

export interface Sharers {
  /**
   * Lets all processes charge one limit at full rate, then another one until it denies all of them.
   */
  run(load: SharedLoad): Promise<{ decisions: number; elapsedMs: number; nodeCpuUs: number; aboveLimit: number }>;
  stop(): void;
}

const UNREACHED = 1_000_000_000;
const REACHED = 5_000;

/** Starts processes that share a limit, each with its own limiter and load. */
export async function startSharers(redisUrl: string, count: number): Promise<Sharers> {
  const script = fileURLToPath(new URL('./share-process.ts', import.meta.url));
  const children = Array.from({ length: count }, () => fork(script, [redisUrl]));
  await Promise.all(children.map(answerOf));

  async function askAll(request: ShareRequest): Promise<{ admitted: number; nodeCpuUs: number }> {
    const results = await Promise.all(
      children.map((child) => {
        const answer = answerOf(child);
        child.send(request);
        return answer as Promise<ShareResult>;
      }),
    );
    return {
      admitted: results.reduce((sum, { admitted }) => sum + admitted, 0),
      nodeCpuUs: results.reduce((sum, { nodeCpuUs }) => sum + nodeCpuUs, 0),
    };
  }

  return {
    async run({ precision, durationMs }) {
      const start = performance.now();
      const { admitted, nodeCpuUs } = await askAll({ id: 'shared', amount: UNREACHED, precision, durationMs });
      const elapsedMs = performance.now() - start;
      const edge = await askAll({ id: uniqueName('edge'), amount: REACHED, precision, durationMs });
      const aboveLimit = Math.max(0, edge.admitted - REACHED);
      return { decisions: admitted, elapsedMs, nodeCpuUs, aboveLimit };
    },
    stop() {
      for (const child of children) child.disconnect();
    },
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const done = new AbortController();
  const gone = once(child, 'exit', done).then(([code]) => {
    throw new Error(`a process that shares the limit ended with ${code}`);
  });
  const answer = once(child, 'message', done).then(([message]) => message);
  return Promise.race([answer, gone]).finally(() => {
    done.abort();
    void Promise.allSettled([answer, gone]);
  });
}
