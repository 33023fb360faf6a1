import { type KnownDenial, NONE, type Watched } from './known-denial.js';
import type { Question } from './question.js';

/** A caller who was denied, together with the limits that were charged. */
export interface DenialEntry extends KnownDenial {
  readonly key: string;
  /** Logical time of the last change. Replies to calls that were sent before it are ignored. */
  touchedTurn: number;
  /** Set while one charge checks in Redis whether the denial still holds. */
  question: Question | undefined;
  /**
   * Whether the last reply showed no room and was read too late: its result would expire before the
   * next reply arrives.
   */
  isLate: boolean;
  bytes: number;
}

const BYTES_PER_ENTRY = 700;
const BYTES_PER_LIMIT = 40;

/**
 * Entries of the denial memory, by key and by the partitions that are watched for them, in at most
 * `maxBytes`.
 */
export class DenialEntries {
  /** Entries by key, the least recently denied first. */
  readonly #entries = new Map<string, DenialEntry>();
  readonly #byPartition = new Map<string, Set<DenialEntry>>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): DenialEntry | undefined {
    return this.#entries.get(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  watching(partition: string): ReadonlySet<DenialEntry> | undefined {
    return this.#byPartition.get(partition);
  }

  /** Adds an entry. The least recently denied entries are dropped to make room. */
  add(key: string, limitCount: number, watched: Watched, isLate: boolean, turn: number): void {
    const entry: DenialEntry = {
      key,
      partitions: [],
      denying: NONE,
      isWatched: [],
      touchedTurn: turn,
      found: undefined,
      question: undefined,
      isLate,
      bytes: BYTES_PER_ENTRY + BYTES_PER_LIMIT * limitCount + 2 * key.length,
    };
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
    this.watch(entry, watched);
    for (const oldest of this.#entries.values()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#remove(oldest);
    }
  }

  /** Makes an entry the most recently denied one. */
  renew(entry: DenialEntry): void {
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
  }

  watch(entry: DenialEntry, { partitions, denying, isWatched }: Watched): void {
    this.#unwatch(entry);
    entry.partitions = partitions;
    entry.denying = denying;
    entry.isWatched = isWatched;
    for (const partition of partitions) {
      const others = this.#byPartition.get(partition);
      if (others) others.add(entry);
      else this.#byPartition.set(partition, new Set([entry]));
    }
  }

  #unwatch(entry: DenialEntry): void {
    for (const partition of entry.partitions) {
      const others = this.#byPartition.get(partition);
      others?.delete(entry);
      if (others?.size === 0) this.#byPartition.delete(partition);
    }
  }

  #remove(entry: DenialEntry): void {
    this.#unwatch(entry);
    this.#entries.delete(entry.key);
    this.#bytes -= entry.bytes;
  }
}
