import { LRUCache } from 'lru-cache';
import type { Subject } from '../../model/subject.js';
import type { Clock } from '../../runtime/clock.js';
import { atMost } from '../../runtime/sized-cache.js';
import type { EndedAccess } from '../store/create-change-log.js';
import type { SubjectKey } from '../store/subject-key.js';
import { apiKeyTag, subjectTag, tagsOf } from './cache-key-of.js';
import type { CallerEntry } from './caller-entry.js';
import type { FeedChange } from './change-feed.js';
import { createShutOut, MAX_SHUT_OUT } from './create-shut-out.js';

interface KnownChangesOptions {
  /** Subjects and keys whose changes are told apart. */
  maxSubjects: number;
  /** Up to this age an entry may be used. */
  staleMs: number;
  now: Clock;
}

export interface KnownChanges {
  /** The change up to which everything is known here: what is read from now on is at least as new. */
  readonly number: number;
  /** How often the database has gone back. */
  readonly histories: number;
  /** Whether the entry may be used. */
  isCurrent(entry: CallerEntry): boolean;
  /** Whether a caller that cannot be looked up is known to be disabled. */
  isShutOut(subject: Subject): boolean;
  /**
   * Every change up to `number` is known from now on, and those after `from`, by default all since the last time, are
   * these; of what is older nothing is said.
   */
  note(changes: readonly FeedChange[], news: { number: number; from?: number }): void;
  /** Access has ended, by the word of another instance: entries of it are not current until `believeAgain`. */
  end(access: EndedAccess): void;
  /** The database answers again: what it says of changes counts, and nothing else. */
  believeAgain(): void;
  /** All subjects that are disabled, as of a change that is known already; those that follow tell of themselves. */
  shutOut(subjects: readonly SubjectKey[]): void;
  /** The database has gone back: changes have numbers that others had before. */
  startAnew(): void;
}

/** Remembers which changes are known, and so which entries were read before one that is about them. */
export function createKnownChanges({ maxSubjects, staleMs, now }: KnownChangesOptions): KnownChanges {
  let known = 0;
  /** Entries read as of an earlier change are not to be used, whatever they are about. */
  let floor = 0;
  let histories = 0;
  const changedAt = new LRUCache<string, number>({
    ...atMost(maxSubjects),
    dispose: (number, _tag, reason) => {
      if (reason === 'evict') floor = Math.max(floor, number);
    },
  });
  /** Tags of access that has ended, and whether their subjects are disabled. */
  const ended = new LRUCache<string, boolean>(atMost(MAX_SHUT_OUT));
  const shutOut = createShutOut();

  return {
    get number() {
      return known;
    },
    get histories() {
      return histories;
    },

    isCurrent: ({ asOf, readAtMs, tags }) =>
      asOf >= floor &&
      readAtMs + staleMs > now() &&
      tags.every((tag) => asOf >= (changedAt.peek(tag) ?? 0)) &&
      (ended.size === 0 || !tags.some((tag) => ended.has(tag))),

    isShutOut: (subject) => shutOut.has(subject) || tagsOf(subject).some((tag) => ended.peek(tag)),

    note(changes, { number, from }) {
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
    },
  };
}
