import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** The scripts of `lua/`, their includes filled in. */
export const SCRIPTS = { charge: load('charge'), settle: load('settle'), peek: load('peek') };

function load(name: string): Script {
  const text = read(`${name}.lua`).replace(/^-- include (\S+)$/gm, (_, file: string) => read(file));
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

function read(file: string): string {
  return readFileSync(new URL(`../../lua/${file}`, import.meta.url), 'utf8');
}
