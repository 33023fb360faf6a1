import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface MigrationFile {
  /** Counts from 1 without gaps. */
  number: number;
  /** The file's name without its ending: `0001_tiers_subjects_keys`. */
  name: string;
  sql: string;
  /** SHA-256 of the text in hexadecimal, whichever line ends the checkout uses. */
  checksum: string;
}

const OWN_FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url));

/** Reads a folder's `.sql` files in order. Throws when their numbers leave no single order. */
export function readMigrationFiles(folder: string = OWN_FOLDER): MigrationFile[] {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return names.map((file, index) => {
    const number = index + 1;
    if (!new RegExp(`^${String(number).padStart(4, '0')}_[a-z0-9_]+\\.sql$`).test(file)) {
      throw new Error(`${join(folder, file)}: expected migration ${number} here, named like 0001_lower_case.sql`);
    }
    const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
    const checksum = createHash('sha256').update(sql).digest('hex');
    return { number, name: file.slice(0, -'.sql'.length), sql, checksum };
  });
}
