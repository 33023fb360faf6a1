import { measureCapacity } from './capacity/measure-capacity.js';
import { writeConstants } from './capacity/write-constants.js';
import type { Bench } from './frame/bench.js';

export const bench: Bench = {
  title:
    'constants of `tollgate capacity`: processor time, memory and bytes on the wire of an operation, and rows, bytes ' +
    'and processor time of recorded usage; --write stores them in src/capacity/measured.ts',
  metrics: [{ name: 'value', better: 'lower' }],
  variants: { measured: measureCapacity },
  baselines: ['measured'],
  redis: true,
  rounds: 2,
  quickRounds: 1,
  deadlineMs: 600_000,
  write: writeConstants,
};
