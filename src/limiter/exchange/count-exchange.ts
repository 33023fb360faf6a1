import type { Clock } from '../../runtime/clock.js';
import { poll } from '../../runtime/poll.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { type CountEntry, ENTRIES_AT_ONCE, type RegionStore } from './region-store.js';
import { createWatchedCounts, type WatchedCount, type WatchedCounts } from './watched-counts.js';

/** Exchanges the counts of limits with the mode `WATCH` between regions. */
export interface CountExchange extends Pick<WatchedCounts, 'admitted' | 'settled'> {
  /** Publishes the counts of this instance for the other regions. Rejects if Redis fails. */
  publish(): Promise<void>;
  /**
   * Adds the counts that the other regions have published. Resolves to the names of the regions whose
   * counts it could not read to the end. Rejects if the Redis of this region fails.
   */
  read(): Promise<string[]>;
  state(): CountExchangeState;
  /** Publishes the last counts, and ends the exchange. */
  close(): Promise<void>;
}

export interface CountExchangeState {
  /** Time since the counts of each other region were read, or since the start, in milliseconds. */
  readAgeMs: Readonly<Record<string, number>>;
  /** Regions whose counts were not read for two intervals. */
  late: readonly string[];
  /** Number of counts that were not published, because too many waited. */
  dropped: number;
  /** Number of entries and counts of other regions that this instance could not apply. */
  unreadable: number;
}

/** Adds a count of another region to a counter. Resolves to whether Redis has confirmed it. */
export type AddCount = (count: WatchedCount) => Promise<boolean>;

interface CountExchangeOptions {
  region: string;
  instance: string;
  own: RegionStore;
  others: readonly (readonly [name: string, store: RegionStore])[];
  /** Resolves to whether this instance reads for its region. */
  lead(): Promise<boolean>;
  add: AddCount;
  exchangeMs: number;
  clock: Clock;
}

/** Result of reading the counts of another region. */
interface RegionRead {
  /** Last entry of this region that the other one has read; '' if that is unknown. */
  readonly hasRead: string;
  readonly isComplete: boolean;
}

/** Maximum number of counts in an entry, and of counts that are added at the same time. */
const COUNTS_OF_ENTRY = 200;

/**
 * Parts of the interval of the exchange. A count waits at most one of them until it is published,
 * and at most one until it is read. The calls may take the other half of the interval.
 */
const ROUNDS = 4;

