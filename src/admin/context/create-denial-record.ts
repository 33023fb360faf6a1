import { LRUCache } from 'lru-cache';
import type { Actor } from '../../rules/store/create-change-log.js';
import type { RulesStore } from '../../rules/store/rules-store.js';

const EVERY_MS = 3_600_000;

interface DenialRecordOptions {
  store: Pick<RulesStore, 'recordDenial'>;
  /** @default 3600000 */
  everyMs?: number;
  /** Pairs of an actor and an operation that are put on record within `everyMs`. @default 1000 */
  maxEntries?: number;
}

/** A request, as far as it matters to the record of what it was denied. */
interface DeniedRequest {
  actor: Actor;
  /** Whether it has its entry. */
  hasDenialOnRecord?: boolean;
}

/** Resolves once the entry is written, or is not needed; rejects where it could not be written. */
export type RecordDenial = (request: DeniedRequest, operation: string, comment: () => string) => Promise<void>;

/**
 * Puts on record that an actor tried what they may not do: once within `everyMs` for each operation, and once for each request,
 * however many fields it has. The record cannot be deleted from, and each entry is told to all instances.
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
  /** Called with an address that guesses, at most once in `everyMs` for each; must not throw. */
  onGuessing(address: string): void;
  /** Called when an entry could not be written; must not throw. */
  onError(error: unknown): void;
  /** @default 3600000 */
  everyMs?: number;
  /** Addresses that are put on record within `everyMs`; of the others there is but the metric. @default 100 */
  maxAddresses?: number;
}

/**
 * Puts on record that an address guesses tokens of administrators, once it has nothing left to pay for guesses with. Not each
 * guess: what a stranger may write to the database, as often as they like, would be a way to fill it.
 */
export function createGuessRecord(options: GuessRecordOptions): (address: string | undefined) => void {
  const { store, onGuessing, onError, everyMs = EVERY_MS, maxAddresses = 100 } = options;
  const recent = createRecentKeys(maxAddresses, everyMs);

  return (address = 'unknown') => {
    if (!recent.take(address)) return;
    onGuessing(address);
    const actor = { name: address, authMethod: 'NONE' as const };
    store
      .recordDenial(actor, 'admin', 'guessed tokens until its address had nothing left to pay for more')
      .catch(onError);
  };
}

/** Keys that were taken within `everyMs`. Once there are `maxKeys` of them, no other is taken until one is old. */
function createRecentKeys(maxKeys: number, everyMs: number) {
  const recent = new LRUCache<string, true>({ max: maxKeys, ttl: everyMs, ttlResolution: 0 });

  return {
    /** False: it was taken lately, or there is no room. */
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
