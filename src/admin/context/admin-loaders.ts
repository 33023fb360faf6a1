import DataLoader from 'dataloader';
import type { Subject } from '../../model/subject.js';
import { fieldTextOf, patternsIn, patternsNaming } from '../../rules/policy/field-pattern.js';
import type { ApiKeyRecord } from '../../rules/store/api-key-record.js';
import type { AdminTokenRecord } from '../../rules/store/create-admin-token-store.js';
import type { ChangedEntity, ChangeEntry, OwnedChange } from '../../rules/store/create-change-log.js';
import type { ConsoleSessionRecord } from '../../rules/store/create-console-session-store.js';
import type { KnownSubject } from '../../rules/store/create-subject-store.js';
import type { RuleRecord } from '../../rules/store/rule-record.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import type { SubjectRecord } from '../../rules/store/subject-record.js';
import type { TierRecord } from '../../rules/store/tier-record.js';
import type { OperationSpread } from '../../usage/query/operation-spread.js';
import type { Denial, DenialCursor, Violation, ViolationCursor } from '../../usage/query/read-denials.js';
import type { DeniedGroup, DeniedOperation } from '../../usage/query/read-denied-operations.js';
import type { OperationDocument } from '../../usage/query/read-operation-documents.js';
import type { OwnerUsage, UsageOwner } from '../../usage/query/read-owner-usage.js';
import type { UsageOperation } from '../../usage/query/read-usage.js';
import type { DenialCounts, RuleUsage } from '../../usage/query/rule-usage.js';
import type { RangePart, TimeRange } from '../../usage/query/time-range.js';
import type { UsageReader } from '../../usage/query/usage-reader.js';
import type { UsageLevel } from '../../usage/record/usage-levels.js';
import { badQuery } from '../schema/to-client-error.js';
import { isKeyOfCode, type RulesInCode } from '../types/rules-in-code.js';
import type { TiersInCode } from '../types/tiers-in-code.js';
import { createRuleWarningsLoader } from './create-rule-warnings-loader.js';

/** A page of the history of one object. */
interface HistoryRequest {
  entity: ChangedEntity;
  key: string;
  before: number;
  limit: number;
}

/** A page of the API keys of one subject. */
interface ApiKeysRequest {
  subjectId: number;
  after: number;
  limit: number;
}

/** A page of the usage of one user or tenant. */
interface OwnerUsageRequest extends UsageOwner {
  range: TimeRange;
  level: UsageLevel;
  limit: number;
}

interface OperationSpreadRequest {
  operation: UsageOperation;
  range: TimeRange;
}

/** The stored denials of one caller by one rule. */
interface DeniedOperationsRequest extends DeniedGroup {
  range: TimeRange;
}

/** Maximum number of rules per pattern that names a field. */
const MOST_RULES = 10;
/**
 * Maximum number of different time ranges in one request. Each range needs its own scan of the
 * decision log. A large number of ranges would be expensive for the database.
 */
const MOST_SPREAD_RANGES = 2;

interface RuleViolationPage {
  parts: readonly RangePart[];
  after: Pick<ViolationCursor, 'count' | 'subjectId'> | undefined;
  limit: number;
}

/** Usage queries that are loaded by key. */
export type KeyedUsage = Pick<
  UsageReader,
  | 'deniedDocuments'
  | 'deniedOperations'
  | 'ownerUsage'
  | 'ruleUsage'
  | 'ruleDenials'
  | 'ruleDenialCounts'
  | 'ruleViolations'
  | 'operationSpread'
  | 'operationDocuments'
>;

/** A user of a tenant, a user without a tenant, or a tenant itself. */
type SubjectOwner = Pick<SubjectRecord, 'user' | 'tenant'>;

export type AdminLoaders = ReturnType<typeof createAdminLoaders>;

/**
 * Creates the loaders of one request. Each loader fetches all keys that one nesting level of a
 * query needs, with one statement. A request needs its own loaders, because a loader caches the
 * data that it has read.
 */
