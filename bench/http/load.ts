import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { OperationName } from './operations.js';

/** What the load generator is told. */
export interface LoadRequest {
  url: string;
  operation: OperationName;
  connections: number;
  /** They take turns. */
  callers: number;
  durationMs: number;
}

/** What it saw. */
export interface LoadResult {
  requests: number;
  elapsedMs: number;
  p50Ms: number;
  p99Ms: number;
}

/** A load generator in a process of its own, so that it takes no time of the server's. */
export interface LoadGenerator {
  run(request: LoadRequest): Promise<LoadResult>;
  stop(): void;
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL('./load-process.ts', import.meta.url)));
  return {
    run: (request) =>
      new Promise((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`the load generator ended with ${code}`));
        child.once('exit', onExit);
        child.once('message', (result) => {
          child.off('exit', onExit);
          resolve(result as LoadResult);
        });
        child.send(request);
      }),
    stop: () => child.disconnect(),
  };
}
