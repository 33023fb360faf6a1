import type { Queryable } from '../../src/postgres/db.js';

export interface TableSize {
  table: string;
  rows: number;
  /** Bytes of a row, indexes included. */
  bytesPerRow: number;
}

/**
 * Returns the mean size of a row of each table of usage. Run `vacuum analyze` before, because
 * PostgreSQL estimates the numbers of rows from the statistics that this command gathers.
 */
export async function measureRows(db: Queryable): Promise<TableSize[]> {
  return db.query<TableSize & Record<string, unknown>>(
    `select parent.relname as table, sum(part.reltuples)::float8 as rows,
       (sum(pg_total_relation_size(part.oid)) / sum(part.reltuples))::float8 as "bytesPerRow"
     from pg_inherits i
     join pg_class part on part.oid = i.inhrelid
     join pg_class parent on parent.oid = i.inhparent
     where part.relkind = 'r' and part.reltuples > 0 and (parent.relname like 'usage%' or parent.relname = 'events')
     group by 1 order by 1`,
  );
}
