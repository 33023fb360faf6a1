import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import type { Subject } from '../../model/subject.js';
import type { Connections } from '../../postgres/db.js';
import type { Clock } from '../../runtime/clock.js';
import { atMost } from '../../runtime/sized-cache.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import type { EndedAccess } from '../store/create-change-log.js';
import { isSubjectKey, type SubjectKey } from '../store/subject-input.js';
import type { FeedChange } from './change-feed.js';
import { createShutOut, MAX_SHUT_OUT } from './create-shut-out.js';
import { identityDeadlineOption } from './identity-deadline-option.js';
import { readCallers, readHolders, type StoredCaller } from './read-callers.js';
import type { SharedCache } from './shared-cache.js';

/** Where an answer came from: this process, the shared Redis, PostgreSQL; or from nowhere in time. */
export type CacheLevel = 'memory' | 'redis' | 'postgres' | 'none';

/** A caller as it is now. */
export interface Caller {
  /** With its tier, and with its own bucket if it has one in force. */
  subject: Subject;
  /** It, or its tenant, must not use the API. */
  disabled: boolean;
}

/** Thrown when a key cannot be looked up in time. It must never make a caller anonymous. */
export class IdentityUnavailable extends Error {}

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

/** What is kept, with when and as of which change it was read. */
interface Entry {
  caller: StoredCaller;
  asOf: number;
  readAtMs: number;
  /** What the caller hangs on: its key, its user's row, its tenant's row. */
  tags: readonly string[];
}

