import type { UsageRecord } from '../../model/usage-record.js';

export interface SampledRecord {
  record: UsageRecord;
  /** The share of callers whose decisions are logged, where this one's are. */
  share: number | undefined;
}

interface UnreadRecords {
  /** Puts a record aside. It is read soon, and not now: the answer of its operation is about to be written. */
  put(record: SampledRecord): void;
  /** Reads all of them now. */
  read(): void;
  readonly isEmpty: boolean;
}

/** So many records are read at once, or what came in so long: not one between every two requests. */
const READ_AT_ONCE = 32;
const READ_AFTER_MS = 20;
/** As many are read at once even where answers wait for it. */
const MAX_UNREAD = 1_000;

/** Records that are put aside until the event loop has a moment. Then `readAll` gets them. */
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
