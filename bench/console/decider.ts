import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface DecideRequest {
  /**
   * Redis of the platform, so that the platform's live stream includes these decisions.
   * `databaseUrl` is the PostgreSQL of the platform.
   */
  redisUrl: string;
  databaseUrl: string;
  perSecond: number;
  durationMs: number;
  /** Number of users that take turns. */
  callers: number;
}

export interface DecideResult {
  decisions: number;
  admitted: number;
  elapsedMs: number;
}

/**
 * Decides operations in a separate process, and resolves when the process has finished. It does not
 * use HTTP. On two cores that also run a browser, HTTP does not reach a thousand operations per
 * second.
 */
export function decide(request: DecideRequest): Promise<DecideResult> {
  const child = fork(fileURLToPath(new URL('./decider-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the decider ended with ${code}`)));
    child.once('message', (result) => {
      resolve(result as DecideResult);
      child.disconnect();
    });
    child.send(request);
  });
}
