import { createHash } from 'node:crypto';
import type { ChargeSubject, Scope } from '../../model/subject.js';
import { principalKind, principalOf, sharedByAll } from '../../model/subject.js';
import { type Limit, SHAPE } from '../algorithms/limit-algorithm.js';
import type { StoredCounter } from './stored-counter.js';
import { usedShareOf } from './used-share-of.js';

/**
 * Counters of one user, tenant, address and so on, with the time at which they were last written.
 */
export interface Partition {
  space: number;
  id: string;
  /** Index among all partitions. */
  place: number;
  seenAt: number;
  readonly counters: readonly StoredCounter[];
  /** First of `counters`. A charge of one limit reads it without access to the array. */
  readonly first: StoredCounter | undefined;
}

/** Replaces the counters of a partition. */
export function keep(
  partition: { -readonly [Name in keyof Partition]: Partition[Name] },
  counters: readonly StoredCounter[],
): void {
  partition.counters = counters;
  partition.first = counters[0];
}

export interface Partitions {
  /** Returns the partition in which `limit` counts for this subject, if it exists. */
  find(subject: ChargeSubject, limit: Limit): Partition | undefined;
  /** Returns the partition, and creates it if it is missing. Another one may be evicted for it. */
  open(subject: ChargeSubject, limit: Limit, now: number): Partition;
  remove(partition: Partition): void;
}

interface PartitionsOptions {
  maxPartitions: number;
  /**
   * Returns whether the current call is about to write to a partition, which must not be evicted
   * then.
   */
  isInUse(partition: Partition): boolean;
  /** Called when a partition that still holds usage is evicted. */
  onForgotten(): void;
}

/**
 * Spaces in which ids are unique: one for each scope. The scope `USER` has one for each kind of
 * principal, with and without a tenant. Lists have their own.
 */
const SPACE = {
  USER: 0,
  KEY_AS_USER: 1,
  IP_AS_USER: 2,
  API_KEY: 6,
  TENANT: 7,
  IP: 8,
  USER_AND_IP: 9,
  GLOBAL: 10,
  LIST: 11,
} as const;
const SPACE_OF_PRINCIPAL = { USER: SPACE.USER, API_KEY: SPACE.KEY_AS_USER, IP: SPACE.IP_AS_USER } as const;
const WITH_TENANT = 3;
export const SPACES = 12;

/**
 * Number of candidates for an eviction. The least used of them is evicted, unless an empty one is
 * found earlier.
 */
const CANDIDATES = 16;

/**
 * Creates the partitions of the memory engine: at most `maxPartitions`, plus those that one call
 * needs. For a new partition, the engine evicts one whose counters are all empty again. If no
 * candidate is empty, it evicts the candidate that has used the smallest part of its limits. To
 * have one used-up partition evicted, an attacker has to fill all others with identities that have
 * used up more of their limits. That costs far more than the one limit that the attacker gains.
 * Rejected: eviction of the least recently used partition, because an attacker could force it with
 * identities that each call once.
 *
 * Candidates are chosen in turn, so that every partition becomes a candidate, and the time for an
 * eviction does not depend on the number of partitions. Rejected: partitions sorted by the time at
 * which they become empty, because every charge would have to sort them again.
 */
export function createPartitions({ maxPartitions, isInUse, onForgotten }: PartitionsOptions): Partitions {
  const spaces: Map<string, Partition>[] = Array.from({ length: SPACES }, () => new Map());
  const circle: Partition[] = [];
  let next = 0;

  function find(subject: ChargeSubject, limit: Limit): Partition | undefined {
    const space = spaceOf(subject, limit);
    return spaces[space]!.get(idIn(space, subject, limit));
  }

  function remove(partition: Partition): void {
    if (!spaces[partition.space]!.delete(partition.id)) return;
    const last = circle.pop()!;
    if (last === partition) return;
    circle[partition.place] = last;
    last.place = partition.place;
  }

  /** Evicts one partition. Returns false if all of them are in use. */
  function makeRoom(now: number): boolean {
    let least: Partition | undefined;
    let leastLoss = Number.POSITIVE_INFINITY;
    for (let i = Math.min(CANDIDATES, circle.length); i > 0 && leastLoss > 0; i--) {
      if (next >= circle.length) next = 0;
      const candidate = circle[next++]!;
      if (isInUse(candidate)) continue;
      const loss = lossOf(candidate, now);
      if (loss >= leastLoss) continue;
      least = candidate;
      leastLoss = loss;
    }
    if (least === undefined) return false;
    remove(least);
    if (leastLoss > 0) onForgotten();
    return true;
  }

  return {
    find,
    open(subject, limit, now) {
      const found = find(subject, limit);
      if (found !== undefined) return found;
      while (circle.length >= maxPartitions && makeRoom(now)) {}
      const space = spaceOf(subject, limit);
      const id = idIn(space, subject, limit);
      const partition: Partition = { space, id, place: circle.length, seenAt: 0, counters: [], first: undefined };
      circle.push(partition);
      spaces[space]!.set(id, partition);
      return partition;
    },
    remove,
  };
}

