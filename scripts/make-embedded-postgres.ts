// Makes packages/platform/embedded-postgres.br, an empty data folder of PGlite. A first start
// unpacks it instead of initializing a database.
//   npm run make:embedded-postgres
// Run it again when PGlite changes to another major version of PostgreSQL; a test fails until then.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { type FolderIndex, INDEX_LENGTH_BYTES } from '../src/postgres/unpack-ready-made.js';

const ARCHIVE = fileURLToPath(new URL('../packages/platform/embedded-postgres.br', import.meta.url));

const parent = mkdtempSync(join(tmpdir(), 'tollgate-make-'));
try {
  const folder = join(parent, 'data');
  const pglite = await PGlite.create(folder);
  // The vacuum and the checkpoint write all changes to the data files, so that opening needs no
  // recovery.
  await pglite.exec('vacuum freeze');
  await pglite.exec('checkpoint');
  await pglite.close();
  const packed = pack(folder);
  writeFileSync(ARCHIVE, packed);
  process.stdout.write(`${ARCHIVE}: ${packed.length} bytes\n`);
} finally {
  rmSync(parent, { recursive: true, force: true });
}

function pack(folder: string): Buffer {
  const index: FolderIndex = { folders: [], files: [] };
  const contents: Buffer[] = [];
  // Sorted by file name, because most files exist in each of the three databases. Equal files
  // compress well if they are adjacent.
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .sort((a, b) => compare(a.entry.name, b.entry.name) || compare(a.path, b.path));
  for (const { entry, path } of entries) {
    const name = relative(folder, path);
    if (entry.isDirectory()) index.folders.push(name);
    else if (entry.name !== 'postmaster.pid') {
      const content = withoutZerosAtTheEnd(readFileSync(path));
      index.files.push({ name, size: statSync(path).size, length: content.length });
      contents.push(content);
    }
  }
  const indexBytes = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(INDEX_LENGTH_BYTES);
  length.writeUInt32BE(indexBytes.length);
  const whole = Buffer.concat([length, indexBytes, ...contents]);
  return brotliCompressSync(whole, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
      [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
    },
  });
}

function withoutZerosAtTheEnd(content: Buffer): Buffer {
  let end = content.length;
  while (end > 0 && content[end - 1] === 0) end--;
  return content.subarray(0, end);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
