import type { Db } from '../../postgres/db.js';
import { poll } from '../../runtime/poll.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { createUsageRecorder, type UsageRecorder, type UsageRecorderOptions } from './create-usage-recorder.js';
import { dropOldUsage } from './drop-old-usage.js';
import type { UsageRetention } from './usage-retention.js';

/** What is recorded, and for how long it is kept. */
export interface UsageOptions extends Omit<UsageRecorderOptions, 'db' | 'onState' | 'onRefused' | 'now'> {
  /** For how many days each kind is kept. */
  retention?: UsageRetention;
}

export interface StartUsageOptions extends UsageOptions, Pick<UsageRecorderOptions, 'onState' | 'onRefused'> {
  db: Db;
  /** Called when what is too old could not be dropped; it is tried again. */
  onRetentionError?: (error: unknown) => void;
}

const RETENTION_EVERY_MS = 3_600_000;
/** A start has more urgent things to do. */
const FIRST_RETENTION_AFTER_MS = 60_000;
/** A statement may take longer to end, of a database that hangs or is large. */
const DROPPING_ENDS_MS = 1_000;

/** Starts to record usage, and to drop what is too old, until it is closed. */
export function startUsage({ onRetentionError = () => {}, retention, ...options }: StartUsageOptions): UsageRecorder {
  const recorder = createUsageRecorder(options);
  let isClosed = false;
  const drop = () =>
    dropOldUsage(options.db, retention).catch((error: unknown) => {
      if (!isClosed) onRetentionError(error);
    });
  const stopDropping = poll(drop, (runs) => (runs === 0 ? FIRST_RETENTION_AFTER_MS : RETENTION_EVERY_MS));

  return {
    record: recorder.record,
    numbers: recorder.numbers,
    flush: recorder.flush,
    suppressed: recorder.suppressed,
    async close() {
      isClosed = true;
      const dropped = stopDropping();
      await recorder.close();
      // What it leaves is dropped the next time.
      await withTimeout(dropped, DROPPING_ENDS_MS, () => undefined);
    },
    get failures() {
      return recorder.failures;
    },
    get failing() {
      return recorder.failing;
    },
  };
}

/** Makes the partitions of today and tomorrow, so that the first rows need not wait for them. */
export async function prepareUsage(db: Db): Promise<void> {
  await db.query(`select ensure_usage_partitions(now(), now() + interval '1 day')`);
}
