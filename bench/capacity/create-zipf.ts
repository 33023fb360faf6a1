interface Zipf {
  /** Returns the rank of a user, from 0. */
  rank(): number;
  /** Returns a whole number from 0 to below `end`. */
  below(end: number): number;
  /** Returns a number from 0 to below 1. */
  random(): number;
}

/**
 * Creates a source of users: the user of rank r sends a share proportional to 1 / r^exponent. The
 * same seed gives the same users.
 */
export function createZipf(users: number, exponent: number, seed: number): Zipf {
  const random = randomNumbers(seed);
  const shares = new Float64Array(users);
  let total = 0;
  for (let rank = 0; rank < users; rank++) {
    total += (rank + 1) ** -exponent;
    shares[rank] = total;
  }
  return {
    random,
    below: (end) => Math.floor(random() * end),
    rank() {
      const share = random() * total;
      let low = 0;
      for (let high = users - 1; low < high; ) {
        const middle = (low + high) >> 1;
        if (shares[middle]! <= share) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}

/** Returns the generator `mulberry32`, with a period of 2^32 numbers. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
