/** Distribution of operations over callers. */
interface Traffic {
  callers: number;
  /**
   * Exponent of the Zipf distribution: the caller of rank r sends a share proportional to
   * 1 / r^exponent. 0: all callers send the same number.
   */
  exponent: number;
  /** Number of names of operations that a caller sends equally often. @default 1 */
  names?: number;
}

interface Batches {
  /** Operations of one batch, of all callers. */
  operations: number;
  /** @default 1 */
  batches?: number;
  /** Minimum number of operations in a batch with which a caller is counted. @default 1 */
  atLeast?: number;
}

/** Ranks that are computed one by one. Above them, one step stands for a range of ranks. */
const SINGLE_RANKS = 1_000;
/** Width of a range of ranks, as a share of its first rank. */
const STEP = 0.01;

/**
 * Returns the expected number of rows, one for each caller and name that a batch counts. The number
 * of operations of a caller in a batch has a Poisson distribution.
 */
export function expectedRows(
  { callers, exponent, names = 1 }: Traffic,
  { operations, batches = 1, atLeast = 1 }: Batches,
): number {
  return sharesOf({ callers, exponent }).reduce(
    (sum, [count, share]) => sum - count * names * Math.expm1(batches * logOfMiss(operations * share, names, atLeast)),
    0,
  );
}

/** Returns the expected share of operations that are counted by caller. */
export function countedShare(
  traffic: Traffic,
  { operations, atLeast = 1 }: Pick<Batches, 'operations' | 'atLeast'>,
): number {
  // For one operation of a caller, the other operations have the same Poisson distribution.
  return sharesOf(traffic).reduce(
    (sum, [count, share]) => sum + count * share * poissonTail(operations * share, atLeast - 1),
    0,
  );
}

/** Returns ranges of callers: their number, and the share of operations that each of them sends. */
function sharesOf({ callers, exponent }: Traffic): [count: number, share: number][] {
  const ranges = [...rangesOf(callers)].map(([first, count]): [number, number] => [
    count,
    (first + (count - 1) / 2) ** -exponent,
  ]);
  const total = ranges.reduce((sum, [count, weight]) => sum + count * weight, 0);
  return ranges.map(([count, weight]) => [count, weight / total]);
}

function* rangesOf(callers: number): Iterable<readonly [first: number, count: number]> {
  for (let first = 1; first <= callers; ) {
    const width = first <= SINGLE_RANKS ? 1 : Math.floor(first * STEP);
    const count = Math.min(width, callers - first + 1);
    yield [first, count];
    first += count;
  }
}

/** Returns the logarithm of the probability that a batch does not count a caller with a name. */
function logOfMiss(mean: number, names: number, atLeast: number): number {
  if (atLeast === 1) return -mean / names;
  const counted = poissonTail(mean, atLeast);
  if (counted === 0) return 0;
  // Mean number of operations of a caller who is counted.
  const operations = (mean * poissonTail(mean, atLeast - 1)) / counted;
  const hasName = names === 1 ? 1 : 1 - (1 - 1 / names) ** operations;
  return Math.log1p(-Math.min(counted * hasName, 1 - 1e-15));
}

/** Returns the probability that a Poisson variable with this mean is at least `atLeast`. */
function poissonTail(mean: number, atLeast: number): number {
  if (atLeast === 0) return 1;
  if (mean > atLeast + 10 * Math.sqrt(mean) + 50) return 1;
  let term = Math.exp(-mean);
  if (mean < atLeast / 2) {
    // The sum of the tail is more accurate than 1 minus a sum that is almost 1.
    for (let count = 1; count <= atLeast; count++) term *= mean / count;
    let tail = 0;
    for (let count = atLeast; term > tail * 1e-12 && term > 0; count++) {
      tail += term;
      term *= mean / (count + 1);
    }
    return tail;
  }
  let below = term;
  for (let count = 1; count < atLeast; count++) {
    term *= mean / count;
    below += term;
  }
  return Math.max(0, 1 - below);
}