export function createCountExchange(options: CountExchangeOptions): CountExchange {
  const { region, instance, own, others, lead, add, exchangeMs, clock } = options;
  const counts = createWatchedCounts();
  let unsent: string[] | undefined;
  let batch = 0;
  let unreadable = 0;
  /** Last entry of each region, and its counts that Redis has not confirmed. */
  const latest = new Map<string, { readonly id: string; readonly left: WatchedCount[] }>();
  const startedMs = clock();
  /** Times of the last reads of each other region, by any instance. */
  const readAtMs: Record<string, number> = Object.fromEntries(others.map(([name]) => [name, startedMs]));

  async function publishAll(): Promise<void> {
    for (;;) {
      if (unsent === undefined) {
        unsent = entriesOf(counts.take(ENTRIES_AT_ONCE * COUNTS_OF_ENTRY));
        batch++;
      }
      const isEmpty = unsent.length === 0;
      if (!isEmpty) await own.publish(instance, batch, unsent);
      unsent = undefined;
      if (isEmpty) return;
    }
  }

  async function readAll(): Promise<string[]> {
    let unread: string[] = [];
    if (await lead()) {
      const cursors = await own.cursors();
      const readers = others.map(async ([name, store]) => ({
        name,
        ...(await readFrom(name, store, cursors[name]?.id ?? '')),
      }));
      const all = await Promise.all(readers);
      unread = all.filter(({ isComplete }) => !isComplete).map(({ name }) => name);
      // A region that does not reply may not have read anything.
      await own.trim(all.map(({ hasRead }) => hasRead).reduce(earlierId));
    }
    const atMs = clock();
    for (const [name, { ageMs }] of Object.entries(await own.cursors())) {
      if (name in readAtMs) readAtMs[name] = Math.max(readAtMs[name]!, atMs - ageMs);
    }
    return unread;
  }

  /** Adds the counts of another region, until all are added or a call fails. */
  async function readFrom(name: string, store: RegionStore, from: string): Promise<RegionRead> {
    let cursor = from;
    let hasRead = '';
    for (;;) {
      const read = await withTimeout(
        store.readCounts(cursor, region).catch(() => undefined),
        exchangeMs / 2,
        () => undefined,
      );
      if (read === undefined) return { hasRead: '', isComplete: false };
      const { entries } = read;
      hasRead = read.hasRead;
      for (const entry of entries) {
        const isAdded = (await addAll(name, entry)) && (await own.moveCursor(name, cursor, entry.id));
        if (!isAdded) return { hasRead, isComplete: false };
        cursor = entry.id;
      }
      if (entries.length === 0) await own.moveCursor(name, cursor, cursor);
      if (entries.length < ENTRIES_AT_ONCE) return { hasRead, isComplete: true };
    }
  }

  /**
   * Adds the counts of an entry. Resolves to false if Redis has not confirmed all of them. The next
   * round adds those again: a count that was added twice denies too early, a lost one too late.
   */
  async function addAll(name: string, { id, text }: CountEntry): Promise<boolean> {
    const known = latest.get(name);
    const counts = known?.id === id ? known.left : parseCounts(text);
    if (counts === undefined) {
      unreadable++;
      return true;
    }
    const confirmed = await Promise.all(
      counts.map((count) =>
        add(count).catch(() => {
          // Another version of Tollgate may have published a limit that this one does not know.
          unreadable++;
          return true;
        }),
      ),
    );
    const left = counts.filter((_, i) => !confirmed[i]);
    // Kept until the next entry: if the call that records the cursor fails, the entry is read again.
    latest.set(name, { id, left });
    return left.length === 0;
  }

  const publish = oneAtATime(publishAll);
  const read = oneAtATime(readAll);
  const stops = [publish, read].map((round) => poll(() => round().catch(() => {}), exchangeMs / ROUNDS));

  return {
    admitted: counts.admitted,
    settled: counts.settled,
    publish,
    read,
    state() {
      const readAgeMs = Object.fromEntries(others.map(([name]) => [name, clock() - readAtMs[name]!]));
      const late = Object.keys(readAgeMs).filter((name) => readAgeMs[name]! > 2 * exchangeMs);
      return { readAgeMs, late, dropped: counts.dropped, unreadable };
    },
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      await publish().catch(() => {});
    },
  };
}

/** Returns a function that starts each run when the previous one has ended. */
function oneAtATime<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let previous: Promise<unknown> = Promise.resolve();
  return () => {
    const next = previous.then(run);
    previous = next.catch(() => {});
    return next;
  };
}

/** Returns the counts of an entry; undefined if its text is invalid. */
function parseCounts(text: string): WatchedCount[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? (parsed as WatchedCount[]) : undefined;
  } catch {
    return undefined;
  }
}

function entriesOf(counts: readonly WatchedCount[]): string[] {
  const entries: string[] = [];
  for (let from = 0; from < counts.length; from += COUNTS_OF_ENTRY) {
    entries.push(JSON.stringify(counts.slice(from, from + COUNTS_OF_ENTRY)));
  }
  return entries;
}

/** Returns the earlier of two ids of entries; '' is before all others. */
function earlierId(a: string, b: string): string {
  const [timeOfA = 0, numberOfA = 0] = a.split('-').map(Number);
  const [timeOfB = 0, numberOfB = 0] = b.split('-').map(Number);
  return timeOfA < timeOfB || (timeOfA === timeOfB && numberOfA < numberOfB) ? a : b;
}
