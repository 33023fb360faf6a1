import type { StoredCounter } from './counter.js';
import { type Limit, SHAPE } from './limit.js';
import type { ChargeSubject } from './types.js';

/** The counters of one user, tenant, address ... with the last time they were written. */
export interface Partition {
  space: number;
  id: string;
  seenAt: number;
  counters: StoredCounter[];
}

export interface Partitions {
  /** The partition that `limit` counts in for this subject, if it exists. */
  find(subject: ChargeSubject, limit: Limit): Partition | undefined;
  /** The same, made when it is missing. */
  open(subject: ChargeSubject, limit: Limit): Partition;
  remove(partition: Partition): void;
}

const SPACES = 11;

/**
 * All partitions of the memory engine, at most `maxPartitions`. The least recently used go first, by halves: a look-up
 * moves a partition from the old half to the young one, and when the young half is full, the old one is dropped. That
 * is an LRU at the price of one Map look-up instead of a linked list.
 */
export function createPartitions(maxPartitions: number): Partitions {
  let young = emptySpaces();
  let old = emptySpaces();
  let youngCount = 0;
  const half = Math.max(1, Math.floor(maxPartitions / 2));
  // Where the last `locate` pointed; two variables instead of an object per limit.
  let space = 0;
  let id = '';

  function locate(subject: ChargeSubject, limit: Limit): void {
    const { tenant } = subject;
    switch (limit.scope) {
      case 'USER':
        space = subject.user !== undefined ? 0 : subject.apiKey !== undefined ? 1 : 2;
        id = subject.user ?? subject.apiKey ?? subject.ip ?? '';
        if (tenant !== undefined) {
          space += 3;
          id = join(tenant, id);
        }
        break;
      case 'API_KEY':
        space = 6;
        id = `${rootOf(subject)}${subject.apiKey}`;
        break;
      case 'TENANT':
        space = 7;
        id = tenant ?? '';
        break;
      case 'IP':
        space = 8;
        id = subject.ip ?? '';
        break;
      case 'GLOBAL':
        space = 9;
        id = limit.identity.recordId;
    }
    if (limit.shape === SHAPE.LIST && space !== 9) {
      id = `${limit.identity.recordId}${space}:${id}`;
      space = 10;
    }
  }

  function find(subject: ChargeSubject, limit: Limit): Partition | undefined {
    locate(subject, limit);
    const found = young[space]!.get(id);
    if (found !== undefined) return found;
    const aged = old[space]!.get(id);
    if (aged !== undefined) {
      old[space]!.delete(id);
      add(aged);
    }
    return aged;
  }

  function add(partition: Partition): void {
    if (youngCount >= half) {
      old = young;
      young = emptySpaces();
      youngCount = 0;
    }
    young[partition.space]!.set(partition.id, partition);
    youngCount++;
  }

  return {
    find,
    open(subject, limit) {
      const found = find(subject, limit);
      if (found !== undefined) return found;
      const partition: Partition = { space, id, seenAt: 0, counters: [] };
      add(partition);
      return partition;
    },
    remove(partition) {
      if (young[partition.space]!.delete(partition.id)) youngCount--;
      else old[partition.space]!.delete(partition.id);
    },
  };
}

function emptySpaces(): Map<string, Partition>[] {
  return Array.from({ length: SPACES }, () => new Map());
}

/** Two strings as one, so that no other two give the same. */
function join(first: string, second: string): string {
  return `${first.length}:${first}${second}`;
}

/** Counters of an API key hang under the root of its subject, as in Redis. */
function rootOf({ tenant, user }: ChargeSubject): string {
  if (tenant !== undefined) return `t${join(tenant, '')}`;
  return user !== undefined ? `u${join(user, '')}` : 'k';
}
