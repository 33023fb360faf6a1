import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startRedisServer } from '../../test/helpers/servers.js';
import type { Conditions, Sample } from './bench.js';
import type { FoundBench } from './find-benches.js';

/** A process that takes longer hangs. */
const DEADLINE_MS = 120_000;

const CHILD = fileURLToPath(new URL('./measure-one.ts', import.meta.url));
const LOADER = new URL('./load-typescript.mjs?register', import.meta.url).href;

/** Measures one variant once in a process of its own, with a Redis of its own where the bench wants one. */
export async function measureInFreshProcess(
  { bench, url }: FoundBench,
  variant: string,
  times: Pick<Conditions, 'measureMs' | 'warmUpMs'>,
): Promise<Sample> {
  const redis = bench.redis ? await startRedisServer() : undefined;
  try {
    return await runChild([
      url,
      variant,
      JSON.stringify({ ...times, redisUrl: redis?.url ?? '' } satisfies Conditions),
    ]);
  } finally {
    await redis?.stop();
  }
}

function runChild(args: string[]): Promise<Sample> {
  return new Promise((resolve, reject) => {
    let sample: Sample | undefined;
    const child = fork(CHILD, args, {
      execArgv: ['--import', LOADER],
      env: { ...process.env, NODE_ENV: 'production' },
      timeout: DEADLINE_MS,
      killSignal: 'SIGKILL',
    });
    child.once('message', (message) => {
      sample = message as Sample;
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (sample && code === 0) resolve(sample);
      else reject(new Error(`variant ${args[1]} ended with ${signal ?? code} before it had measured`));
    });
  });
}
