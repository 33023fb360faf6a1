import { copyCounter } from '../algorithms/counter.js';
import type { Partition } from './partitions.js';
import { createStoredCounter } from './stored-counter.js';

/** Lets a partition that a clock ahead has written go on from `time`. */
export function rebasePartition(partition: Partition, time: number): Partition {
  for (const counter of partition.counters) {
    const { algorithm } = counter.limit;
    // Brought up to the old time, it goes on from the new one.
    algorithm.refresh(counter.limit, counter, partition.seenAt);
    algorithm.rebase(counter.limit, counter, partition.seenAt, time);
    counter.emptyAtMs = algorithm.emptyAtMs(counter.limit, counter);
  }
  partition.seenAt = time;
  return partition;
}

/** For looking at what a rebase would give. */
export function copyOf(partition: Partition): Partition {
  const counters = partition.counters.map((counter) => {
    const copied = createStoredCounter(counter.limit);
    copyCounter(counter, copied);
    return copied;
  });
  return { ...partition, counters, first: counters[0] };
}

export function isEmpty(partition: Partition, now: number): boolean {
  return partition.counters.every((counter) => counter.emptyAtMs <= now);
}
