import { createHash } from 'node:crypto';
import { LUA_NAMES } from './layout.js';
import { LUA_FILES } from './lua-files.js';

export interface Script {
  readonly text: string;
  readonly sha: string;
  /**
   * Its keys may be of several slots of one node of a Redis Cluster. The first is declared; the others are arguments,
   * because Redis takes declared keys of one slot only.
   */
  readonly acrossSlots: boolean;
}

const HEAD = /^#!lua(?: flags=(\S+))?$/m;
const REPLICATES_EFFECTS = 'if redis.replicate_commands then redis.replicate_commands() end';
const COMMENT_OR_NAME = /--[^\n]*|\b[A-Z][A-Z_]+(?:\.[A-Z][A-Z_0-9]*)?\b/g;

/** The scripts of `lua/`, with their includes, and with the names of `layout.ts` replaced by what they stand for. */
export const SCRIPTS = {
  charge: load('charge'),
  settle: load('settle'),
  peek: load('peek'),
  heartbeat: load('heartbeat'),
};

/** The same for keys of several slots of one node. */
export const ACROSS_SLOTS: ReadonlyMap<Script, Script> = new Map([
  [SCRIPTS.charge, load('charge', true)],
  [SCRIPTS.settle, load('settle', true)],
  [SCRIPTS.peek, load('peek', true)],
]);

/**
 * The same for servers that do not know the first line, as those before Redis 7. They replicate what a script does and not the
 * script, which asks for the time, where it says so; one that knows no slots of several keys from flags allows them.
 */
export const WITHOUT_FLAGS: ReadonlyMap<Script, Script> = new Map(
  [...Object.values(SCRIPTS), ...ACROSS_SLOTS.values()].map((script) => [
    script,
    scriptOf(script.text.replace(HEAD, REPLICATES_EFFECTS), script.acrossSlots),
  ]),
);

function load(name: string, acrossSlots = false): Script {
  const text = expand(acrossSlots ? toAcrossSlots(readLua(`${name}.lua`)) : readLua(`${name}.lua`), acrossSlots);
  return scriptOf(text, acrossSlots);
}

function scriptOf(text: string, acrossSlots: boolean): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex'), acrossSlots };
}

/** With the flag that Redis asks for, and the keys that follow the arguments. */
function toAcrossSlots(text: string): string {
  return text.replace(HEAD, (_, flags?: string) => {
    const all = [...(flags === undefined ? [] : [flags]), 'allow-cross-slot-keys'].join(',');
    return `#!lua flags=${all}\nfor i = 3, #ARGV do KEYS[i - 1] = ARGV[i] end`;
  });
}

/** The text with its includes, and theirs, where each is named, and without the names of `layout.ts`. */
export function expand(text: string, acrossSlots = false): string {
  return nameless(withIncludes(text, acrossSlots));
}

function withIncludes(text: string, acrossSlots: boolean): string {
  return text.replace(/^-- include (\S+)$/gm, (_, name: string) => {
    const file = acrossSlots && name === 'read-values' ? 'read-values-across-slots' : name;
    return withIncludes(readLua(`includes/${file}.lua`), acrossSlots);
  });
}

function readLua(file: string): string {
  const text = LUA_FILES[file];
  if (text === undefined) throw new Error(`lua/${file} is not there`);
  return text;
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
