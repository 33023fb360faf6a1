import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface DecideRequest {
  /**
   * Redis shared with the platform, like the PostgreSQL below. The platform's live stream therefore
   * includes these decisions.
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
 * Decides operations in a separate process and resolves when it is done. HTTP is not used, because
 * it does not reach a thousand operations a second on two cores that also run a browser. The load
 * on the page would be too low.
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
