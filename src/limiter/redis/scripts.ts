import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** The scripts of `lua/`, their includes filled in. */
export const SCRIPTS = {
  charge: load('charge'),
  settle: load('settle'),
  peek: load('peek'),
  heartbeat: load('heartbeat'),
};

function load(name: string): Script {
  const text = read(`${name}.lua`);
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

function read(file: string): string {
  const text = readFileSync(new URL(`../../../lua/${file}`, import.meta.url), 'utf8');
  return text.replace(/^-- include (\S+)$/gm, (_, included: string) => read(included));
}
