import type { Queryable } from '../postgres/db.js';
import type { ChangePage } from '../rules/store/create-change-log.js';
import { type FindBrokenOptions, findBrokenDocuments } from './find-broken-documents.js';

/** A version of an app, with the number of its documents. */
export interface VersionRecord {
  /** Number of the version in the store. */
  number: number;
  app: string;
  version: string;
  state: 'DRAFT' | 'PUBLISHED' | 'RETIRED';
  documents: number;
  /** Size of the texts, in bytes. */
  bytes: number;
  pushedAt: Date;
  pushedBy: string;
  publishedAt: Date | null;
  retiredAt: Date | null;
  /** Number of uses in the last 30 days. */
  uses: number;
  lastUsedAt: Date | null;
}

/** A registered document of a version. */
export interface DocumentRecord {
  number: number;
  id: string;
  hash: string;
  text: string;
  operationName: string | null;
  operationType: 'QUERY' | 'MUTATION' | 'SUBSCRIPTION';
  /** Number of uses in the last 30 days, with this version. */
  uses: number;
  lastUsedAt: Date | null;
}

const VERSION = `v.id as number, v.app, v.version, v.state, coalesce(d.documents, 0)::int as documents,
  coalesce(d.bytes, 0)::bigint as bytes, v.pushed_at as "pushedAt", v.pushed_by as "pushedBy",
  v.published_at as "publishedAt", v.retired_at as "retiredAt", coalesce(u.uses, 0)::bigint as uses,
  u.last_used_at as "lastUsedAt"
  from document_versions v
  left join lateral (
    select count(*) as documents, sum(octet_length(t.body)) as bytes from version_documents l
    join registered_documents r on r.number = l.document join document_texts t on t.hash = r.hash
    where l.version_id = v.id
  ) d on true
  left join lateral (
    select sum(uses) filter (where day > now() - interval '30 days') as uses, max(last_used_at) as last_used_at
    from document_uses where version_id = v.id
  ) u on true`;

export async function readVersion(on: Queryable, app: string, version: string): Promise<VersionRecord | undefined> {
  const [row] = await on.query<VersionRecord>(`select ${VERSION} where v.app = $1 and v.version = $2`, [app, version]);
  return row;
}

/** Returns the version with this number in the store. */
async function readVersionByNumber(on: Queryable, number: number): Promise<VersionRecord | undefined> {
  const [row] = await on.query<VersionRecord>(`select ${VERSION} where v.id = $1`, [number]);
  return row;
}

/** Conditions for the versions in a list. */
export interface VersionFilter {
  app?: string | undefined;
  state?: VersionRecord['state'] | undefined;
  /** Part of the app or the version, in any case. */
  nameContains?: string | undefined;
  /** Only versions without a use since this time. */
  unusedSince?: Date | undefined;
}

const FILTERED = `where v.id < $1 and ($2::text is null or v.app = $2) and ($3::text is null or v.state = $3)
  and ($4::text is null or position(lower($4) in lower(v.app || ' ' || v.version)) > 0)
  and ($5::timestamptz is null or not exists (
    select from document_uses where version_id = v.id and last_used_at >= $5
  ))
  order by v.id desc limit $6`;

function filterValues({ app, state, nameContains, unusedSince }: VersionFilter, { before, limit }: ChangePage) {
  return [before, app ?? null, state ?? null, nameContains ?? null, unusedSince ?? null, limit];
}

/** Returns a page of the versions with numbers below `before`, the newest first. */
export function readVersionPage(on: Queryable, filter: VersionFilter, page: ChangePage): Promise<VersionRecord[]> {
  return on.query<VersionRecord>(`select ${VERSION} ${FILTERED}`, filterValues(filter, page));
}

/** Counts the versions of a list, up to `most`. */
async function countVersions(on: Queryable, filter: VersionFilter, most: number): Promise<number> {
  const page = { before: Number.MAX_SAFE_INTEGER, limit: most };
  const [row] = await on.query<{ count: number }>(
    `select count(*)::int as count from (select from document_versions v ${FILTERED}) as counted`,
    filterValues(filter, page),
  );
  return row!.count;
}