export function createAdminLoaders(
  store: RulesStore,
  usage: KeyedUsage,
  inCode?: RulesInCode,
  readTiersInCode: () => Promise<readonly TiersInCode[]> = async () => [],
) {
  let tiers: Promise<TierRecord[]> | undefined;
  let tiersInCode: Promise<readonly TiersInCode[]> | undefined;
  return {
    ...rowLoaders(store, inCode),
    ruleWarnings: createRuleWarningsLoader(store, inCode),
    ...pageLoaders(store),
    ...usageLoaders(usage),
    /** Returns all tiers in use. They are read once per request. */
    tiersInUse(): Promise<TierRecord[]> {
      tiers ??= store.listTiers();
      return tiers;
    },
    /** Returns the tiers that servers declare in code. They are read once per request. */
    tiersInCode(): Promise<readonly TiersInCode[]> {
      tiersInCode ??= readTiersInCode();
      return tiersInCode;
    },
  };
}

/** Creates the loaders of stored objects by key. */
function rowLoaders(store: RulesStore, inCode: RulesInCode | undefined) {
  return {
    tier: byKey<string, TierRecord>(
      (names) => store.tiersByName(names),
      ({ name }) => name,
    ),
    ruleByName: byKey<string, RuleRecord>(
      async (names) => [...((await inCode?.byName(names)) ?? []), ...(await store.rulesByName(names))],
      ({ name }) => name,
    ),
    /** Rules in use that name a field by its coordinate, its type or its name. */
    rulesOfField: new DataLoader<string, RuleRecord[]>(async (coordinates) => {
      const patterns = new Set(coordinates.flatMap(patternsNaming));
      const inForce = (await inCode?.list({})) ?? [];
      const rules = [...(await store.rulesOfFields([...patterns], MOST_RULES)), ...inForce.map(({ rule }) => rule)];
      return coordinates.map((coordinate) => {
        const naming = patternsNaming(coordinate);
        return rules.filter((rule) => patternsIn(fieldTextOf(rule)).some((pattern) => naming.includes(pattern)));
      });
    }),
    apiKeyByPrefix: byKey<string, ApiKeyRecord>(
      (prefixes) => store.apiKeysByPrefix(prefixes),
      ({ prefix }) => prefix,
    ),
    adminToken: byKey<number, AdminTokenRecord>(
      (ids) => store.adminTokensById(ids),
      ({ id }) => id,
    ),
    consoleSession: byKey<number, ConsoleSessionRecord>(
      (ids) => store.consoleSessionsById(ids),
      ({ id }) => id,
    ),
    rule: byKey<string, RuleRecord>(
      async (ids) => [...((await inCode?.byKey(ids.filter(isKeyOfCode))) ?? []), ...(await store.rulesById(ids))],
      ({ id }) => id,
    ),
    subject: byKey<number, SubjectRecord>(
      (ids) => store.subjectsById(ids),
      ({ id }) => id,
    ),
    /** Stored subject for exactly this user, or for this tenant. */
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
    known: new DataLoader<Subject, KnownSubject, string>((subjects) => store.resolveSubjects(subjects), {
      cacheKeyFn: (subject) => JSON.stringify(subject),
    }),
  };
}

