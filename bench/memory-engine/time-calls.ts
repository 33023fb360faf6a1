import type { Conditions, Runner } from '../frame/bench.js';

export const METRICS = [
  { name: 'decisions/s', better: 'higher' },
  { name: 'CPU ns', better: 'lower' },
] as const;

export interface Calls<Result> {
  /** Decides one operation of this cost for a user. */
  decide(user: string, cost: number): Promise<Result>;
  /** Throws if the result is not the expected one. Called only for a sample of the results. */
  check(result: Result): void;
}

export const USERS: readonly string[] = Array.from({ length: 1000 }, (_, index) => `user-${index}`);

/** Number of calls between two readings of the clock. */
const BATCH = 1000;

/** Measures throughput and processor time of awaited calls, alternating with the other variants. */
export async function timeCalls<Result>(
  scenarios: Readonly<Record<string, Calls<Result>>>,
  { warmUpMs }: Conditions,
): Promise<Runner> {
  const run = Object.entries(scenarios).map(([name, scenario]) => [
    name,
    async (durationMs: number) => {
      const before = process.cpuUsage();
      const { calls, elapsedMs } = await callFor(scenario, durationMs);
      const { user, system } = process.cpuUsage(before);
      return { 'decisions/s': (calls / elapsedMs) * 1000, 'CPU ns': ((user + system) * 1000) / calls };
    },
  ]);
  return { warmUpMs: 2 * warmUpMs, run: Object.fromEntries(run), close: async () => {} };
}

async function callFor<Result>(
  { decide, check }: Calls<Result>,
  durationMs: number,
): Promise<{ calls: number; elapsedMs: number }> {
  const start = performance.now();
  let calls = 0;
  let elapsedMs = 0;
  while (elapsedMs < durationMs) {
    for (let i = 1; i < BATCH; i++) await decide(USERS[(i * 7919) % USERS.length]!, 1 + (i % 20));
    check(await decide(USERS[0]!, 1));
    calls += BATCH;
    elapsedMs = performance.now() - start;
  }
  return { calls, elapsedMs };
}