const DOCUMENT = `r.number, r.document_id as id, r.hash, t.body as text, r.operation_name as "operationName",
  r.operation_type as "operationType", coalesce(u.uses, 0)::bigint as uses, u.last_used_at as "lastUsedAt"
  from version_documents l
  join registered_documents r on r.number = l.document
  join document_texts t on t.hash = r.hash
  left join lateral (
    select sum(uses) filter (where day > now() - interval '30 days') as uses, max(last_used_at) as last_used_at
    from document_uses where version_id = l.version_id and document = r.number
  ) u on true`;

/** Conditions for the documents in a list. */
export interface DocumentFilter {
  /** Only documents without a use since this time. */
  unusedSince?: Date | undefined;
  /** Part of the name of the operation or of the id, in any case. */
  nameContains?: string | undefined;
}

/** Returns a page of the documents of a version: those with numbers above `after`. */
export function readDocumentPage(
  on: Queryable,
  versionNumber: number,
  { after, limit, unusedSince, nameContains }: DocumentFilter & { after: number; limit: number },
): Promise<DocumentRecord[]> {
  return on.query<DocumentRecord>(
    `select ${DOCUMENT}
     where l.version_id = $1 and r.number > $2
       and ($4::timestamptz is null or u.last_used_at is null or u.last_used_at < $4)
       and ($5::text is null
         or position(lower($5) in lower(coalesce(r.operation_name, '') || ' ' || r.document_id)) > 0)
     order by r.number limit $3`,
    [versionNumber, after, limit, unusedSince ?? null, nameContains ?? null],
  );
}

/** Yields all documents of a version, which may be many. */
async function* readAllDocuments(on: Queryable, versionNumber: number): AsyncGenerator<DocumentRecord> {
  for (let after = 0; ; ) {
    const page = await readDocumentPage(on, versionNumber, { after, limit: DOCUMENTS_PER_PAGE });
    yield* page;
    if (page.length < DOCUMENTS_PER_PAGE) return;
    after = page.at(-1)!.number;
  }
}

const DOCUMENTS_PER_PAGE = 1000;

/** A caller that used a version. */
export interface VersionCaller {
  caller: string;
  uses: number;
  lastUsedAt: Date;
}

/** Returns the callers that used a version in the last days, the most frequent first. */
export function readCallersOf(on: Queryable, versionNumber: number, days: number): Promise<VersionCaller[]> {
  return on.query<VersionCaller>(
    `select caller, uses, last_used_at as "lastUsedAt" from document_callers
     where version_id = $1 and last_used_at > now() - make_interval(days => $2::int)
     order by uses desc, caller limit 100`,
    [versionNumber, days],
  );
}

/** Creates the functions that read versions and their documents. */
export function createVersionReader(on: Queryable) {
  return {
    version: async (app: string, version: string) => (await readVersion(on, app, version)) ?? null,
    versionByNumber: async (number: number) => (await readVersionByNumber(on, number)) ?? null,
    versions: (filter: VersionFilter, page: ChangePage) => readVersionPage(on, filter, page),
    countVersions: (filter: VersionFilter, most: number) => countVersions(on, filter, most),
    documents: (versionNumber: number, page: Parameters<typeof readDocumentPage>[2]) =>
      readDocumentPage(on, versionNumber, page),
    callersOf: (versionNumber: number, days: number) => readCallersOf(on, versionNumber, days),
    /** Finds the published documents that are invalid on a schema. */
    broken: (options: Omit<FindBrokenOptions, 'db'>) => findBrokenDocuments({ db: on, ...options }),
    /**
     * Yields the documents of the published version of an app that was published last; none without
     * one. It may have been pushed before others.
     */
    async *lastPublished(app: string): AsyncGenerator<DocumentRecord> {
      const [last] = await on.query<{ number: number }>(
        `select id as number from document_versions where app = $1 and state = 'PUBLISHED'
         order by published_at desc, id desc limit 1`,
        [app],
      );
      if (last) yield* readAllDocuments(on, last.number);
    },
  };
}
