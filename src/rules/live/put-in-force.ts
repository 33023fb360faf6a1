import type { StreamFilter } from '../../model/open-stream.js';
import type { Subject } from '../../model/subject.js';
import type { Connections } from '../../postgres/db.js';
import type { ChangedEntity } from '../store/create-change-log.js';
import type { FeedChange, FeedNews } from './change-feed.js';
import { readDisabledSubjects } from './create-disabled-subjects.js';
import type { LiveRuleset } from './create-live-ruleset.js';
import type { ChangeKind, LiveRulesObserver } from './live-rules-observer.js';
import type { SubjectCache } from './subject-cache.js';

interface Changeable {
  lookups: Connections;
  subjects: SubjectCache;
  live: LiveRuleset;
  observer: LiveRulesObserver;
  /** Called with each caller whose counters were reset, through any instance. */
  onQuotaReset(subject: Subject): void;
  /** Called with each end of subscriptions and WebSockets, through any instance, and its age. */
  onStreamsEnded(filter: StreamFilter, ageMs: number): void;
  /** Called when registered documents may have changed. */
  onDocumentsChanged(): Promise<void>;
}

const KINDS: Partial<Record<ChangedEntity, ChangeKind>> = {
  TIER: 'ruleset',
  RULE: 'ruleset',
  SUBJECT: 'subject',
  API_KEY: 'api_key',
};

/**
 * Puts committed changes in force in this process. Rejects when the database is unavailable. The
 * caller then has to pass all changes again.
 */
export async function putInForce(
  changes: readonly FeedChange[],
  news: FeedNews,
  { lookups, subjects, live, observer, onQuotaReset, onStreamsEnded, onDocumentsChanged }: Changeable,
): Promise<void> {
  if (news.wentBackFrom !== undefined) subjects.startOver();
  subjects.forget(changes, news);
  for (const { reset, endedStreams, ageMs } of changes) {
    if (reset !== null) onQuotaReset(reset);
    if (endedStreams !== null) onStreamsEnded(endedStreams, ageMs);
  }
  if (news.from !== undefined) subjects.replaceDisabled(await readDisabledSubjects(lookups));
  if (news.from !== undefined || changes.some(({ entity }) => entity === 'DOCUMENTS')) await onDocumentsChanged();
  if (news.wentBackFrom !== undefined) {
    await live.load();
    observer.databaseWentBack?.(news.wentBackFrom, news.number);
    return;
  }
  const ofRules = changes.some(isOfRules);
  if (ofRules || news.from !== undefined) await live.update();
}

/** Notifies the observer how long after its commit each change came into force. */
export function notifyInForce(observer: LiveRulesObserver, changes: readonly FeedChange[], tookMs: number): void {
  for (const { entity, ageMs } of changes) {
    const kind = KINDS[entity];
    if (kind) observer.changeInForce?.(kind, ageMs + tookMs);
  }
}

/** Returns whether the change is one of a tier or rule. */
export function isOfRules({ entity }: FeedChange): boolean {
  return KINDS[entity] === 'ruleset';
}
