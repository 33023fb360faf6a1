import type { Queryable } from '../../postgres/db.js';
import { FEATURES } from '../policy/features.js';
import type { UserError } from './outcome.js';

const TABLES = { rule: { table: 'rules', key: 'id::text' }, tier: { table: 'tiers', key: 'name' } } as const;

/**
 * Returns the error if a stored rule or tier uses features that this version does not know. A change
 * by this version would remove them.
 */
export async function findUnknownFeatures(
  on: Queryable,
  kind: keyof typeof TABLES,
  keys: readonly string[],
): Promise<UserError | undefined> {
  const { table, key } = TABLES[kind];
  const [row] = await on.query<{ name: string; unknown: string[] }>(
    `select name, array(select unnest(needs) except select unnest($2::text[])) as unknown
     from ${table} where ${key} = any($1::text[]) and not needs <@ $2::text[] limit 1`,
    [keys, FEATURES],
  );
  if (!row) return undefined;
  const message = `the ${kind} ${row.name} uses ${row.unknown.join(', ')}, which this version of Tollgate does not know: change it with a newer version`;
  return { code: 'INVALID', field: [], message };
}
