import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface DecideRequest {
  /** Both shared with the platform, whose stream then tells of these decisions, too. */
  redisUrl: string;
  databaseUrl: string;
  perSecond: number;
  durationMs: number;
  /** So many users ask in turn. */
  callers: number;
}

export interface DecideResult {
  decisions: number;
  admitted: number;
  elapsedMs: number;
}

/**
 * Decides operations in a process of its own, and resolves once it has. Over HTTP two cores that a
 * browser shares do not get to a thousand a second: what the page does with them would not be seen.
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
