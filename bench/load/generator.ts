import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Mix } from './mix.js';

/**
 * What the generator is told: an open loop, unless it is bounded, sends at this rate, whether or
 * not it is answered.
 */
export interface LoadRequest {
  /** Of the platform. */
  url: string;
  requestsPerSecond: number;
  durationMs: number;
  mix: Mix;
  /**
   * Sends no more while so many are under way, and ends when the platform takes no more
   * connections: what it cannot do lowers the rate, and is not owed.
   */
  maxUnderWay?: number;
}

/** In milliseconds. */
export interface Distribution {
  p50: number;
  p90: number;
  p99: number;
  p999: number;
  max: number;
}

/** What callers were told of their operations, added up as usage is. */
export interface ToldUsage {
  requests: number;
  denied: number;
  estimated_cost: number;
  actual_cost: number;
  denied_cost: number;
}

/** What it saw. */
export interface LoadResult {
  requests: number;
  elapsedMs: number;
  statuses: Record<string, number>;
  /** Answers of 5xx and broken connections, by what they were. */
  failures: Record<string, number>;
  /** Answers that carry a decision, and those of them that were decided without Redis. */
  decided: number;
  degraded: number;
  /** From the moment when a request was due: one that had to wait for its turn has waited. */
  latencyMs: Distribution;
  /** Tokens that metered callers were let through with, by caller. */
  metered: number[];
  usage: ToldUsage;
}

/** A load generator in a process of its own, so that it takes no time of anybody else's. */
export interface LoadGenerator {
  pid: number;
  run(request: LoadRequest): Promise<LoadResult>;
  stop(): void;
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL('./generator-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  return {
    pid: child.pid!,
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
