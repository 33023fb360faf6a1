import { copyCounter } from '../algorithms/counter.js';
import type { Partition } from './partitions.js';
import { createStoredCounter } from './stored-counter.js';

/** Sets a partition back to `time`. The clock of its last writer was ahead. */
export function rebasePartition(partition: Partition, time: number): Partition {
  for (const counter of partition.counters) {
    const { algorithm } = counter.limit;
    // The counter is updated to the old time first, and continues from the new time.
    // A calendar window is not updated: Redis cannot do it, because a record does not contain the
    // calendar, and both engines must have the same result.
    if (counter.limit.calendar === undefined) algorithm.refresh(counter.limit, counter, partition.seenAt);
    algorithm.rebase(counter.limit, counter, partition.seenAt, time);
    counter.emptyAtMs = algorithm.emptyAtMs(counter.limit, counter);
  }
  partition.seenAt = time;
  return partition;
}

/** Returns a copy, for a peek that must not change the partition. */
export function copyOf(partition: Partition): Partition {
  const counters = partition.counters.map((counter) => {
    const copied = createStoredCounter(counter.limit);
    copyCounter(counter, copied);
    return copied;
  });
  return { ...partition, counters, first: counters[0] };
}

/** Returns whether no counter of the partition contains usage at the time `now`. */
export function isEmpty(partition: Partition, now: number): boolean {
  return partition.counters.every((counter) => counter.emptyAtMs <= now);
}
