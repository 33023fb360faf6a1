import { LRUCache } from 'lru-cache';
import type { Actor } from '../../rules/store/create-change-log.js';
import type { RulesStore } from '../../rules/store/rules-store.js';

const EVERY_MS = 3_600_000;

interface DenialRecordOptions {
  store: Pick<RulesStore, 'recordDenial'>;
  /**
   * Minimum time between two entries for the same actor and operation, in milliseconds.
   * @default 3600000
   */
  everyMs?: number;
  /**
   * Maximum number of pairs of an actor and an operation that are recorded within `everyMs`.
   * @default 1000
   */
  maxEntries?: number;
}

/** The part of a request that the record of denials needs. */
interface DeniedRequest {
  actor: Actor;
  /** Whether the request already has an entry. */
  hasDenialOnRecord?: boolean;
}

/**
 * Resolves once the entry is written or is not needed. Rejects if the entry could not be written.
 */
export type RecordDenial = (request: DeniedRequest, operation: string, comment: () => string) => Promise<void>;

/**
 * Creates the function that records denied operations. It records each pair of actor and operation
 * once within `everyMs`, and each request once, even if several of its fields are denied. The
 * entries are limited because they cannot be deleted, and because every entry notifies all
 * instances.
 */
export function createDenialRecord({
  store,
  everyMs = EVERY_MS,
  maxEntries = 1000,
}: DenialRecordOptions): RecordDenial {
  const recent = createRecentKeys(maxEntries, everyMs);

  return async (request, operation, comment) => {
    if (request.hasDenialOnRecord) return;
    const { actor } = request;
    const key = JSON.stringify([actor.authMethod, actor.name, operation]);
    if (!recent.take(key)) return;
    request.hasDenialOnRecord = true;
    try {
      await store.recordDenial(actor, operation, comment());
    } catch (error) {
      recent.forget(key);
      throw error;
    }
  };
}

interface GuessRecordOptions {
  store: Pick<RulesStore, 'recordDenial'>;
  /**
   * Called with an address that guesses tokens, at most once within `everyMs` per address. It must
   * not throw.
   */
  onGuessing(address: string): void;
  /** Called when an entry could not be written. It must not throw. */
  onError(error: unknown): void;
  /** Minimum time between two entries for the same address, in milliseconds. @default 3600000 */
  everyMs?: number;
  /**
   * Maximum number of addresses that are recorded within `everyMs`. Further addresses are not
   * recorded.
   * @default 100
   */
  maxAddresses?: number;
}

/**
 * Creates the function that records that an address guesses admin tokens. Call it when the address
 * cannot pay the fee of its guess. Recording every guess would let a stranger fill the database.
 */
export function createGuessRecord(options: GuessRecordOptions): (address: string | undefined) => void {
  const { store, onGuessing, onError, everyMs = EVERY_MS, maxAddresses = 100 } = options;
  const recent = createRecentKeys(maxAddresses, everyMs);

  return (address = 'unknown') => {
    if (!recent.take(address)) return;
    onGuessing(address);
    const actor = { name: address, authMethod: 'NONE' as const };
    store
      .recordDenial(actor, 'admin', 'sent unknown admin tokens until the limit of its address was used up')
      .catch(onError);
  };
}

/**
 * Creates a set whose keys expire after `everyMs`. When it has `maxKeys` keys, it accepts no other
 * key until one expires.
 */
function createRecentKeys(maxKeys: number, everyMs: number) {
  const recent = new LRUCache<string, true>({ max: maxKeys, ttl: everyMs, ttlResolution: 0 });

  return {
    /** Adds a key. Returns false if the set already contains it or is full. */
    take(key: string): boolean {
      if (recent.has(key)) return false;
      if (recent.size >= maxKeys) recent.purgeStale();
      if (recent.size >= maxKeys) return false;
      recent.set(key, true);
      return true;
    },
    forget(key: string): void {
      recent.delete(key);
    },
  };
}
