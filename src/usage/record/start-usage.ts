import type { Db } from '../../postgres/db.js';
import { poll } from '../../runtime/poll.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { createUsageRecorder, type UsageRecorder, type UsageRecorderOptions } from './create-usage-recorder.js';
import { dropOldUsage } from './drop-old-usage.js';
import type { UsageRetention } from './usage-retention.js';

/** Settings for the recording and the retention of usage. */
export interface UsageOptions extends Omit<UsageRecorderOptions, 'db' | 'region' | 'onState' | 'onRejected' | 'now'> {
  /** Retention of each kind of usage, in days. */
  retention?: UsageRetention;
}

export interface StartUsageOptions
  extends UsageOptions,
    Pick<UsageRecorderOptions, 'region' | 'onState' | 'onRejected'> {
  db: Db;
  /** Called when dropping old usage fails. The next run tries it again. */
  onRetentionError?: (error: unknown) => void;
}

const RETENTION_EVERY_MS = 3_600_000;
/**
 * Delay of the first retention run, in milliseconds. Directly after its start, the process has more
 * urgent work.
 */
const FIRST_RETENTION_AFTER_MS = 60_000;
/**
 * Maximum time that `close` waits for a running drop of old usage, in milliseconds. A drop in a
 * slow or large database may take longer.
 */
const DROPPING_ENDS_MS = 1_000;

/** Starts to record usage and to drop old usage, until it is closed. */
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
      // A drop that is not completed in time is repeated by the next run.
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

/** Creates the partitions of today and tomorrow, so that the first rows do not wait for them. */
export async function prepareUsage(db: Db): Promise<void> {
  await db.query(`select ensure_usage_partitions(now(), now() + interval '1 day')`);
}
