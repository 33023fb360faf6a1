import type { OperationObserver } from '../../model/decision-record.js';
import { type Clock, monotonicClock } from '../../runtime/clock.js';
import { hash32 } from '../../runtime/hash-32.js';
import { keptName } from '../../runtime/stored-text.js';
import { boundedCallerKey } from './named-caller.js';

/** Length of a period, in milliseconds. The numbers cover the current and the previous period. */
const PERIOD_MS = 1_800_000;
/** Maximum number of addresses that are tracked in a period. */
const MAX_ADDRESSES = 4096;
/**
 * Maximum number of hashes that are kept per address. The number of users is exact if it is smaller.
 * Otherwise it is an estimate with a standard error of an eighth.
 */
export const MAX_USER_HASHES = 64;
/** Maximum number of addresses that a process reports to another. */
export const MAX_REPORTED_ADDRESSES = 100;
/** Number of addresses that an eviction compares. It evicts the one with the fewest users. */
const CANDIDATES = 16;
/** Number of decisions between two reads of the clock. */
const DECISIONS_PER_LOOK = 64;

/**
 * The smallest hashes of the users of an address, a KMV sketch. Sketches of several processes and
 * periods can be merged. No name of a user is kept.
 */
interface Sketch {
  hashes: number[];
  /** The largest of the hashes. */
  largest: number;
}

/** The addresses with the most users in one process. */
export interface AddressUsersPart {
  addresses: { ip: string; hashes: number[] }[];
}

/** An address with the number of identified users that recently sent operations from it. */
export interface SharedAddress {
  ip: string;
  users: number;
  /** Whether `users` is an estimate. */
  isEstimate: boolean;
}

export interface AddressUsers extends Required<Pick<OperationObserver, 'onDecision'>> {
  /** Number of users of the address with the most users; 0 if there is none. */
  readonly mostUsers: number;
  read(): AddressUsersPart;
}

/**
 * Creates the counter of the identified users of each address in this process. Addresses with many
 * users are networks whose users share an address (NAT), so that limits per address deny users for
 * the operations of others. The memory is bounded: at most 4096 addresses per period, of 64 hashes
 * each. If more addresses are used, those with the fewest users are forgotten first.
 */
export function createAddressUsers({ now = monotonicClock }: { now?: Clock } = {}): AddressUsers {
  let current = new Map<string, Sketch>();
  let before = new Map<string, Sketch>();
  let startedMs = now();
  let decisionsToLook = DECISIONS_PER_LOOK;
  // Consecutive decisions are often of the same caller.
  let lastUser: string | undefined;
  let lastTenant: string | undefined;
  let lastIp: string | undefined;

  function endPeriod(): void {
    const nowMs = now();
    const elapsedMs = nowMs - startedMs;
    if (elapsedMs < PERIOD_MS) return;
    before = elapsedMs < 2 * PERIOD_MS ? current : new Map();
    current = new Map();
    startedMs = nowMs;
    lastUser = undefined;
  }

  function add(ip: string, hash: number): void {
    let sketch = current.get(ip);
    if (sketch === undefined) {
      const kept = keptName(ip);
      sketch = current.get(kept);
      if (sketch === undefined) {
        if (current.size >= MAX_ADDRESSES) forgetOne(current);
        current.set(kept, { hashes: [hash], largest: hash });
        return;
      }
    }
    addHash(sketch, hash);
  }

  function merged(): Map<string, Sketch> {
    endPeriod();
    const all = new Map([...current].map(([ip, { hashes, largest }]) => [ip, { hashes: [...hashes], largest }]));
    mergeInto(all, before);
    return all;
  }

  return {
    onDecision({ subject: { user, tenant, ip } }) {
      if (user === undefined || ip === undefined) return;
      if (--decisionsToLook === 0) {
        decisionsToLook = DECISIONS_PER_LOOK;
        endPeriod();
      }
      if (user === lastUser && ip === lastIp && tenant === lastTenant) return;
      lastUser = user;
      lastTenant = tenant;
      lastIp = ip;
      add(ip, hash32(boundedCallerKey({ tenant, user })));
    },
    get mostUsers() {
      endPeriod();
      let most = 0;
      for (const sketches of [current, before]) {
        for (const sketch of sketches.values()) most = Math.max(most, usersOf(sketch));
      }
      // Sketches are merged only if their users together could be more. So a scrape of the metrics
      // rarely merges any.
      for (const [ip, sketch] of current) {
        const earlier = before.get(ip);
        if (earlier && mayHaveMore(sketch, earlier, most)) most = Math.max(most, usersOf(mergeOf(sketch, earlier)));
      }
      return most;
    },
    read() {
      const addresses = [...merged()]
        .map(([ip, sketch]) => ({ ip, hashes: sketch.hashes, users: usersOf(sketch) }))
        .sort((a, b) => b.users - a.users)
        .slice(0, MAX_REPORTED_ADDRESSES);
      return { addresses: addresses.map(({ ip, hashes }) => ({ ip, hashes })) };
    },
  };
}

