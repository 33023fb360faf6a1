import type { Db } from '../../postgres/db.js';

/** Sees to it that rows find a partition. */
interface UsagePartitions {
  /** Makes those that are missing for rows of these days (`dayOf`), and of the day after each. */
  ensureFor(days: Iterable<number>): Promise<void>;
  /** Asks the database again: partitions may be gone. */
  forget(): void;
}

const DAY_MS = 86_400_000;

/** Which day a moment (epoch milliseconds) is on, in UTC, counted from the first of 1970. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** The day ahead is made with the day: then no row waits for a partition at midnight. */
export function createUsagePartitions(db: Db): UsagePartitions {
  const ensured = new Set<number>();
  return {
    async ensureFor(days) {
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
