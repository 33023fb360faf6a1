import type { Bench, Variant } from '../../bench/frame/bench.js';

/** Reports its process id, the number of its calls, and the requested duration of each call. */
const howOften =
  (...scenarios: string[]): Variant =>
  async () => {
    const count = () => {
      let call = 0;
      return async (durationMs: number) => ({ pid: process.pid, call: ++call, 'asked for ms': durationMs });
    };
    return {
      warmUpMs: 1,
      run: Object.fromEntries(scenarios.map((name) => [name, count()])),
      close: async () => {},
    };
  };

export const bench: Bench = {
  title: 'a bench measured in turns, for the tests of the frame',
  metrics: ['pid', 'call', 'asked for ms'].map((name) => ({ name, better: 'lower' })),
  variants: { first: howOften('both'), second: howOften('both', 'alone') },
  baselines: ['first'],
};
