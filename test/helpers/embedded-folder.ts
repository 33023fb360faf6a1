import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createPgliteDb } from '../../src/postgres/create-pglite-db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { prepareUsage } from '../../src/usage/record/start-usage.js';

/**
 * State of the database. `migrated`: with all tables, and the partitions of today and tomorrow, as
 * after a start.
 */
export type DatabaseState = 'empty' | 'migrated';

/**
 * Copies a database of PGlite into a folder that does not exist yet. Creating a database takes
 * seconds of processor time, but copying it takes a fraction of a second. Therefore the first call
 * of a test run creates the database, and all calls copy it.
 */
export async function copyEmbeddedDatabase(folder: string, state: DatabaseState = 'migrated'): Promise<void> {
  const made = join(inject('scratchFolder'), `pglite-${state}`);
  if (!existsSync(made)) {
    const making = mkdtempSync(join(inject('scratchFolder'), 'making-'));
    const db = await createPgliteDb({ folder: join(making, 'pglite') });
    if (state === 'migrated') {
      await migrate(db);
      await prepareUsage(db);
    }
    await db.close();
    try {
      renameSync(join(making, 'pglite'), made);
    } catch (error) {
      // Another worker has created the database in the meantime.
      if (!existsSync(made)) throw error;
    }
    rmSync(making, { recursive: true });
  }
  cpSync(made, folder, { recursive: true });
}
