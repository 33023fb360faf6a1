import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Mix } from './mix.js';

/**
 * Message to the generator. Without `maxUnderWay`, the load is an open loop: the generator sends
 * `requestsPerSecond`, even if earlier requests have no response yet.
 */
export interface LoadRequest {
  /** URL of the platform, or URLs of several instances that take turns. */
  url: string | readonly string[];
  requestsPerSecond: number;
  durationMs: number;
  mix: Mix;
  /**
   * Maximum number of requests in flight. If it is set, the run ends when the platform accepts no
   * more connections. Requests that are delayed beyond the end of the run are dropped, which lowers
   * the rate.
   */
  maxUnderWay?: number;
}

/** Distribution of latencies in milliseconds. */
export interface Distribution {
  p50: number;
  p90: number;
  p99: number;
  p999: number;
  max: number;
}

/** Sums of the usage that responses reported to callers, in the form of the recorded usage. */
export interface ReportedUsage {
  requests: number;
  denied: number;
  estimated_cost: number;
  actual_cost: number;
  denied_cost: number;
}

/** Results of a run. */
export interface LoadResult {
  requests: number;
  elapsedMs: number;
  statuses: Record<string, number>;
  /** Number of unexpected responses with status 5xx and requests without a response, by kind. */
  failures: Record<string, number>;
  /**
   * Number of responses with a decision. `degraded` counts those that were decided without Redis.
   */
  decided: number;
  degraded: number;
  /** Latency from the time when a request was due. It includes the wait for a connection. */
  latencyMs: Distribution;
  /** Tokens of the admitted operations of each metered caller. */
  metered: number[];
  usage: ReportedUsage;
}

/** A load generator in a separate process, so that it uses no processor time of the platform. */
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
