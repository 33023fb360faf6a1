import { LRUCache } from 'lru-cache';
import type { RulesStore } from '../rules/store/rules-store.js';

export interface GuessRecordOptions {
  store: Pick<RulesStore, 'recordDenial'>;
  /** Called with an address that guesses, at most once in `everyMs` for each; must not throw. */
  onGuessing(address: string): void;
  /** Called when an entry could not be written; must not throw. */
  onError(error: unknown): void;
  /** @default 60000 */
  everyMs?: number;
  /** Addresses that are put on record within `everyMs`; of the others there is but the metric. @default 100 */
  maxAddresses?: number;
}

/**
 * Puts on record that an address guesses tokens of administrators, once it has nothing left to pay for guesses with. Not each
 * guess: what a stranger may write to the database, as often as they like, would be a way to fill it.
 */
export function createGuessRecord(options: GuessRecordOptions): (address: string | undefined) => void {
  const { store, onGuessing, onError, everyMs = 60_000, maxAddresses = 100 } = options;
  const recent = new LRUCache<string, true>({ max: maxAddresses, ttl: everyMs, ttlResolution: 0 });

  return (address = 'unknown') => {
    if (recent.has(address)) return;
    recent.purgeStale();
    if (recent.size >= maxAddresses) return;
    recent.set(address, true);
    onGuessing(address);
    const actor = { name: address, authMethod: 'NONE' as const };
    store
      .recordDenial(actor, 'admin', 'guessed tokens until its address had nothing left to pay for more')
      .catch(onError);
  };
}
