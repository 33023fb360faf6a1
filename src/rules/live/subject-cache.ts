import type { Subject } from '../../model/subject.js';
import type { Connections } from '../../postgres/db.js';
import type { Clock } from '../../runtime/clock.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import type { EndedAccess } from '../store/create-change-log.js';
import { isSubjectKey, type SubjectKey } from '../store/subject-key.js';
import { cacheKeyOf, cacheKeyOfHash, kindOf } from './cache-key-of.js';
import type { CallerEntry } from './caller-entry.js';
import type { FeedChange } from './change-feed.js';
import { type CacheLevel, createCallerReader } from './create-caller-reader.js';
import { createKeptCallers } from './create-kept-callers.js';
import { createKnownChanges } from './create-known-changes.js';
import { identityDeadlineOption } from './identity-deadline-option.js';
import { IdentityUnavailable } from './identity-unavailable.js';
import type { StoredCaller } from './read-callers.js';
import type { SharedCache } from './shared-cache.js';

/** A caller with the settings in force now. */
export interface Caller {
  /** The caller, with its tier, and with its own bucket if one is in force. */
  subject: Subject;
  /** Whether the caller or its tenant is disabled. */
  disabled: boolean;
}

export interface SubjectCacheOptions {
  db: Connections;
  shared: SharedCache | undefined;
  onLookup?(kind: 'api_key' | 'subject', level: CacheLevel): void;
  /** Called with the prefix of every valid key that is used. */
  onKeyUsed?(prefix: string): void;
  /** Maximum number of cached subjects and keys. @default 100000 */
  maxSubjects?: number;
  /** Age from which an entry is refreshed in the background, in milliseconds. @default 60000 */
  freshMs?: number;
  /** Maximum age of an entry that cannot be refreshed, in milliseconds. @default 3600000 */
  staleMs?: number;
  /** Maximum time that a caller waits for the database, in milliseconds. @default 1000 */
  deadlineMs?: number;
  /** Clock, in epoch milliseconds. @default Date.now */
  now?: Clock;
}

export interface SubjectCache {
  /**
   * Returns the holder of the key with this hash, or undefined if the key is unknown, revoked or
   * expired. Rejects with `IdentityUnavailable` if the key is not cached and cannot be looked up
   * within `deadlineMs`.
   */
  holderOf(keyHash: string): Promise<Caller | undefined>;
  /**
   * Whether memory has an entry for this hash, or remembers that no key has it. If the entry is
   * outdated, `holderOf` reads it again.
   */
  knowsKey(keyHash: string): boolean;
  /**
   * Returns the subject with its stored settings. While the database is unavailable, a subject that
   * is not cached has the default tier, and is disabled only if this process knows that it is.
   */
  resolve(subject: Subject): Promise<Caller>;
  /**
   * Invalidates the entries that these changes affect. Every change up to `number` is known from
   * now on. If `from` is absent, `changes` are all changes since the last call. Otherwise they are
   * the changes after `from`, and entries that were read before change `from` are invalid too.
   */
  forget(changes: readonly FeedChange[], news: { number: number; from?: number }): void;
  /**
   * Starts over after the database has returned to an earlier state: new changes reuse the numbers
   * of lost ones.
   */
  startOver(): void;
  /**
   * Invalidates the entries of a key, user or tenant whose access has ended, as another instance
   * reports. They are not used until `believeAgain`.
   */
  end(access: EndedAccess): void;
  /**
   * Discards the reports passed to `end`. The database responds again, and its changes are
   * authoritative.
   */
  believeAgain(): void;
  /**
   * Replaces the disabled subjects. The calling code must have read them after all changes that are
   * already known, and must pass later changes to `forget`.
   */
  replaceDisabled(subjects: readonly SubjectKey[]): void;
}

/**
 * Caches subjects and API keys in this process and in Redis, in front of PostgreSQL. Changes delete
 * no entries. Each entry stores the number of the latest change that was known when it was read. A
 * later change of its user, its tenant or its API key makes it invalid. This also invalidates
 * entries whose read was in flight during the commit.
 */
export function createSubjectCache(options: SubjectCacheOptions): SubjectCache {
  const { db, shared, onLookup = () => {}, onKeyUsed = () => {}, maxSubjects = 100_000 } = options;
  const {
    freshMs = 60_000,
    staleMs = 3_600_000,
    deadlineMs = identityDeadlineOption.default,
    now = Date.now,
  } = options;
  const changes = createKnownChanges({ maxSubjects, staleMs, now });
  const { read } = createCallerReader({ db, shared, changes, freshMs, staleMs, onLookup, now });
  const kept = createKeptCallers({ changes, read, maxSubjects, freshMs });

  async function find(key: string): Promise<CallerEntry | undefined> {
    const entry = kept.get(key);
    if (entry) {
      onLookup(kindOf(key), 'memory');
      // After an override has ended, the tenant's override may apply, so the entry has to be read
      // again.
      if (entry.readAtMs + freshMs <= now() || hasEnded(entry.caller.override, now())) kept.load(key).catch(() => {});
      return entry;
    }
    if (kept.isUnknown(key)) {
      onLookup(kindOf(key), 'memory');
      return undefined;
    }
    const late = () => {
      throw new Error(`no response within ${deadlineMs} ms`);
    };
    return withTimeout(kept.loadCurrent(key), deadlineMs, late).catch((error: unknown) => {
      onLookup(kindOf(key), 'none');
      throw new IdentityUnavailable('The caller could not be looked up in time', { cause: error });
    });
  }

  return {
    async holderOf(keyHash) {
      const entry = await find(cacheKeyOfHash(keyHash));
      if (!entry) return undefined;
      const { keyExpiresAtMs, subject } = entry.caller;
      if (keyExpiresAtMs !== null && keyExpiresAtMs <= now()) return undefined;
      if (subject.apiKey !== undefined) onKeyUsed(subject.apiKey);
      return toCaller(entry.caller, now());
    },

    knowsKey: (keyHash) => kept.has(cacheKeyOfHash(keyHash)),

    async resolve(subject) {
      if (!isSubjectKey(subject)) return { subject, disabled: false };
      try {
        const entry = await find(cacheKeyOf(subject));
        if (!entry) return { subject, disabled: false };
        const caller = toCaller(entry.caller, now());
        return { subject: { ...subject, ...caller.subject }, disabled: caller.disabled };
      } catch (error) {
        if (error instanceof IdentityUnavailable) return { subject, disabled: changes.isDisabled(subject) };
        throw error;
      }
    },

    forget(made, news) {
      changes.note(made, news);
      // A key that was unknown may exist now.
      if (news.from !== undefined || made.some(({ entity }) => entity === 'API_KEY')) kept.forgetUnknown();
    },

    end: changes.end,
    believeAgain: changes.believeAgain,
    replaceDisabled: changes.replaceDisabled,

    startOver() {
      changes.startOver();
      kept.clear();
    },
  };
}

function hasEnded(override: StoredCaller['override'], nowMs: number): boolean {
  return override !== null && override.expiresAtMs !== null && override.expiresAtMs <= nowMs;
}

/**
 * Returns the caller with the settings that apply now. An override ends on time, even if its entry
 * is still cached.
 */
function toCaller({ subject, disabled, override }: StoredCaller, nowMs: number): Caller {
  return { subject: override && !hasEnded(override, nowMs) ? { ...subject, bucket: override } : subject, disabled };
}
