import type { Db } from '../store/db.js';

/** Sees to it that rows find a partition. */
export interface UsagePartitions {
  /** Makes those that are missing for rows of these moments (epoch milliseconds), and for the day after the last. */
  ensureFor(timesMs: readonly number[]): Promise<void>;
  /** Asks the database again: partitions may be gone. */
  forget(): void;
}

const DAY_MS = 86_400_000;

/** The day ahead is made with the day: then no row waits for a partition at midnight. */
export function createUsagePartitions(db: Db): UsagePartitions {
  const ensured = new Set<number>();
  return {
    async ensureFor(timesMs) {
      const days = new Set(timesMs.map((ms) => Math.floor(ms / DAY_MS)));
      for (const day of days) {
        if (ensured.has(day)) continue;
        await db.query('select ensure_usage_partitions(to_timestamp($1::bigint), to_timestamp($2::bigint))', [
          (day * DAY_MS) / 1000,
          ((day + 1) * DAY_MS) / 1000,
        ]);
        ensured.add(day);
      }
    },
    forget: () => ensured.clear(),
  };
}
