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

/** A caller as it is now. */
export interface Caller {
  /** With its tier, and with its own bucket if it has one in force. */
  subject: Subject;
  /** It, or its tenant, must not use the API. */
  disabled: boolean;
}

export interface SubjectCacheOptions {
  db: Connections;
  shared: SharedCache | undefined;
  onLookup?(kind: 'api_key' | 'subject', level: CacheLevel): void;
  /** Called with the prefix of every good key that is used. */
  onKeyUsed?(prefix: string): void;
  /** Subjects and keys kept at most. @default 100000 */
  maxSubjects?: number;
  /** From this age on an answer is renewed, behind the back of those who use it. @default 60000 */
  freshMs?: number;
  /** Up to this age an answer is used while it cannot be renewed. @default 3600000 */
  staleMs?: number;
  /** How long a caller waits for the database at most. @default 1000 */
  deadlineMs?: number;
  /** Epoch milliseconds. @default Date.now */
  now?: Clock;
}

export interface SubjectCache {
  /** Whose key has this hash; undefined when it is wrong, revoked or expired. Throws `IdentityUnavailable`. */
  holderOf(keyHash: string): Promise<Caller | undefined>;
  /** Whether `holderOf` answers for this hash from memory. */
  knowsKey(keyHash: string): boolean;
  /**
   * The subject with what is stored about it. While the database is away, one that no cache knows is on the default tier,
   * unless it is known to be disabled.
   */
  resolve(subject: Subject): Promise<Caller>;
  /**
   * Forgets what these changes are about. Every change up to `number` is known from now on, and those after `from`, by
   * default all since the last time, are these; of what is older nothing is said.
   */
  forget(changes: readonly FeedChange[], news: { number: number; from?: number }): void;
  /** The database has gone back: changes have numbers that others had before. */
  startAnew(): void;
  /** Access has ended, by the word of another instance: copies of it are not used until `believeAgain`. */
  end(access: EndedAccess): void;
  /** The database answers again: what it says of changes counts, and nothing else. */
  believeAgain(): void;
  /** All subjects that are disabled, as of a change that is known already; those that follow tell of themselves. */
  shutOut(subjects: readonly SubjectKey[]): void;
}

/**
 * Subjects and API keys, in this process and in Redis, with PostgreSQL behind. Nothing is deleted when something
 * changes: each entry says as of which change it was read, and is worthless once one of its subjects has changed later.
 * So an answer that was under way while the change was committed is recognised too, in both caches.
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
      // An override that has ended may uncover the tenant's.
      if (entry.readAtMs + freshMs <= now() || hasEnded(entry.caller.override, now())) kept.load(key).catch(() => {});
      return entry;
    }
    if (kept.isUnknown(key)) {
      onLookup(kindOf(key), 'memory');
      return undefined;
    }
    const late = () => {
      throw new Error(`no answer within ${deadlineMs} ms`);
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
        if (error instanceof IdentityUnavailable) return { subject, disabled: changes.isShutOut(subject) };
        throw error;
      }
    },

    forget(made, news) {
      changes.note(made, news);
      // A key may have been created, or come to life again.
      if (news.from !== undefined || made.some(({ entity }) => entity === 'API_KEY')) kept.forgetUnknown();
    },

    end: changes.end,
    believeAgain: changes.believeAgain,
    shutOut: changes.shutOut,

    startAnew() {
      changes.startAnew();
      kept.clear();
    },
  };
}

function hasEnded(override: StoredCaller['override'], nowMs: number): boolean {
  return override !== null && override.expiresAtMs !== null && override.expiresAtMs <= nowMs;
}

/** As it is now: an override ends on time, however long ago it was read. */
function toCaller({ subject, disabled, override }: StoredCaller, nowMs: number): Caller {
  return { subject: override && !hasEnded(override, nowMs) ? { ...subject, bucket: override } : subject, disabled };
}
