import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startRedisCluster } from '../../test/helpers/redis-cluster.js';
import { startRedisServer } from '../../test/helpers/servers.js';
import type { Bench, Conditions, Sample } from './bench.js';
import type { FoundBench } from './find-benches.js';

/**
 * Message from the process of a variant. The first message contains the sample or the scenarios;
 * each later message contains the metrics of a turn.
 */
export interface FromChild {
  sample?: Sample;
  warmUpMs?: number;
  scenarios?: string[];
  metrics?: Record<string, number>;
}

/** Message to the process that requests the measurement of a turn. */
export interface ToChild {
  scenario: string;
  durationMs: number;
}

/**
 * One variant of one round in a separate process, with its own Redis if the benchmark needs one.
 */
export interface FreshProcess {
  /** Sample of a variant that measures once. */
  sample: Sample | undefined;
  /** Scenarios that a variant with turns supports. */
  scenarios: readonly string[];
  warmUpMs: number;
  turn(scenario: string, durationMs: number): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

const DEADLINE_MS = 120_000;

const CHILD = fileURLToPath(new URL('./measure-one.ts', import.meta.url));
const LOADER = new URL('./load-typescript.mjs?register', import.meta.url).href;

/** Starts one variant. Resolves when the variant has measured its sample, or is ready for turns. */
export async function startFreshProcess(
  { bench, url }: FoundBench,
  variant: string,
  times: Pick<Conditions, 'measureMs' | 'warmUpMs'>,
): Promise<FreshProcess> {
  const redis = await startRedisFor(bench, variant);
  const conditions = { ...times, redisUrl: redis?.url ?? '' } satisfies Conditions;
  const child = fork(CHILD, [url, variant, JSON.stringify(conditions)], {
    execArgv: ['--import', LOADER],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const stop = async () => {
    const ended = once(child, 'exit');
    if (child.connected) child.disconnect();
    if (child.exitCode === null && child.signalCode === null) {
      const hanging = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
      await ended;
      clearTimeout(hanging);
    }
    await redis?.stop();
  };
  try {
    const { sample, scenarios = [], warmUpMs = 0 } = await answerOf(child, variant, bench.deadlineMs);
    return {
      sample,
      scenarios,
      warmUpMs,
      async turn(scenario, durationMs) {
        child.send({ scenario, durationMs } satisfies ToChild);
        return (await answerOf(child, variant)).metrics ?? {};
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startRedisFor(
  { redis }: Bench,
  variant: string,
): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  if (redis === undefined || redis === false) return undefined;
  if (redis !== true && redis[variant] === 'cluster') return startRedisCluster({ replicas: false });
  return startRedisServer();
}

function answerOf(child: ChildProcess, variant: string, deadlineMs: number = DEADLINE_MS): Promise<FromChild> {
  return new Promise((resolve, reject) => {
    const hanging = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    const done = () => {
      clearTimeout(hanging);
      child.off('message', onMessage);
      child.off('error', onError);
      child.off('exit', onExit);
    };
    const onMessage = (message: unknown) => {
      done();
      resolve(message as FromChild);
    };
    const onError = (error: Error) => {
      done();
      reject(error);
    };
    const onExit = (code: number | null, signal: string | null) =>
      onError(new Error(`variant ${variant} ended with ${signal ?? code} before it had measured`));
    child.on('message', onMessage);
    child.on('error', onError);
    child.on('exit', onExit);
  });
}
