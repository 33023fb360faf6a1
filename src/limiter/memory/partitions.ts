import { createHash } from 'node:crypto';
import type { ChargeSubject, Scope } from '../../model/subject.js';
import { principalKind, principalOf, sharedByAll } from '../../model/subject.js';
import { type Limit, SHAPE } from '../algorithms/limit-algorithm.js';
import type { StoredCounter } from './stored-counter.js';
import { usedShareOf } from './used-share-of.js';

/** The counters of one user, tenant, address ... with the last time they were written. */
export interface Partition {
  space: number;
  id: string;
  /** Among all partitions. */
  place: number;
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
  /** The same, made when it is missing: then another one may be forgotten. */
  open(subject: ChargeSubject, limit: Limit, now: number): Partition;
  remove(partition: Partition): void;
}

interface PartitionsOptions {
  maxPartitions: number;
  /** What the call that needs room is about to write is not forgotten for it. */
  isInUse(partition: Partition): boolean;
  /** A partition was forgotten of which something was used. */
  onForgotten(): void;
}

/** What ids are told apart by: who is counted, and for users what stands for one, without a tenant or with. */
const SPACE = { USER: 0, KEY_AS_USER: 1, IP_AS_USER: 2, API_KEY: 6, TENANT: 7, IP: 8, GLOBAL: 9, LIST: 10 } as const;
const SPACE_OF_PRINCIPAL = { USER: SPACE.USER, API_KEY: SPACE.KEY_AS_USER, IP: SPACE.IP_AS_USER } as const;
const WITH_TENANT = 3;
export const SPACES = 11;

/** Of so many the least used is forgotten, unless an empty one is found before. */
const CANDIDATES = 16;

/**
 * All partitions of the memory engine, at most `maxPartitions`, and beyond that what one call needs. When one more comes, that
 * one goes which is missed least: one whose counters are all empty again, else, of the candidates, the one that has used the
 * smallest part of its limits. A caller who wants to be forgotten would have to bring as many others as there is room for,
 * each of whom has used up more than they have: that costs them as many whole limits as they win one. The least recently used
 * would be forgotten for identities that have asked once.
 *
 * The candidates are those that come next in a circle, so that each has its turn, and room costs the same however many there
 * are. All in the order in which they are empty again would have to be sorted anew by every charge.
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

  /** False where all that there is is in use. */
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

/** What all callers share is missed by all of them: it goes last. */
function lossOf(partition: Partition, now: number): number {
  const share = usedShareOf(partition.counters, now);
  return partition.space === SPACE.GLOBAL && share > 0 ? share + SHARED_BY_ALL : share;
}

/** More than the largest share: a bucket that is as deep in debt as it may be. */
const SHARED_BY_ALL = 2 ** 53;

export function spaceOf(subject: ChargeSubject, { scope, shape }: Limit): number {
  return shape === SHAPE.LIST && !sharedByAll(scope) ? SPACE.LIST : countedSpaceOf(subject, scope);
}

function countedSpaceOf(subject: ChargeSubject, scope: Scope): number {
  if (scope !== 'USER') return SPACE[scope];
  const space = SPACE_OF_PRINCIPAL[principalKind(subject)];
  return subject.tenant === undefined ? space : space + WITH_TENANT;
}

/** Most are of users and short. The rest stands beside it, so that V8 makes this part of the look-up, which is a fifth of a decision. */
export function idIn(space: number, subject: ChargeSubject, limit: Limit): string {
  const id = limit.scope === 'USER' ? userId(subject) : sharedId(subject, limit);
  return space === SPACE.LIST || id.length > MAX_ID_LENGTH ? unusualId(space, id, subject, limit) : id;
}

function unusualId(space: number, id: string, subject: ChargeSubject, { identity, scope }: Limit): string {
  const whole = space === SPACE.LIST ? `${identity.recordId}${countedSpaceOf(subject, scope)}:${id}` : id;
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
    case 'GLOBAL':
      return identity.recordId;
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