/** What an entry takes with ids of some thirty letters. With longer ones fewer are kept. */
const USUAL_BYTES = 600;
/** Keys that do not exist are remembered apart, so that a flood of them drives out nobody. */
const MAX_UNKNOWN_KEYS = 10_000;
const MAX_BATCH = 500;

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
  const entries = new LRUCache<string, Entry>({
    maxSize: maxSubjects * USUAL_BYTES,
    // None counts for less than the usual one: there are no more of them than `maxSubjects`.
    sizeCalculation: ({ tags }, key) =>
      Math.max(
        USUAL_BYTES,
        tags.reduce((sum, tag) => sum + tag.length * 2, 300 + key.length * 2),
      ),
  });
  const unknownKeys = new LRUCache<string, true>({ ...atMost(MAX_UNKNOWN_KEYS), ttl: freshMs });
  const shutOut = createShutOut();
  const underWay = new Map<string, Promise<Entry | undefined>>();
  /** Tags of access that has ended, and whether their subjects are disabled. */
  const ended = new LRUCache<string, boolean>(atMost(MAX_SHUT_OUT));

  /** The change up to which everything is known here: what is read from now on is at least as new. */
  let known = 0;
  /** Entries read as of an earlier change are not to be used, whatever they are about. */
  let floor = 0;
  /** How often the database has gone back. */
  let histories = 0;
  const changedAt = new LRUCache<string, number>({
    ...atMost(maxSubjects),
    dispose: (number, _tag, reason) => {
      if (reason === 'evict') floor = Math.max(floor, number);
    },
  });

  const isCurrent = ({ asOf, readAtMs, tags }: Entry) =>
    asOf >= floor &&
    readAtMs + staleMs > now() &&
    tags.every((tag) => asOf >= (changedAt.peek(tag) ?? 0)) &&
    (ended.size === 0 || !tags.some((tag) => ended.has(tag)));

  const loader = new DataLoader<string, Entry | undefined>(loadBatch, { cache: false, maxBatchSize: MAX_BATCH });

  async function loadBatch(keys: readonly string[]): Promise<(Entry | undefined | Error)[]> {
    const found = new Map<string, Entry>();
    if (shared) {
      await Promise.all(
        keys.map(async (key) => {
          const entry = parseEntry(await shared.get(key));
          // What was written as of a change that the database no longer has would not notice those that follow.
          const isKnown = histories === 0 || (entry?.asOf ?? 0) <= known;
          if (entry && isKnown && isCurrent(entry) && entry.readAtMs + freshMs > now()) found.set(key, entry);
        }),
      );
    }
    for (const key of found.keys()) onLookup(kindOf(key), 'redis');
    const missing = keys.filter((key) => !found.has(key));
    if (missing.length > 0) {
      const asOf = known;
      for (const [key, caller] of await readStored(missing)) {
        const entry: Entry = { caller, asOf, readAtMs: now(), tags: tagsOf(caller.subject) };
        found.set(key, entry);
        // Those who wait for the answer do not wait for this.
        void shared?.set(key, JSON.stringify({ caller, asOf, readAtMs: entry.readAtMs }), staleMs);
      }
      for (const key of missing) onLookup(kindOf(key), 'postgres');
    }
    return keys.map((key) => found.get(key));
  }

  async function readStored(keys: readonly string[]): Promise<[string, StoredCaller][]> {
    const hashes = keys.filter((key) => kindOf(key) === 'api_key').map((key) => key.slice(KEY.length));
    const subjects = keys.filter((key) => kindOf(key) === 'subject');
    const [holders, callers] = await Promise.all([
      hashes.length > 0 ? readHolders(db, hashes) : new Map<string, StoredCaller>(),
      subjects.length > 0 ? readCallers(db, subjects.map(subjectKeyOf)) : [],
    ]);
    return [
      ...[...holders].map(([hash, caller]): [string, StoredCaller] => [KEY + hash, caller]),
      ...callers.map((caller, index): [string, StoredCaller] => [subjects[index]!, caller]),
    ];
  }

  /** One look-up at a time for each key, kept when it comes back. */
  function load(key: string): Promise<Entry | undefined> {
    const already = underWay.get(key);
    if (already) return already;
    const knownBefore = known;
    const historiesBefore = histories;
    const loading = loader.load(key).then(
      (entry) => {
        if (histories !== historiesBefore) return entry;
        underWay.delete(key);
        if (entry) entries.set(key, entry);
        else {
          entries.delete(key);
          // A key created meanwhile must not be remembered as unknown.
          if (kindOf(key) === 'api_key' && known === knownBefore) unknownKeys.set(key, true);
        }
        return entry;
      },
      (error: unknown) => {
        underWay.delete(key);
        throw error;
      },
    );
    underWay.set(key, loading);
    return loading;
  }

  async function find(key: string): Promise<Entry | undefined> {
    const kept = entries.get(key);
    if (kept && isCurrent(kept)) {
      onLookup(kindOf(key), 'memory');
      // An override that has ended may uncover the tenant's.
      if (kept.readAtMs + freshMs <= now() || hasEnded(kept.caller.override)) load(key).catch(() => {});
      return kept;
    }
    if (unknownKeys.get(key)) {
      onLookup(kindOf(key), 'memory');
      return undefined;
    }
    const late = () => {
      throw new Error(`no answer within ${deadlineMs} ms`);
    };
    return withTimeout(loadCurrent(key), deadlineMs, late).catch((error: unknown) => {
      onLookup(kindOf(key), 'none');
      throw new IdentityUnavailable('The caller could not be looked up in time', { cause: error });
    });
  }

  /** Reads again what was changed while it was being read. */
  async function loadCurrent(key: string): Promise<Entry | undefined> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const entry = await load(key);
      if (!entry || isCurrent(entry)) return entry;
    }
    throw new Error('The subject changes faster than it can be read');
  }

  function hasEnded(override: StoredCaller['override']): boolean {
    return override !== null && override.expiresAtMs !== null && override.expiresAtMs <= now();
  }

  /** As it is now: an override ends on time, however long ago it was read. */
  function toCaller({ subject, disabled, override }: StoredCaller): Caller {
    return { subject: override && !hasEnded(override) ? { ...subject, bucket: override } : subject, disabled };
  }

  return {
    async holderOf(keyHash) {
      const entry = await find(KEY + keyHash);
      if (!entry) return undefined;
      const { keyExpiresAtMs, subject } = entry.caller;
      if (keyExpiresAtMs !== null && keyExpiresAtMs <= now()) return undefined;
      if (subject.apiKey !== undefined) onKeyUsed(subject.apiKey);
      return toCaller(entry.caller);
    },

    knowsKey: (keyHash) => entries.has(KEY + keyHash) || unknownKeys.has(KEY + keyHash),

    async resolve(subject) {
      if (!isSubjectKey(subject)) return { subject, disabled: false };
      try {
        const entry = await find(cacheKeyOf(subject));
        if (!entry) return { subject, disabled: false };
        const caller = toCaller(entry.caller);
        return { subject: { ...subject, ...caller.subject }, disabled: caller.disabled };
      } catch (error) {
        if (error instanceof IdentityUnavailable) {
          return { subject, disabled: shutOut.has(subject) || tagsOf(subject).some((tag) => ended.peek(tag)) };
        }
        throw error;
      }
    },

    forget(changes, { number, from }) {
      known = Math.max(known, number);
      if (from !== undefined) floor = Math.max(floor, from);
      for (const change of changes) {
        if (change.entity === 'API_KEY') changedAt.set(apiKeyTag(change.key), change.number);
        if (change.entity === 'SUBJECT') {
          const key = { user: change.user ?? '', tenant: change.tenant ?? '' };
          changedAt.set(subjectTag(key), change.number);
          if (change.disabled !== null) shutOut.set(key, change.disabled);
        }
      }
      // A key may have been created, or come to life again.
      if (from !== undefined || changes.some(({ entity }) => entity === 'API_KEY')) unknownKeys.clear();
    },

    end(access) {
      const tag =
        access.entity === 'API_KEY'
          ? apiKeyTag(access.key)
          : subjectTag({ user: access.user ?? '', tenant: access.tenant ?? '' });
      ended.set(tag, access.entity === 'SUBJECT' && access.isDisabled);
    },

    believeAgain: () => ended.clear(),

    shutOut: shutOut.replace,

    startAnew() {
      histories++;
      known = 0;
      floor = 0;
      changedAt.clear();
      entries.clear();
      unknownKeys.clear();
      underWay.clear();
    },
  };
}