/** Creates the loaders of pages of objects that belong to a stored object. */
function pageLoaders(store: RulesStore) {
  return {
    history: new DataLoader<HistoryRequest, OwnedChange[], string>(
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
          ({ owner }, { key }) => owner === key,
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

/** Creates the loaders of recorded usage and denials. */
function usageLoaders(usage: KeyedUsage) {
  return {
    operationSpread: new DataLoader<OperationSpreadRequest, OperationSpread | null, string>(
      async (requests) => {
        const rangeOf = ({ range }: OperationSpreadRequest) => JSON.stringify(range);
        if (new Set(requests.map(rangeOf)).size > MOST_SPREAD_RANGES) {
          throw badQuery(`spread: expected at most ${MOST_SPREAD_RANGES} different ranges in one request`);
        }
        return inGroups(
          requests,
          rangeOf,
          async ({ range }, group) => {
            const operations = group.map(({ operation }) => operation);
            const found = await usage.operationSpread(operations, range);
            return found.map(({ place, spread }) => ({ request: group[place]!, spread }));
          },
          ({ request }, asked) => request === asked,
        ).then((found) => found.map(([one]) => one?.spread ?? null));
      },
      { cacheKeyFn: (request) => JSON.stringify(request) },
    ),
    operationDocuments: new DataLoader<UsageOperation, OperationDocument[], string>(
      async (operations) => {
        const found: OperationDocument[][] = operations.map(() => []);
        for (const { place, ...document } of await usage.operationDocuments(operations)) found[place]!.push(document);
        return found;
      },
      { cacheKeyFn: (operation) => JSON.stringify(operation) },
    ),
    deniedDocument: byKey<string, { hash: string; text: string }>(
      (hashes) => usage.deniedDocuments(hashes),
      ({ hash }) => hash,
    ),
    deniedOperations: new DataLoader<DeniedOperationsRequest, DeniedOperation[], string>(
      (requests) =>
        inGroups(
          requests,
          ({ range }) => JSON.stringify(range),
          async ({ range }, group) =>
            (await usage.deniedOperations(group, range)).map((row) => ({ row, request: group[row.place]! })),
          ({ request }, asked) => request === asked,
        ).then((found) => found.map((rows) => rows.map(({ row }) => row))),
      { cacheKeyFn: (request) => JSON.stringify(request) },
    ),
    ruleUsage: ofRules<{ range: TimeRange; level: UsageLevel; limit: number }, RuleUsage>(async (names, page) =>
      (await usage.ruleUsage(names, page)).map((row) => [row.rule, row]),
    ),
    ruleDenials: ofRules<{ range: TimeRange; after: DenialCursor | undefined; limit: number }, Denial>(
      async (names, page) => (await usage.ruleDenials(names, page)).map((row) => [row.place, row]),
    ),
    ruleViolations: ofRules<RuleViolationPage, Violation>(async (names, page) =>
      (await usage.ruleViolations(names, page)).map((row) => [names.indexOf(row.rule), row]),
    ),
    /** List with one element; empty if the rule denied no operation, not even in shadow mode. */
    ruleDenialCounts: ofRules<{ parts: readonly RangePart[] }, DenialCounts>(async (names, { parts }) =>
      (await usage.ruleDenialCounts(names, parts)).map((row) => [row.rule, row]),
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
  };
}

/**
 * Creates a loader that reads one kind of data for several rules by name. Requests for the same
 * page share one statement.
 */
function ofRules<Page extends object, Row>(
  read: (names: readonly string[], page: Page) => Promise<(readonly [place: number, row: Row])[]>,
): DataLoader<Page & { name: string }, Row[], string> {
  return new DataLoader<Page & { name: string }, Row[], string>(
    async (requests) => {
      const pageOf = ({ name: _name, ...page }: Page & { name: string }) => JSON.stringify(page);
      const groups = new Map<string, (Page & { name: string })[]>();
      for (const request of requests) {
        groups.set(pageOf(request), [...(groups.get(pageOf(request)) ?? []), request]);
      }
      const found = new Map<Page & { name: string }, Row[]>();
      await Promise.all(
        [...groups.values()].map(async (group) => {
          const rows = await read(
            group.map(({ name }) => name),
            group[0]!,
          );
          for (const [place, row] of rows) {
            const request = group[place]!;
            found.set(request, [...(found.get(request) ?? []), row]);
          }
        }),
      );
      return requests.map((request) => found.get(request) ?? []);
    },
    { cacheKeyFn: (request) => JSON.stringify(request) },
  );
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

/** Fetches once per group of requests for the same page. Usually there is one group. */
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
