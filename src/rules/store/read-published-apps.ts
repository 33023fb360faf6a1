import type { Queryable } from '../../postgres/db.js';

/** Returns the names of the apps with published documents. */
export async function readPublishedApps(on: Queryable): Promise<Set<string>> {
  const rows = await on.query<{ app: string }>(`select distinct app from document_versions where state = 'PUBLISHED'`);
  return new Set(rows.map(({ app }) => app));
}
