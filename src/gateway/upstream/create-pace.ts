import { UpstreamFailure } from './upstream-failure.js';

/** Minimum speed of one response. The response is aborted if it arrives more slowly. */
export interface Pace {
  /** Yields the same pieces. @throws UpstreamFailure if the upstream is too slow */
  of(pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer>;
  /** Restarts the timeout, because a complete part of the response was received. */
  progressed(): void;
}

/** Number of bytes that count as progress. */
const PROGRESS_BYTES = 64 * 1024;

/**
 * Creates the pace of one response: at least 64 KiB, or one call of `progressed`, per `timeoutMs`.
 * The idle timeout does not abort a slow response, because each small piece restarts that timeout.
 * Without a pace, such a response could occupy its connection permanently. Only the time spent
 * waiting for the upstream counts, not the time spent waiting for the client to read.
 */
export function createPace(timeoutMs: number, now: () => number = () => performance.now()): Pace {
  let waitedMs = 0;
  let bytes = 0;

  function progressed(): void {
    waitedMs = 0;
    bytes = 0;
  }

  return {
    progressed,
    async *of(pieces) {
      for (;;) {
        const askedMs = now();
        const next = await pieces.next();
        if (next.done) return;
        waitedMs += now() - askedMs;
        bytes += next.value.length;
        if (bytes >= PROGRESS_BYTES) progressed();
        else if (waitedMs > timeoutMs) throw new UpstreamFailure('UPSTREAM_TIMEOUT', { hasRun: true });
        yield next.value;
      }
    },
  };
}
