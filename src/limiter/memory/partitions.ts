import { createHash } from 'node:crypto';
import type { ChargeSubject, Scope } from '../../model/subject.js';
import { principalKind, principalOf } from '../../model/subject.js';
import { type Limit, SHAPE } from '../algorithms/algorithm.js';
import type { StoredCounter } from './stored-counter.js';

/** The counters of one user, tenant, address ... with the last time they were written. */
export interface Partition {
  space: number;
  id: string;
  seenAt: number;
  readonly counters: readonly StoredCounter[];
  /** The first of `counters`, which a charge of one limit reaches without going through the array. */
  readonly first: StoredCounter | undefined;
}

/** Changes the counters of a partition. */
export function keep(
  partition: { -readonly [Name in keyof Partition]: Partition[Name] },
  counters: readonly StoredCounter[],
): void {
  partition.counters = counters;
  partition.first = counters[0];
}

export interface Partitions {
  /** The partition that `limit` counts in for this subject, if it exists. */
  find(subject: ChargeSubject, limit: Limit): Partition | undefined;
  /** The same, made when it is missing. */
  open(subject: ChargeSubject, limit: Limit): Partition;
  remove(partition: Partition): void;
}

/** What ids are told apart by: who is counted, and for users what stands for one, without a tenant or with. */
const SPACE = { USER: 0, KEY_AS_USER: 1, IP_AS_USER: 2, API_KEY: 6, TENANT: 7, IP: 8, GLOBAL: 9, LIST: 10 } as const;
const SPACE_OF_PRINCIPAL = { USER: SPACE.USER, API_KEY: SPACE.KEY_AS_USER, IP: SPACE.IP_AS_USER } as const;
const WITH_TENANT = 3;
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

  function find(subject: ChargeSubject, limit: Limit): Partition | undefined {
    const space = spaceOf(subject, limit);
    const id = idIn(space, subject, limit);
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
      const space = spaceOf(subject, limit);
      const partition: Partition = {
        space,
        id: idIn(space, subject, limit),
        seenAt: 0,
        counters: [],
        first: undefined,
      };
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

function spaceOf(subject: ChargeSubject, { scope, shape }: Limit): number {
  return shape === SHAPE.LIST && scope !== 'GLOBAL' ? SPACE.LIST : countedSpaceOf(subject, scope);
}

function countedSpaceOf(subject: ChargeSubject, scope: Scope): number {
  if (scope !== 'USER') return SPACE[scope];
  const space = SPACE_OF_PRINCIPAL[principalKind(subject)];
  return subject.tenant === undefined ? space : space + WITH_TENANT;
}

function idIn(space: number, subject: ChargeSubject, limit: Limit): string {
  const id = countedId(subject, limit);
  const whole = space === SPACE.LIST ? `${limit.identity.recordId}${countedSpaceOf(subject, limit.scope)}:${id}` : id;
  return whole.length > MAX_ID_LENGTH ? shortened(whole) : whole;
}

/** A hundred thousand ids of a megabyte each would be no bound. */
const MAX_ID_LENGTH = 200;

/** Longer than any id that is kept as it is: it can be no other caller's. */
function shortened(id: string): string {
  return createHash('sha256')
    .update(id, 'utf16le')
    .digest('hex')
    .padStart(MAX_ID_LENGTH + 1);
}

function countedId(subject: ChargeSubject, limit: Limit): string {
  const { apiKey, ip = '', tenant } = subject;
  switch (limit.scope) {
    case 'USER': {
      const id = principalOf(subject);
      return tenant === undefined ? id : join(tenant, id);
    }
    case 'API_KEY':
      return `${rootPrefix(subject)}${apiKey}`;
    case 'TENANT':
      return tenant ?? '';
    case 'IP':
      return ip;
    case 'GLOBAL':
      return limit.identity.recordId;
  }
}

/** Two strings as one, so that no other two give the same. */
function join(first: string, second: string): string {
  return `${first.length}:${first}${second}`;
}

/** Counters of an API key hang under the root of its subject, as in Redis. */
function rootPrefix({ tenant, user }: ChargeSubject): string {
  if (tenant !== undefined) return `t${join(tenant, '')}`;
  return user !== undefined ? `u${join(user, '')}` : 'k';
}
