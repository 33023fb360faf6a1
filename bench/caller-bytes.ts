import { copiesOfKeys, copiesOfUsers, countersAlone, METRICS } from './callers/count-copies.js';
import type { Bench } from './frame/bench.js';

export const bench: Bench = {
  title:
    'memory of Redis per caller, with a bucket and with six limits: the counters alone, and the counters with ' +
    'the copies of keys and users from PostgreSQL, which all instances share',
  metrics: METRICS,
  variants: {
    'counters alone': countersAlone,
    'with the copy of an API key': copiesOfKeys,
    'with the copy of a user': copiesOfUsers,
  },
  baselines: ['counters alone'],
  redis: true,
  // One round is sufficient, because the load of the machine does not affect a number of bytes.
  rounds: 1,
};
