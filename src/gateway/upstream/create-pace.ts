import { UpstreamFailure } from './upstream-failure.js';

export interface Pace {
  /** The same pieces. @throws UpstreamFailure where the upstream has become too slow */
  of(pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer>;
  /** Something whole has come: the time runs anew. */
  progressed(): void;
}

/** Whoever sends so much has made progress. */
const PROGRESS_BYTES = 64 * 1024;

/**
 * Ends an answer that comes a few bytes at a time: silence would end it, but an upstream that trickles is never silent, and would keep
 * its place for ever. What counts is the time in which something is waited for; not that in which its reader takes what has come.
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
