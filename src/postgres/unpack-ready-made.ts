import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, constants } from 'node:zlib';
import { pathInPackage } from '../runtime/packages/path-in-package.js';

/** How an empty data folder of PostgreSQL is packed: an index, then what is in its files, one after the other. */
export interface FolderIndex {
  folders: string[];
  /** The name and the size of each; what `length` leaves out at the end is zeros. */
  files: { name: string; size: number; length: number }[];
}

/** In front of the index: how many bytes it has. */
export const INDEX_LENGTH_BYTES = 4;
const ARCHIVE = 'embedded-postgres.br';

/**
 * Puts an empty PostgreSQL into a folder that is not there yet. To make one takes some three seconds of processor time, to
 * unpack one a fifth of one. False: there is none to unpack, as `tollgate-platform` brings it.
 */
export function unpackReadyMade(folder: string, archive: string | undefined = findArchive()): boolean {
  if (archive === undefined) return false;
  const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 };
  const bytes = brotliDecompressSync(readFileSync(archive), { params });
  const indexLength = bytes.readUInt32BE(0);
  let at = INDEX_LENGTH_BYTES + indexLength;
  const index = JSON.parse(bytes.toString('utf8', INDEX_LENGTH_BYTES, at)) as FolderIndex;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of index.folders) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  for (const { name, size, length } of index.files) {
    const file = openSync(join(folder, name), 'wx', 0o600);
    try {
      writeSync(file, bytes, at, length);
      ftruncateSync(file, size);
    } finally {
      closeSync(file);
    }
    at += length;
  }
  return true;
}

/** In a checkout, and where `tollgate-platform` is installed beside this package. */
function findArchive(): string | undefined {
  return pathInPackage('tollgate', `packages/platform/${ARCHIVE}`) ?? pathInPackage('tollgate-platform', ARCHIVE);
}
