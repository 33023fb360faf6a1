import { copiesOfKeys, copiesOfUsers, countersAlone, METRICS } from './callers/count-copies.js';
import type { Bench } from './frame/bench.js';

export const bench: Bench = {
  title:
    'memory of Redis per caller with a bucket and with six limits: the counters, and with them the copies of the rows of ' +
    'PostgreSQL about keys and users, which all instances share',
  metrics: METRICS,
  variants: {
    'counters alone': countersAlone,
    'with the copy of an API key': copiesOfKeys,
    'with the copy of a user': copiesOfUsers,
  },
  baselines: ['counters alone'],
  redis: true,
  // One round is sufficient, because the load of the machine does not affect the figures.
  rounds: 1,
};
