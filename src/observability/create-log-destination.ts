import { write, writeSync } from 'node:fs';

interface LogDestinationOptions {
  /** File descriptor to which the lines are written. */
  fd: number;
  /**
   * Maximum number of characters in waiting lines. Further lines are dropped.
   * @default 1048576
   */
  maxWaiting?: number;
}

interface LogDestination {
  /** Accepts one line, which includes its line end. It never throws and never blocks. */
  write(line: string): void;
  /** Writes the waiting lines before the process exits, within half a second. */
  flushSync(): void;
}

const MAX_WAITING = 1024 * 1024;
const SLOW_READER = 'the reader of the log is slow';
/** Time until the next attempt on a full pipe, in milliseconds. */
const BUSY_RETRY_MS = 50;
/** Time until the next attempt after any other failure, such as a full disk, in milliseconds. */
const RETRY_MS = 1_000;
const FLUSH_ATTEMPTS = 10;

/**
 * Creates a destination that writes log lines to a file descriptor without blocking the event loop.
 * Lines wait in memory while the disk is full or the reader is slow. If too many lines wait,
 * further lines are dropped and counted. The destination of pino is unsuitable. It blocks the event
 * loop forever when it flushes to a full disk, and its `error` event ends the process.
 */
export function createLogDestination({ fd, maxWaiting = MAX_WAITING }: LogDestinationOptions): LogDestination {
  let waiting: string[] = [];
  let waitingLength = 0;
  let batch = Buffer.alloc(0);
  let isBusy = false;
  let isInFlight = false;
  let dropped = 0;
  let reason = SLOW_READER;

  function fillBatch(): boolean {
    if (batch.length > 0) return true;
    const loss = dropped > 0 ? describeLoss(dropped, reason) : '';
    batch = Buffer.from(waiting.join('') + loss);
    waiting = [];
    waitingLength = 0;
    dropped = 0;
    return batch.length > 0;
  }

  function writeNext(): void {
    isBusy = fillBatch();
    if (!isBusy) return;
    isInFlight = true;
    write(fd, batch, 0, batch.length, null, onWritten);
  }

  function onWritten(error: NodeJS.ErrnoException | null, written: number): void {
    isInFlight = false;
    if (!error) {
      batch = batch.subarray(written);
      writeNext();
      return;
    }
    const isSlow = error.code === 'EAGAIN';
    reason = isSlow ? SLOW_READER : error.message;
    // The timer is unref'd so that a log that cannot be written does not keep the process alive.
    setTimeout(writeNext, isSlow ? BUSY_RETRY_MS : RETRY_MS).unref();
  }

  return {
    write(line) {
      if (waitingLength + line.length > maxWaiting) {
        dropped++;
        return;
      }
      waiting.push(line);
      waitingLength += line.length;
      if (!isBusy) writeNext();
    },
    flushSync() {
      // A thread of libuv is writing this batch, and finishes before the process exits. The batch
      // must not be written twice.
      if (isInFlight) batch = batch.subarray(batch.length);
      for (let attempt = 0; attempt < FLUSH_ATTEMPTS && fillBatch(); ) {
        try {
          batch = batch.subarray(writeSync(fd, batch));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
          attempt++;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_RETRY_MS);
        }
      }
    },
  };
}

/** Returns a log line in pino's form about lines that were dropped. */
function describeLoss(lines: number, reason: string): string {
  const msg = `${lines} ${lines === 1 ? 'line of this log was' : 'lines of this log were'} dropped, because writing failed: ${reason}`;
  return `${JSON.stringify({ level: 40, time: Date.now(), name: 'tollgate', msg })}\n`;
}
