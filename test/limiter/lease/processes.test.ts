import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import type { Precision } from '../../../src/model/limit-parameters.js';
import { PATIENT } from '../../helpers/patient.js';
import { type RedisCluster, startRedisCluster } from '../../helpers/redis-cluster.js';
import { redisDatabase, uniqueName } from '../../helpers/servers.js';
import { someone } from '../engines.js';

/** Number of histories. For a longer search: LEASE_HISTORIES=1000. */
const RUNS = Number(process.env['LEASE_HISTORIES'] ?? 10);
const PROCESSES = 4;
const LEASE_MS = 50;

async function startWorker(url: string): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./lease-worker.ts', import.meta.url));
  const worker = fork(script, [url], { execArgv: ['--import', 'tsx'] });
  const ended = once(worker, 'exit').then(([code]) => {
    throw new Error(`a worker ended with ${code} before it was ready`);
  });
  await Promise.race([once(worker, 'message'), ended]);
  return worker;
}

interface Burst {
  limits: readonly LimitCharge[];
  times: number;
  refundEvery: number;
  /** Fault that the first process suffers during the history. */
  fate: 'NONE' | 'PAUSED' | 'KILLED';
}

interface Found {
  admitted: number;
  leased: number;
  /** Time from the start of the first operation to the end of the last operation. */
  elapsedMs: number;
}

async function run(workers: ChildProcess[], url: string, burst: Burst): Promise<Found> {
  const { limits, times, refundEvery, fate } = burst;
  const subject = someone();
  const startedMs = performance.now();
  const answers = workers.map(async (worker, i): Promise<{ admitted: number; leased: number }> => {
    const done = new AbortController();
    const answered = once(worker, 'message', done).then(([message]) => message);
    const gone = once(worker, 'exit', done).then(() => ({ admitted: 0, leased: 0 }));
    worker.send({ request: { subject, limits }, times, lines: 4, refundEvery });
    if (i === 0 && fate !== 'NONE') {
      await new Promise((resolve) => setTimeout(resolve, 5 + (times % 40)));
      if (fate === 'KILLED') worker.kill('SIGKILL');
      else {
        worker.kill('SIGSTOP');
        setTimeout(() => worker.kill('SIGCONT'), 2 * LEASE_MS);
      }
    }
    return Promise.race([answered, gone]).finally(() => {
      done.abort();
      Promise.allSettled([answered, gone]);
    });
  });
  const all = await Promise.all(answers);
  const elapsedMs = performance.now() - startedMs;
  if (fate === 'KILLED') workers[0] = await startWorker(url);
  return {
    admitted: all.reduce((sum, { admitted }) => sum + admitted, 0),
    leased: all.reduce((sum, { leased }) => sum + leased, 0),
    elapsedMs,
  };
}

const bucket = (precision: Precision, capacity: number): LimitCharge => ({
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity,
  refillAmount: 200,
  refillPeriodMs: 1000,
  precision,
  cost: 1,
});
/** Returns a limit that all callers share: that of a day, or in every second run that of a year of the calendar. */
const shared = (precision: Precision, amount: number, run: number): LimitCharge => ({
  id: uniqueName('shared'),
  scope: 'GLOBAL',
  ...(run % 2 === 0
    ? { algorithm: 'FIXED_WINDOW', windowMs: 86_400_000 }
    : { algorithm: 'CALENDAR_WINDOW', every: 'YEAR', timeZone: 'Europe/Berlin' }),
  amount,
  precision,
  cost: 1,
});

/**
 * Returns the fault of a run: KILLED in one of 25 runs, otherwise PAUSED in one of three runs,
 * otherwise NONE. A new process replaces a killed process.
 */
const fateOf = (run: number): Burst['fate'] => (run % 25 === 7 ? 'KILLED' : run % 3 === 1 ? 'PAUSED' : 'NONE');

describe.each(['one Redis', 'a cluster'] as const)(`${PROCESSES} processes with leases on %s`, (where) => {
  let cluster: RedisCluster | undefined;
  let url: string;
  let workers: ChildProcess[] = [];
  const runs = where === 'one Redis' ? RUNS : Math.ceil(RUNS / 5);
  beforeAll(async () => {
    cluster = where === 'one Redis' ? undefined : await startRedisCluster({ replicas: false });
    // A separate database, so that these processes are its only instances.
    url = cluster?.url ?? redisDatabase(inject('redisUrl'), 2);
    workers = await Promise.all(Array.from({ length: PROCESSES }, () => startWorker(url)));
  });
  afterAll(async () => {
    for (const worker of workers) worker.disconnect();
    await cluster?.stop();
  });

  test(
    `processes admit at most a limit plus their leases, even if some are killed or paused, in ${runs} histories`,
    async () => {
      let leased = 0;
      // The few runs on a cluster use larger limits. Small limits are spent before the first lease
      // arrives.
      const first = where === 'one Redis' ? 0 : 8;
      for (let i = first; i < first + runs; i++) {
        const capacity = 200 + 37 * (i % 11);
        const amount = 300 + 91 * (i % 13);
        for (const precision of ['LEASED', 'EXACT'] as const) {
          const limits = [bucket(precision, capacity), shared(precision, amount, i)];
          const refundEvery = [0, 0, 3, 2][i % 4]!;
          const found = await run(workers, url, { limits, times: 150 + 17 * (i % 7), refundEvery, fate: fateOf(i) });
          const mostHeld = precision === 'LEASED' ? PROCESSES * Math.floor(capacity / 16) : 0;
          expect(found.admitted).toBeLessThanOrEqual(capacity + Math.ceil(0.2 * found.elapsedMs) + mostHeld);
          // A window never exceeds its amount.
          expect(found.admitted).toBeLessThanOrEqual(amount);
          if (precision === 'LEASED') leased += found.leased;
          else expect(found.leased).toBe(0);
        }
      }
      expect(leased).toBeGreaterThan(runs);
    },
    60_000 + 4000 * runs,
  );

  test(
    `processes admit at most a window's amount with leases, and exactly the amount without, in ${runs} histories`,
    async () => {
      for (let i = 0; i < runs; i++) {
        const amount = 200 + 53 * (i % 9);
        for (const precision of ['LEASED', 'EXACT'] as const) {
          const limit = shared(precision, amount, i);
          const { admitted } = await run(workers, url, { limits: [limit], times: 200, refundEvery: 0, fate: 'NONE' });
          if (precision === 'EXACT') {
            expect(admitted).toBe(amount);
            continue;
          }
          expect(admitted).toBeLessThanOrEqual(amount);
          // Unspent tokens are available again once all leases have lapsed.
          const rest = createLimiter({ redis: url, ...PATIENT });
          const request = { subject: someone(), limits: [limit] };
          await expect.poll(async () => (await rest.peek(request))[0]?.used).toBe(admitted);
          await rest.close();
        }
      }
    },
    60_000 + 4000 * runs,
  );
});
