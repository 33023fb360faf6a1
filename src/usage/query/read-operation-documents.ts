import type { Queryable } from '../../postgres/db.js';
import type { UsageOperation } from './read-usage.js';

/** A published document whose operation has the type and name of recorded operations. */
export interface OperationDocument {
  app: string;
  /** The published version with the document that was published last. */
  version: string;
  documentId: string;
}

/** Maximum number of documents per operation. */
const MAX_DOCUMENTS = 5;

/**
 * Returns the published documents of operations, those published last first. Each has the position of
 * its operation in the list. Usage is recorded by type and name, so other texts with this name count
 * for the operation too.
 */
export function readOperationDocuments(
  db: Queryable,
  operations: readonly UsageOperation[],
): Promise<(OperationDocument & { place: number })[]> {
  return db.query(
    `select place::int - 1 as place, app, version, "documentId" from (
       select asked.place, d.app, newest.version, d.document_id as "documentId",
         row_number() over (partition by asked.place order by newest.published_at desc, d.number desc) as position
       from unnest($1::text[], $2::text[]) with ordinality as asked (type, name, place)
       join registered_documents d on d.operation_name = asked.name and d.operation_type = asked.type
       join lateral (
         select v.version, v.published_at from version_documents l join document_versions v on v.id = l.version_id
         where l.document = d.number and v.state = 'PUBLISHED' order by v.published_at desc, v.id desc limit 1
       ) newest on true
     ) as documents where position <= ${MAX_DOCUMENTS} order by place, position`,
    [operations.map(({ type }) => type), operations.map(({ name }) => name)],
  );
}

/** Returns the SQL condition that a published document has the operation with this id. */
export function hasDocument(operationId: string): string {
  return `exists (
    select from usage_operations named
    join registered_documents d on d.operation_name = named.name and d.operation_type = named.type
    join version_documents l on l.document = d.number
    join document_versions v on v.id = l.version_id and v.state = 'PUBLISHED'
    where named.id = ${operationId})`;
}
