import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { OperationName } from './operations.js';

/** Message to the load generator: the load to send. */
export interface LoadRequest {
  url: string;
  operation: OperationName;
  /** Id of the document. @default the requests have the text of the operation */
  documentId?: string;
  connections: number;
  /** Number of callers that take turns. */
  callers: number;
  durationMs: number;
  /**
   * Operations per second that are sent regardless of responses (open loop). Absent: each connection
   * sends its next operation after a response (closed loop).
   */
  ratePerSecond?: number;
}

/** Results of the load generator. */
export interface LoadResult {
  requests: number;
  elapsedMs: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * A load generator in a separate process, so that it uses no processor time of the server process.
 */
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