/**
 * Returns the loss that an eviction causes. Counters that all callers share are evicted last,
 * because their loss affects all callers.
 */
function lossOf(partition: Partition, now: number): number {
  const share = usedShareOf(partition.counters, now);
  return partition.space === SPACE.GLOBAL && share > 0 ? share + SHARED_BY_ALL : share;
}

/** More than the largest share, which is that of a bucket with maximum debt. */
const SHARED_BY_ALL = 2 ** 53;

export function spaceOf(subject: ChargeSubject, { scope, shape }: Limit): number {
  return shape === SHAPE.LIST && !sharedByAll(scope) ? SPACE.LIST : countedSpaceOf(subject, scope);
}

function countedSpaceOf(subject: ChargeSubject, scope: Scope): number {
  if (scope !== 'USER') return SPACE[scope];
  const space = SPACE_OF_PRINCIPAL[principalKind(subject)];
  return subject.tenant === undefined ? space : space + WITH_TENANT;
}

/**
 * Returns the id of a partition in its space. Most are short ids of users. The other cases are
 * separate functions so that V8 inlines this one into the look-up, which takes a fifth of the time
 * of a decision.
 */
export function idIn(space: number, subject: ChargeSubject, limit: Limit): string {
  const id = limit.scope === 'USER' ? userId(subject) : sharedId(subject, limit);
  return space === SPACE.LIST || id.length > MAX_ID_LENGTH ? unusualId(space, id, subject, limit) : id;
}

function unusualId(space: number, id: string, subject: ChargeSubject, { identity, scope }: Limit): string {
  const whole = space === SPACE.LIST ? `${identity.recordId}${countedSpaceOf(subject, scope)}:${id}` : id;
  return whole.length > MAX_ID_LENGTH ? shortened(whole) : whole;
}

/**
 * Maximum length of a stored id. A longer id is replaced by its hash, so that long ids cannot fill
 * the memory.
 */
const MAX_ID_LENGTH = 200;

/**
 * Returns a hash that is longer than any id that is stored without hashing, so that it equals the
 * id of no other caller.
 */
function shortened(id: string): string {
  return createHash('sha256')
    .update(id, 'utf16le')
    .digest('hex')
    .padStart(MAX_ID_LENGTH + 1);
}

function userId(subject: ChargeSubject): string {
  const id = principalOf(subject);
  return subject.tenant === undefined ? id : join(subject.tenant, id);
}

function sharedId(subject: ChargeSubject, { scope, identity }: Limit): string {
  switch (scope) {
    case 'USER':
      return userId(subject);
    case 'API_KEY':
      return `${rootPrefix(subject)}${subject.apiKey}`;
    case 'TENANT':
      return subject.tenant ?? '';
    case 'IP':
      return subject.ip ?? '';
    case 'USER_AND_IP':
      return `${countedSpaceOf(subject, 'USER')}:${join(userId(subject), subject.ip ?? '')}`;
    case 'GLOBAL':
      return identity.recordId;
  }
}

/** Joins two strings so that no other pair of strings has the same result. */
function join(first: string, second: string): string {
  return `${first.length}:${first}${second}`;
}

/**
 * Returns the part of an API key's id that contains its tenant or user: as in Redis, the same key
 * has other counters with another tenant or user.
 */
function rootPrefix({ tenant, user }: ChargeSubject): string {
  if (tenant !== undefined) return `t${join(tenant, '')}`;
  return user !== undefined ? `u${join(user, '')}` : 'k';
}
