import DataLoader from 'dataloader';
import type { Subject } from '../model/subject.js';
import type { ApiKeyRecord } from '../rules/store/api-keys.js';
import type { ChangedEntity, ChangeEntry } from '../rules/store/changes.js';
import type { RuleRecord } from '../rules/store/rule-rows.js';
import type { RulesStore } from '../rules/store/rules-store.js';
import type { SubjectRecord } from '../rules/store/subject-rows.js';
import type { KnownSubject } from '../rules/store/subjects.js';
import type { TierRecord } from '../rules/store/tier-rows.js';
import type { OwnerUsage, UsageOwner } from '../usage/query/subject-usage.js';
import type { TimeRange } from '../usage/query/time-range.js';
import type { UsageReader } from '../usage/query/usage-reader.js';
import type { UsageLevel } from '../usage/tables.js';

/** A page of the history of one object. */
export interface HistoryRequest {
  entity: ChangedEntity;
  key: string;
  before: number;
  limit: number;
}

/** A page of the keys of one subject. */
export interface ApiKeysRequest {
  subjectId: number;
  after: number;
  limit: number;
}

/** A page of the usage of one user or tenant. */
export interface OwnerUsageRequest extends UsageOwner {
  range: TimeRange;
  level: UsageLevel;
  limit: number;
}

/** A user of a tenant or of none, or a tenant as a whole. */
export type SubjectOwner = Pick<SubjectRecord, 'user' | 'tenant'>;

export type AdminLoaders = ReturnType<typeof createAdminLoaders>;

/**
 * What one request looks up by key: all that one level of a query asks for is fetched with one statement. Made anew for
 * each request, so that nothing stale is answered.
 */
export function createAdminLoaders(store: RulesStore, usage: Pick<UsageReader, 'ownerUsage'>) {
  let tiers: Promise<TierRecord[]> | undefined;
  return {
    /** All tiers in use, read once. */
    tiersInUse(): Promise<TierRecord[]> {
      tiers ??= store.listTiers();
      return tiers;
    },
    tier: byKey<string, TierRecord>(
      (names) => store.tiersByName(names),
      ({ name }) => name,
    ),
    rule: byKey<string, RuleRecord>(
      (ids) => store.rulesById(ids),
      ({ id }) => id,
    ),
    subject: byKey<number, SubjectRecord>(
      (ids) => store.subjectsById(ids),
      ({ id }) => id,
    ),
    /** What is stored about exactly this user, or about a tenant. */
    subjectOf: new DataLoader<SubjectOwner, SubjectRecord | null, string>(
      async (owners) => {
        const rows = new Map((await store.subjectsOf(owners)).map((row) => [ownerKey(row), row]));
        return owners.map((owner) => rows.get(ownerKey(owner)) ?? null);
      },
      { cacheKeyFn: ownerKey },
    ),
    apiKey: byKey<number, ApiKeyRecord>(
      (ids) => store.apiKeysById(ids),
      ({ id }) => id,
    ),
    change: byKey<number, ChangeEntry>(
      (numbers) => store.changesByNumber(numbers),
      ({ number }) => number,
    ),
    usage: new DataLoader<OwnerUsageRequest, OwnerUsage[], string>(
      (requests) =>
        inGroups(
          requests,
          ({ range, level, limit }) => JSON.stringify([range, level, limit]),
          async (page, group) =>
            (await usage.ownerUsage(group, page)).map((row) => ({ row, request: group[row.owner]! })),
          ({ request }, asked) => request === asked,
        ).then((found) => found.map((rows) => rows.map(({ row }) => row))),
      { cacheKeyFn: (request) => JSON.stringify(request) },
    ),
    known: new DataLoader<Subject, KnownSubject, string>((subjects) => store.resolveSubjects(subjects), {
      cacheKeyFn: (subject) => JSON.stringify(subject),
    }),
    history: new DataLoader<HistoryRequest, ChangeEntry[], string>(
      (requests) =>
        inGroups(
          requests,
          ({ entity, before, limit }) => JSON.stringify([entity, before, limit]),
          ({ entity, before, limit }, group) =>
            store.historyOf(
              entity,
              group.map(({ key }) => key),
              { before, limit },
            ),
          (entry, { key }) => entry.key === key,
        ),
      { cacheKeyFn: (request) => JSON.stringify(request) },
    ),
    apiKeys: new DataLoader<ApiKeysRequest, ApiKeyRecord[], string>(
      (requests) =>
        inGroups(
          requests,
          ({ after, limit }) => JSON.stringify([after, limit]),
          (page, group) =>
            store.apiKeysOf(
              group.map(({ subjectId }) => subjectId),
              page,
            ),
          (apiKey, { subjectId }) => apiKey.subjectId === subjectId,
        ),
      { cacheKeyFn: (request) => JSON.stringify(request) },
    ),
  };
}

function ownerKey({ user, tenant }: SubjectOwner): string {
  return JSON.stringify([user, tenant]);
}

function byKey<Key extends string | number, Row>(
  fetch: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): DataLoader<Key, Row | null> {
  return new DataLoader<Key, Row | null>(async (keys) => {
    const rows = new Map((await fetch(keys)).map((row) => [keyOf(row), row]));
    return keys.map((key) => rows.get(key) ?? null);
  });
}

/** One fetch per group of requests that want the same page; usually there is one group. */
async function inGroups<Request, Row>(
  requests: readonly Request[],
  pageOf: (request: Request) => string,
  fetch: (page: Request, group: readonly Request[]) => Promise<readonly Row[]>,
  belongsTo: (row: Row, request: Request) => boolean,
): Promise<Row[][]> {
  const groups = new Map<string, Request[]>();
  for (const request of requests) {
    const group = groups.get(pageOf(request)) ?? [];
    groups.set(pageOf(request), [...group, request]);
  }
  const fetched = new Map<string, readonly Row[]>();
  await Promise.all(
    [...groups].map(async ([page, group]) => {
      fetched.set(page, await fetch(group[0]!, group));
    }),
  );
  return requests.map((request) => (fetched.get(pageOf(request)) ?? []).filter((row) => belongsTo(row, request)));
}
