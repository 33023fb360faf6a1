import { createHash } from 'node:crypto';
import { LUA_NAMES } from './layout.js';
import { LUA_FILES } from './lua-files.js';

export interface Script {
  readonly text: string;
  readonly sha: string;
  /**
   * Whether its keys may be in several hash slots of one node of a Redis Cluster. The first key is
   * declared and the others are arguments, because Redis accepts declared keys of one hash slot
   * only.
   */
  readonly acrossSlots: boolean;
}

const HEAD = /^#!lua(?: flags=(\S+))?$/m;
const REPLICATES_EFFECTS = 'if redis.replicate_commands then redis.replicate_commands() end';
const COMMENT_OR_NAME = /--[^\n]*|\b[A-Z][A-Z_]+(?:\.[A-Z][A-Z_0-9]*)?\b/g;

/**
 * The scripts of `lua/`, with their includes, and with the values of `layout.ts` instead of their
 * names.
 */
export const SCRIPTS = {
  charge: load('charge'),
  peek: load('peek'),
  heartbeat: load('heartbeat'),
};

/** The same scripts for keys in several hash slots of one node. */
export const ACROSS_SLOTS: ReadonlyMap<Script, Script> = new Map([
  [SCRIPTS.charge, load('charge', true)],
  [SCRIPTS.peek, load('peek', true)],
]);

/**
 * The same scripts for servers that do not support the first line, such as Redis before 7. The
 * scripts read the time, so `redis.replicate_commands()` makes those servers replicate the effects
 * instead of the script. Servers that do not know the flag for several hash slots allow keys in
 * several without it.
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

/** Adds the flag that Redis requires, and moves the keys after the arguments into KEYS. */
function toAcrossSlots(text: string): string {
  return text.replace(HEAD, (_, flags?: string) => {
    const all = [...(flags === undefined ? [] : [flags]), 'allow-cross-slot-keys'].join(',');
    return `#!lua flags=${all}\nfor i = 3, #ARGV do KEYS[i - 1] = ARGV[i] end`;
  });
}

/**
 * Returns the text with all nested includes in place, and with the values of `layout.ts` instead of
 * their names.
 */
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
  if (text === undefined) throw new Error(`lua/${file} is missing`);
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
  // Lua would evaluate `+ 0` on every read, and the first field is read most.
  return literal.replace(/ \+ 0(?=\])/g, '');
}
