import type { Db } from '../../postgres/db.js';

/** Ensures that rows have a partition. */
interface UsagePartitions {
  /** Creates the missing partitions for these days (`dayOf`), and for the day after each. */
  ensureFor(days: Iterable<number>): Promise<void>;
  /** Discards the list of existing partitions, because some may have been dropped. */
  forget(): void;
}

const DAY_MS = 86_400_000;

/** Returns the day of a time in epoch milliseconds, in UTC, counted from 1970-01-01. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/**
 * Creates the partitions of a day together with those of the next one, so that no row waits for a
 * partition at midnight.
 */
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
