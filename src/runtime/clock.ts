/** Function that returns the current time in milliseconds. */
export type Clock = () => number;

// `performance.now` takes about 30 ns longer, measured in a loop of calls on Node 20 and 24.
const { hrtime } = process;

/** Returns monotonic milliseconds from an arbitrary origin. */
export const monotonicClock: Clock = () => {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
};

const EPOCH_MS = performance.timeOrigin + performance.now() - monotonicClock();

/**
 * Returns whole milliseconds since the epoch. They are monotonic: corrections of the system clock
 * do not change them.
 */
export const epochClock: Clock = () => Math.floor(EPOCH_MS + monotonicClock());
