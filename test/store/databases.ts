import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { createPgDb } from '../../src/store/pg-db.js';
import { createPgliteDb } from '../../src/store/pglite-db.js';
import { uniqueName } from '../helpers/servers.js';

/** An empty database of the caller's own. */
export interface TestDatabase {
  db: Db;
  /** Closes `db` and removes everything. */
  dispose(): Promise<void>;
}

/** Both implementations of `Db`, for `describe.each`: what holds on one must hold on the other. */
export const DATABASES = [
  { database: 'PostgreSQL', openDatabase: openServerDatabase },
  { database: 'PGlite', openDatabase: openEmbeddedDatabase },
] as const;

export async function openServerDatabase(): Promise<TestDatabase & { url: string }> {
  const name = uniqueName('tollgate_test');
  const admin = await createPgDb({ url: inject('databaseUrl'), maxConnections: 1 });
  await admin.query(`create database ${name}`);
  const address = new URL(inject('databaseUrl'));
  address.pathname = `/${name}`;
  const db = await createPgDb({ url: address.href });
  return {
    db,
    url: address.href,
    async dispose() {
      await db.close();
      await admin.query(`drop database ${name} with (force)`);
      await admin.close();
    },
  };
}

export async function openEmbeddedDatabase(): Promise<TestDatabase & { folder: string }> {
  const parent = mkdtempSync(join(tmpdir(), 'tollgate-pglite-'));
  const folder = join(parent, 'database');
  const db = await createPgliteDb({ folder });
  return {
    db,
    folder,
    async dispose() {
      await db.close();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** As if the database had just been created. */
export async function emptyDatabase(db: Db): Promise<void> {
  await db.query('drop schema public cascade');
  await db.query('create schema public');
}
