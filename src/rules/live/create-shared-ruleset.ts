import type { SharedCache } from './shared-cache.js';
import { parseStored, type StoredRules } from './stored-rules.js';

interface SharedRuleset {
  /** The copy as of change `number`; undefined: there is none. */
  read(number: number | undefined): Promise<StoredRules | undefined>;
  /** Replaces the copy, unless it is the same by this. One of all instances is enough. */
  write(stored: StoredRules, unlessSame: 'number' | 'fingerprint'): Promise<void>;
}

const KEY = 'ruleset';
const KEYS = { number: 'ruleset-number', fingerprint: 'ruleset-fingerprint' };
const SHARED_MS = 3_600_000;
/** Megabytes take a while. */
const DEADLINE_MS = 500;

/** The copy of the stored ruleset that instances share through Redis. */
export function createSharedRuleset(shared: SharedCache | undefined): SharedRuleset {
  return {
    async read(number) {
      // Not one that is newer than what was heard of, either: another history of the same database may have written it.
      // The number is asked for by itself: thousands of rules are not fetched only to find that they are old.
      if (number === undefined || (await shared?.get(KEYS.number)) !== String(number)) return undefined;
      const stored = parseStored(await shared?.get(KEY, DEADLINE_MS));
      return stored?.number === number ? stored : undefined;
    },
    async write(stored, unlessSame) {
      if ((await shared?.get(KEYS[unlessSame])) === String(stored[unlessSame])) return;
      await shared?.set(KEY, JSON.stringify(stored), SHARED_MS);
      await shared?.set(KEYS.number, String(stored.number), SHARED_MS);
      await shared?.set(KEYS.fingerprint, stored.fingerprint, SHARED_MS);
    },
  };
}
