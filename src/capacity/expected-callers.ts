/** Distribution of operations over callers. */
interface CallerTraffic {
  callers: number;
  /**
   * Exponent of the Zipf distribution: the caller of rank r sends a share proportional to
   * 1 / r^exponent. 0: all callers send the same number.
   */
  exponent: number;
}

/** Ranks that are computed one by one. Above them, one step stands for a range of ranks. */
const SINGLE_RANKS = 1_000;
/** Width of a range of ranks, as a share of its first rank. */
const STEP = 0.01;

/**
 * Returns the expected number of callers who send at least `atLeast` of `operations` operations. The
 * number of operations of each caller has a Poisson distribution.
 */
export function expectedCallers({ callers, exponent }: CallerTraffic, operations: number, atLeast = 1): number {
  const ranges = [...rangesOf(callers)].map(([first, count]) => ({
    count,
    weight: (first + (count - 1) / 2) ** -exponent,
  }));
  const total = ranges.reduce((sum, { count, weight }) => sum + count * weight, 0);
  return ranges.reduce(
    (sum, { count, weight }) => sum + count * poissonTail((operations * weight) / total, atLeast),
    0,
  );
}

function* rangesOf(callers: number): Iterable<readonly [first: number, count: number]> {
  for (let first = 1; first <= callers; ) {
    const width = first <= SINGLE_RANKS ? 1 : Math.floor(first * STEP);
    const count = Math.min(width, callers - first + 1);
    yield [first, count];
    first += count;
  }
}

/** Returns the probability that a Poisson variable with this mean is at least `atLeast`. */
function poissonTail(mean: number, atLeast: number): number {
  // Above this mean, the tail differs from 1 by less than one in a billion.
  if (mean > atLeast + 10 * Math.sqrt(mean) + 50) return 1;
  if (atLeast === 1) return -Math.expm1(-mean);
  let term = Math.exp(-mean);
  let below = term;
  for (let count = 1; count < atLeast; count++) {
    term *= mean / count;
    below += term;
  }
  return Math.max(0, 1 - below);
}
