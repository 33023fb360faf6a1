import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { pathInPackage } from '../../runtime/packages/path-in-package.js';

/** Where the build puts them. */
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
  /** Its name has the hash of what is in it: it never changes. */
  isImmutable: boolean;
  /** The bytes as a browser takes them that sends this `accept-encoding`. */
  encodedFor(acceptEncoding: string | undefined): Promise<{ encoding: string | undefined; bytes: Buffer }>;
}

interface ConsoleFiles {
  /** Undefined where the console was not built. */
  page(base: string, admin: string): ConsoleFile | undefined;
  /** By its path below the console, such as `assets/index-abc.js`; undefined where there is none. */
  file(path: string): ConsoleFile | undefined;
}

/** The page of the sample API, which stands at the address of the API and has its files below `/console`; undefined where it was not built. */
export function readApiPage(): string | undefined {
  const file = fileOfBuild(API_PAGE);
  return file && readFileSync(file, 'utf8');
}

/** The files of the console, read once and kept: what is not among them cannot be asked for, whatever a path says. */
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
      // A path that a host mounts things below; no more of them than it has.
      if (pages.size < 100) pages.set(key, page);
      return page;
    },
    file: (path) => files.get(path),
  };
}

/** The document with the places that its scripts ask, and that its files are at. */
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
