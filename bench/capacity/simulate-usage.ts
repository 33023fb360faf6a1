import { createZipf } from './create-zipf.js';

export interface UsageLoad {
  users: number;
  zipf: number;
  instances: number;
  rps: number;
  seconds: number;
  flushMs: number;
  /** The same seed gives the same operations. */
  seed: number;
}

export interface SimulatedUsage {
  /** Rows that all batches update, one for each user of a batch. */
  entries: number;
  /** Users with at least one operation. */
  callers: number;
}

/**
 * Draws the user and the instance of each operation, and counts the users of each batch. It sends
 * operations one after the other, without any formula about their distribution.
 */
export function simulateUsage({ users, zipf, instances, rps, seconds, flushMs, seed }: UsageLoad): SimulatedUsage {
  const { rank, below } = createZipf(users, zipf, seed);
  const seen = new Uint8Array(users);
  const batches = Array.from({ length: instances }, () => new Set<number>());
  // Instances store at different times, spread over the interval.
  const nextFlushMs = batches.map((_, instance) => ((instance + 1) * flushMs) / instances);
  let entries = 0;
  const operations = rps * seconds;
  for (let operation = 0; operation < operations; operation++) {
    const nowMs = (operation * 1000) / rps;
    const instance = below(instances);
    if (nowMs >= nextFlushMs[instance]!) {
      entries += batches[instance]!.size;
      batches[instance]!.clear();
      while (nextFlushMs[instance]! <= nowMs) nextFlushMs[instance]! += flushMs;
    }
    const user = rank();
    seen[user] = 1;
    batches[instance]!.add(user);
  }
  for (const batch of batches) entries += batch.size;
  return { entries, callers: seen.reduce((sum, one) => sum + one, 0) };
}
