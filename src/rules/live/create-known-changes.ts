import { LRUCache } from 'lru-cache';
import type { Subject } from '../../model/subject.js';
import type { Clock } from '../../runtime/clock.js';
import { atMost } from '../../runtime/sized-cache.js';
import type { EndedAccess } from '../store/create-change-log.js';
import type { SubjectKey } from '../store/subject-key.js';
import { apiKeyTag, subjectTag, tagsOf } from './cache-key-of.js';
import type { CallerEntry } from './caller-entry.js';
import type { FeedChange } from './change-feed.js';
import { createDisabledSubjects, MAX_DISABLED_SUBJECTS } from './create-disabled-subjects.js';

interface KnownChangesOptions {
  /** Maximum number of subjects and keys whose changes are remembered individually. */
  maxSubjects: number;
  /** Maximum age of a usable entry, in milliseconds. */
  staleMs: number;
  now: Clock;
}

export interface KnownChanges {
  /** Number of the latest known change. Every later read returns a state at least as new. */
  readonly number: number;
  /** Number of times that the database has returned to an earlier state. */
  readonly histories: number;
  /** Whether the entry may be used. */
  isCurrent(entry: CallerEntry): boolean;
  /** Whether a caller that cannot be looked up is known to be disabled. */
  isDisabled(subject: Subject): boolean;
  /**
   * Records that every change up to `number` is known. If `from` is absent, `changes` are all
   * changes since the last call. Otherwise they are the changes after `from`. Earlier changes are
   * then unknown, so entries that were read before `from` are not usable.
   */
  note(changes: readonly FeedChange[], news: { number: number; from?: number }): void;
  /**
   * Records that another instance has reported ended access. The cached entries of that access are
   * not usable until `believeAgain`.
   */
  end(access: EndedAccess): void;
  /**
   * Discards the reports that `end` recorded. The database responds again, and its changes are
   * authoritative.
   */
  believeAgain(): void;
  /**
   * Replaces the disabled subjects. The calling code must have read them after all changes that are
   * already known; `note` applies the later ones.
   */
  replaceDisabled(subjects: readonly SubjectKey[]): void;
  /**
   * Starts over after the database has returned to an earlier state: new changes reuse the numbers
   * of lost ones.
   */
  startOver(): void;
}

/**
 * Creates the memory of known changes. It decides which cached entries were read before a change
 * that affects them.
 */
export function createKnownChanges({ maxSubjects, staleMs, now }: KnownChangesOptions): KnownChanges {
  let known = 0;
  /**
   * Number of a change. No entry that was read before this change is usable, regardless of the
   * caller.
   */
  let floor = 0;
  let histories = 0;
  const changedAt = new LRUCache<string, number>({
    ...atMost(maxSubjects),
    dispose: (number, _tag, reason) => {
      if (reason === 'evict') floor = Math.max(floor, number);
    },
  });
  /** Reports of ended access, by its tag. The value is whether the report disables the subject. */
  const ended = new LRUCache<string, boolean>(atMost(MAX_DISABLED_SUBJECTS));
  const disabledSubjects = createDisabledSubjects();

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

    isDisabled: (subject) => disabledSubjects.has(subject) || tagsOf(subject).some((tag) => ended.peek(tag)),

    note(changes, { number, from }) {
      known = Math.max(known, number);
      if (from !== undefined) floor = Math.max(floor, from);
      for (const change of changes) {
        if (change.entity === 'API_KEY') changedAt.set(apiKeyTag(change.key), change.number);
        if (change.entity === 'SUBJECT') {
          const key = { user: change.user ?? '', tenant: change.tenant ?? '' };
          changedAt.set(subjectTag(key), change.number);
          if (change.disabled !== null) disabledSubjects.set(key, change.disabled);
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

    replaceDisabled: disabledSubjects.replace,

    startOver() {
      histories++;
      known = 0;
      floor = 0;
      changedAt.clear();
    },
  };
}
