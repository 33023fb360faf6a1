import type { CounterOptions } from '../../options/counter-options.js';
import { TIMINGS, type Timings } from '../../runtime/timings.js';

export type BreakerState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

export interface Breaker {
  state(): BreakerState;
  /** Whether calls may be made. */
  isClosed(): boolean;
  /** Counts a call that Redis replied to. A denial counts as a reply, too. */
  succeeded(): void;
  failed(): void;
  /** Opens the breaker immediately, regardless of the failure rate. */
  trip(): void;
  /** Stops probing. */
  stop(): void;
}

/** Thresholds of a circuit breaker. They are options of the limiter. */
export type BreakerThresholds = Pick<
  Required<CounterOptions>,
  'breakerFailurePercent' | 'breakerMinCalls' | 'breakerFailuresInRow' | 'breakerProbeMs'
>;

interface BreakerOptions {
  thresholds: BreakerThresholds;
  /**
   * Makes the one call that determines whether the breaker closes again. Rejects if the reply is
   * missing or wrong.
   */
  probe: () => Promise<unknown>;
  onChange: (state: BreakerState) => void;
  timings?: Timings;
}

/** Window of the failure rate, which is the last second: ten slices of 100 ms. */
const SLICE_MS = 100;
const SLICES = 10;

const FIRST_PROBE_MS = 250;

/**
 * Creates a circuit breaker: while Redis fails, no request waits for it. The breaker opens if the
 * failure rate is too high, or after consecutive failures. While it is open, one probe at a time
 * checks whether Redis is back. The intervals grow and have jitter, so that the instances of a
 * fleet do not probe at the same moment.
 *
 * Rejected alternatives: cockatiel and opossum. Their windows and half-open times follow Date.now,
 * so a clock that jumps by an hour would keep them open for an hour. They let the first caller
 * probe, and that caller waits. opossum waits a fixed time, without jitter. Both wrap every call in
 * promises or events, which costs as much as the charge itself.
 */
export function createBreaker({ probe, onChange, thresholds, timings = TIMINGS }: BreakerOptions): Breaker {
  const { breakerFailurePercent, breakerMinCalls, breakerFailuresInRow, breakerProbeMs } = thresholds;
  const { clock, schedule, random } = timings;
  let state: BreakerState = 'CLOSED';
  const calls = new Array<number>(SLICES).fill(0);
  const failures = new Array<number>(SLICES).fill(0);
  let slice = 0;
  let failuresInRow = 0;
  let rowBeganAtMs = 0;
  let probes = 0;
  let cancel: (() => void) | undefined;
  let stopped = false;

  function advance(nowMs: number): number {
    const current = Math.floor(nowMs / SLICE_MS);
    if (current !== slice) {
      for (let one = Math.max(slice + 1, current - SLICES + 1); one <= current; one++) {
        calls[one % SLICES] = 0;
        failures[one % SLICES] = 0;
      }
      slice = current;
    }
    return current % SLICES;
  }

  function become(next: BreakerState): void {
    state = next;
    onChange(next);
  }

  function open(): void {
    become('OPEN');
    const afterMs = Math.min(breakerProbeMs, FIRST_PROBE_MS * 2 ** Math.min(probes, 10));
    if (!stopped) cancel = schedule(halfOpen, afterMs * (0.75 + random() / 2));
  }

  function halfOpen(): void {
    probes++;
    become('HALF_OPEN');
    probe().then(
      () => !stopped && close(),
      () => !stopped && open(),
    );
  }

  function close(): void {
    calls.fill(0);
    failures.fill(0);
    failuresInRow = 0;
    become('CLOSED');
  }

  function total(counts: readonly number[]): number {
    let sum = 0;
    for (const count of counts) sum += count;
    return sum;
  }

  return {
    succeeded() {
      if (state !== 'CLOSED') return;
      calls[advance(clock())]!++;
      failuresInRow = 0;
      probes = 0;
    },
    failed() {
      if (state !== 'CLOSED') return;
      const nowMs = clock();
      const at = advance(nowMs);
      calls[at]!++;
      failures[at]!++;
      if (failuresInRow++ === 0) rowBeganAtMs = nowMs;
      const all = total(calls);
      const byRate = all >= breakerMinCalls && total(failures) * 100 >= all * breakerFailurePercent;
      const byRow = failuresInRow >= breakerFailuresInRow && nowMs - rowBeganAtMs >= SLICES * SLICE_MS;
      if (byRate || byRow) open();
    },
    trip() {
      if (state === 'CLOSED') open();
    },
    stop() {
      stopped = true;
      cancel?.();
    },
    state: () => state,
    isClosed: () => state === 'CLOSED',
  };
}
