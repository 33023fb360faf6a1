import type { UsageRecord } from '../../model/usage-record.js';

export interface SampledRecord {
  record: UsageRecord;
  /** Share of callers whose decisions are logged. Undefined if this caller is not included. */
  share: number | undefined;
}

interface UnreadRecords {
  /**
   * Queues a record. The record is read a little later, so that the response of its operation is
   * written first.
   */
  put(record: SampledRecord): void;
  /** Reads all queued records now. */
  read(): void;
  readonly isEmpty: boolean;
}

/**
 * The queued records are read together once there are `READ_AT_ONCE`, or after `READ_AFTER_MS`.
 * Reading each one separately would interrupt requests more often.
 */
const READ_AT_ONCE = 32;
const READ_AFTER_MS = 20;
/**
 * Number of queued records at which all are read immediately, even though responses have to wait.
 */
const MAX_UNREAD = 1_000;

/** Queues records and passes them to `readAll` in groups, outside of the path of requests. */
export function createUnreadRecords(readAll: (records: readonly SampledRecord[]) => void): UnreadRecords {
  let unread: SampledRecord[] = [];
  let timer: NodeJS.Timeout | undefined;

  function read(): void {
    clearTimeout(timer);
    timer = undefined;
    const records = unread;
    unread = [];
    readAll(records);
  }

  return {
    put(record) {
      unread.push(record);
      if (unread.length === 1) timer ??= setTimeout(read, READ_AFTER_MS).unref();
      else if (unread.length === READ_AT_ONCE) setImmediate(read);
      else if (unread.length >= MAX_UNREAD) read();
    },
    read,
    get isEmpty() {
      return unread.length === 0;
    },
  };
}
