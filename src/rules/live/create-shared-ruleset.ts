import type { SharedCache } from './shared-cache.js';
import { parseStored, type StoredRules } from './stored-rules.js';

interface SharedRuleset {
  /** Returns the copy as of change `number`, or undefined if there is none. */
  read(number: number | undefined): Promise<StoredRules | undefined>;
  /**
   * Replaces the copy, unless the existing one has the same number or fingerprint. One copy serves
   * all instances.
   */
  write(stored: StoredRules, unlessSame: 'number' | 'fingerprint'): Promise<void>;
}

const KEY = 'ruleset';
const KEYS = { number: 'ruleset-number', fingerprint: 'ruleset-fingerprint' };
const SHARED_MS = 3_600_000;
/** Timeout for reading the copy, in milliseconds. The copy may be megabytes in size. */
const DEADLINE_MS = 500;

/** Creates the access to the copy of the stored ruleset that instances share through Redis. */
export function createSharedRuleset(shared: SharedCache | undefined): SharedRuleset {
  return {
    async read(number) {
      // A copy with a larger number is not used either: it may be from before a restore of the
      // database, which removed some changes. The number is read first, so that thousands of rules
      // are not fetched only to find them outdated.
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
