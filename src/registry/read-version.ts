import type { Queryable } from '../postgres/db.js';

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
interface DocumentRecord {
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

/** Conditions for the versions in a list. */
interface VersionFilter {
  app?: string | undefined;
  state?: VersionRecord['state'] | undefined;
}

/** Returns a page of versions, those pushed last first: versions with numbers below `before`. */
export function readVersionPage(
  on: Queryable,
  { app, state }: VersionFilter,
  { before, limit }: { before: number; limit: number },
): Promise<VersionRecord[]> {
  return on.query<VersionRecord>(
    `select ${VERSION}
     where v.id < $1 and ($2::text is null or v.app = $2) and ($3::text is null or v.state = $3)
     order by v.id desc limit $4`,
    [before, app ?? null, state ?? null, limit],
  );
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

/** Returns a page of the documents of a version, by their numbers in the store, after `after`. */
export function readDocumentPage(
  on: Queryable,
  versionNumber: number,
  { after, limit, unusedSince }: { after: number; limit: number; unusedSince?: Date | undefined },
): Promise<DocumentRecord[]> {
  return on.query<DocumentRecord>(
    `select ${DOCUMENT}
     where l.version_id = $1 and r.number > $2
       and ($4::timestamptz is null or u.last_used_at is null or u.last_used_at < $4)
     order by r.number limit $3`,
    [versionNumber, after, limit, unusedSince ?? null],
  );
}

/** A caller that used a version. */
interface VersionCaller {
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