/** Merges the addresses of several processes, those with the most users first. */
export function sumOfAddressUsers(parts: readonly AddressUsersPart[]): SharedAddress[] {
  const all = new Map<string, Sketch>();
  for (const { addresses } of parts) {
    mergeInto(all, new Map(addresses.map(({ ip, hashes }) => [ip, { hashes, largest: Math.max(...hashes) }])));
  }
  return [...all]
    .map(([ip, sketch]) => ({ ip, users: usersOf(sketch), isEstimate: sketch.hashes.length >= MAX_USER_HASHES }))
    .sort((a, b) => b.users - a.users);
}

/**
 * Returns whether two sketches together can have more users than `most`. Estimates may be too low, so
 * full sketches always can.
 */
function mayHaveMore({ hashes }: Sketch, earlier: Sketch, most: number): boolean {
  const sum = hashes.length + earlier.hashes.length;
  return sum >= MAX_USER_HASHES || sum > most;
}

function mergeOf({ hashes, largest }: Sketch, earlier: Sketch): Sketch {
  const sketch = { hashes: [...hashes], largest };
  for (const hash of earlier.hashes) addHash(sketch, hash);
  return sketch;
}

function mergeInto(all: Map<string, Sketch>, added: ReadonlyMap<string, Sketch>): void {
  for (const [ip, { hashes, largest }] of added) {
    const known = all.get(ip);
    if (known === undefined) all.set(ip, { hashes: [...hashes], largest });
    else for (const hash of hashes) addHash(known, hash);
  }
}

function addHash(sketch: Sketch, hash: number): void {
  const { hashes } = sketch;
  const isFull = hashes.length >= MAX_USER_HASHES;
  if ((isFull && hash >= sketch.largest) || hashes.includes(hash)) return;
  if (isFull) hashes[hashes.indexOf(sketch.largest)] = hash;
  else hashes.push(hash);
  sketch.largest = Math.max(...hashes);
}

/** Returns the number of users: exact below the maximum number of hashes, and an estimate from it on. */
function usersOf({ hashes, largest }: Sketch): number {
  if (hashes.length < MAX_USER_HASHES) return hashes.length;
  return Math.round((MAX_USER_HASHES - 1) / ((largest + 1) / 2 ** 32));
}

/**
 * Evicts the address with the fewest users among the oldest addresses. It moves the other candidates
 * to the end, so that each address becomes a candidate in turn.
 */
function forgetOne(all: Map<string, Sketch>): void {
  const candidates: [string, Sketch][] = [];
  for (const entry of all) if (candidates.push(entry) >= CANDIDATES) break;
  const least = Math.min(...candidates.map(([, { hashes }]) => hashes.length));
  let isForgotten = false;
  for (const [ip, sketch] of candidates) {
    all.delete(ip);
    if (!isForgotten && sketch.hashes.length === least) isForgotten = true;
    else all.set(ip, sketch);
  }
}
