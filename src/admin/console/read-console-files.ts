import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { pathInPackage } from '../../runtime/packages/path-in-package.js';

/** Returns the path of a file of the console's build. */
const fileOfBuild = (name: string) => pathInPackage('tollgate', `dist/console/${name}`);

const API_PAGE = 'api.html';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface ConsoleFile {
  type: string;
  /** Whether the name contains a hash of the content, so that the file never changes. */
  isImmutable: boolean;
  /** Returns the bytes in the best encoding that this `accept-encoding` header allows. */
  encodedFor(acceptEncoding: string | undefined): Promise<{ encoding: string | undefined; bytes: Buffer }>;
}

interface ConsoleFiles {
  /** Returns the page. Undefined if the console was not built. */
  page(base: string, admin: string): ConsoleFile | undefined;
  /**
   * Returns a file by its path below the console, such as `assets/index-abc.js`. Undefined if
   * absent.
   */
  file(path: string): ConsoleFile | undefined;
}

/**
 * Returns the page of the sample API. It is served at the address of the API and loads its files
 * from below `/console`. Undefined if it was not built.
 */
export function readApiPage(): string | undefined {
  const file = fileOfBuild(API_PAGE);
  return file && readFileSync(file, 'utf8');
}

/**
 * Reads the files of the console into memory, once. Requests can only get these files, so no path
 * in a request can lead to another file.
 */
export function readConsoleFiles(): ConsoleFiles {
  const index = fileOfBuild('index.html');
  const files = new Map<string, ConsoleFile>();
  const pages = new Map<string, ConsoleFile>();
  let document: string | undefined;
  if (index) {
    const folder = dirname(index);
    for (const path of filesBelow(folder)) {
      const name = relative(folder, path).split(sep).join('/');
      const type = TYPES[extname(name)];
      if (name === 'index.html') document = readFileSync(path, 'utf8');
      else if (name !== API_PAGE && type) files.set(name, fileOf(readFileSync(path), type, name.startsWith('assets/')));
    }
  }
  return {
    page(base, admin) {
      if (document === undefined) return undefined;
      const key = `${base} ${admin}`;
      const known = pages.get(key);
      if (known) return known;
      const page = fileOf(Buffer.from(placedAt(document, base, admin)), TYPES['.html']!, false);
      // The server that mounts the console chooses the base path, so there are usually few pages.
      // The limit bounds the memory if the path varies by request.
      if (pages.size < 100) pages.set(key, page);
      return page;
    },
    file: (path) => files.get(path),
  };
}

/**
 * Returns the document with the base paths of its files and of the admin API that its scripts
 * call.
 */
function placedAt(document: string, base: string, admin: string): string {
  return document
    .replace(/<base href="[^"]*"/, `<base href="${escaped(base)}/"`)
    .replace(/(<meta name="tollgate-admin" content=)"[^"]*"/, `$1"${escaped(admin)}"`);
}

const escaped = (path: string) => path.replace(/[^\w./~-]/g, (one) => encodeURIComponent(one));

function fileOf(bytes: Buffer, type: string, isImmutable: boolean): ConsoleFile {
  const encoded = new Map<string, Promise<Buffer>>();
  const once = (encoding: string, encode: (bytes: Buffer) => Promise<Buffer>) => {
    const known = encoded.get(encoding) ?? encode(bytes);
    encoded.set(encoding, known);
    return known;
  };
  return {
    type,
    isImmutable,
    async encodedFor(accepted = '') {
      if (/\bbr\b/.test(accepted)) return { encoding: 'br', bytes: await once('br', promisify(brotliCompress)) };
      if (/\bgzip\b/.test(accepted)) return { encoding: 'gzip', bytes: await once('gzip', promisify(gzip)) };
      return { encoding: undefined, bytes };
    },
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}
