import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LUA_NAMES } from './layout.js';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

const COMMENT_OR_NAME = /--[^\n]*|\b[A-Z][A-Z_]+(?:\.[A-Z][A-Z_0-9]*)?\b/g;

/** The scripts of `lua/`, with their includes, and with the names of `layout.ts` replaced by what they stand for. */
export const SCRIPTS = {
  charge: load('charge'),
  settle: load('settle'),
  peek: load('peek'),
  heartbeat: load('heartbeat'),
};

function load(name: string): Script {
  const text = expand(readLua(`${name}.lua`));
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** The text with its includes, and theirs, where each is named, and without the names of `layout.ts`. */
export function expand(text: string): string {
  return nameless(withIncludes(text));
}

function withIncludes(text: string): string {
  return text.replace(/^-- include (\S+)$/gm, (_, name: string) => withIncludes(readLua(`includes/${name}.lua`)));
}

function readLua(file: string): string {
  return readFileSync(new URL(`../../../lua/${file}`, import.meta.url), 'utf8');
}

/** Replaces names as a compiler would, so that they cost nothing when a script runs. */
function nameless(text: string): string {
  const literal = text.replace(COMMENT_OR_NAME, (found) => {
    if (found.startsWith('--')) return found;
    const value = LUA_NAMES.get(found);
    if (value === undefined && found.includes('.')) throw new Error(`lua: ${found} is not in layout.ts`);
    return value ?? found;
  });
  // Lua adds a zero every time; the field that stands first is asked for most.
  return literal.replace(/ \+ 0(?=\])/g, '');
}