const KEY = 'key:';
const SUBJECT = 'subject:';

function kindOf(key: string): 'api_key' | 'subject' {
  return key.startsWith(KEY) ? 'api_key' : 'subject';
}

/** JSON, because ids may hold any character. */
function cacheKeyOf({ tenant = '', user = '' }: SubjectKey): string {
  return SUBJECT + JSON.stringify([tenant, user]);
}

function subjectKeyOf(key: string): SubjectKey {
  const [tenant = '', user = ''] = JSON.parse(key.slice(SUBJECT.length)) as string[];
  return { tenant, user };
}

function tagsOf({ apiKey, user = '', tenant = '' }: Subject): string[] {
  const tags = [subjectTag({ user, tenant })];
  if (tenant !== '' && user !== '') tags.push(subjectTag({ user: '', tenant }));
  if (apiKey !== undefined) tags.push(apiKeyTag(apiKey));
  return tags;
}

const subjectTag = ({ user, tenant }: { user: string; tenant: string }) => cacheKeyOf({ user, tenant });
const apiKeyTag = (prefix: string) => `prefix:${prefix}`;

/** What Redis holds was written by an instance of this version or another: only a whole entry is taken. */
function parseEntry(text: string | undefined): Entry | undefined {
  if (text === undefined) return undefined;
  try {
    const entry = JSON.parse(text) as Partial<Entry>;
    const { caller, asOf, readAtMs } = entry;
    if (typeof asOf !== 'number' || typeof readAtMs !== 'number' || typeof caller?.subject !== 'object')
      return undefined;
    if (typeof caller.disabled !== 'boolean' || caller.keyExpiresAtMs === undefined || caller.override === undefined) {
      return undefined;
    }
    return { caller: caller as StoredCaller, asOf, readAtMs, tags: tagsOf(caller.subject) };
  } catch {
    return undefined;
  }
}
