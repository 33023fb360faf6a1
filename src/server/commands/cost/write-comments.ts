import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { SchemaProblem } from '../../../cost/annotations/schema-problem.js';
import type { GuessGroup } from '../../../cost/check/group-guesses.js';
import { decodeText } from '../../../runtime/files/decode-text.js';
import { reasonOf, UsageError } from '../read-text.js';
import { keysOf, linesOf } from './write-costs.js';

/** Advised entry of a file of prices. */
interface Advice {
  readonly key: string;
  /** Lines in YAML, which end in a line break. */
  readonly lines: string;
}

const HEADER = `# Prices by schema coordinate, for --costs of "tollgate gateway" and "tollgate cost".
# The comments are advised entries. To use one, remove the "#", and set the sizes to those of your API.`;

/**
 * Adds entries as comments to a file of prices in YAML, or creates one. Entries whose key is
 * already in the file, even in a comment, are omitted.
 * @returns the number of added entries
 * @throws UsageError if the file is not a file of prices in YAML, or cannot be written
 */
export async function writeComments(file: string, advice: readonly Advice[]): Promise<number> {
  const before = existsSync(file) ? decodeText(readFileSync(file)) : '';
  if (isJson(file, before)) {
    throw new UsageError(`--write-costs: expected a YAML file, because JSON has no comments; got ${file}`);
  }
  const known = before === '' ? new Set<string>() : await keysOf(file);
  for (const [, key] of before.matchAll(COMMENTED)) known.add(key!);
  const added = [...new Map(advice.map((each) => [each.key, each])).values()].filter(({ key }) => !known.has(key));
  if (added.length === 0) return 0;
  const comments = added.map(({ lines }) => lines.replaceAll(/^(?!#)/gm, '# ').replace(/# $/, ''));
  const head = before.trim() === '' ? HEADER : before.trimEnd();
  try {
    writeFileSync(file, `${head}\n\n${comments.join('')}`);
  } catch (error) {
    throw new UsageError(`--write-costs: ${file} cannot be written: ${reasonOf(error)}`);
  }
  return added.length;
}

/** Key of an entry in a comment. */
const COMMENTED = /^#[ \t]{0,9}"?([^\s"{]{1,500})"?:[ \t]{0,9}\{/gm;

/** Returns whether a file of prices is, or will be, in JSON. */
export function isJson(file: string, text: string): boolean {
  return text.trim() === '' ? file.endsWith('.json') : text.trimStart().startsWith('{');
}

/** Returns the entries for arguments that look like list sizes. */
export function adviceOnArguments(problems: readonly SchemaProblem[]): Advice[] {
  return problems.flatMap(({ coordinate, entry }) =>
    entry === undefined ? [] : [{ key: coordinate, lines: `${entry}\n` }],
  );
}

/** Returns the entries of groups. */
export function adviceOnGroups(groups: readonly GuessGroup[]): Advice[] {
  return groups.flatMap((group) =>
    Object.entries(group.entries).map(([key, entry]) => ({ key, lines: linesOf({ key, entry, group }) })),
  );
}

/** Returns the groups without the entries whose key is in `advice`. */
export function withoutKeys(groups: readonly GuessGroup[], advice: readonly Advice[]): GuessGroup[] {
  const keys = new Set(advice.map(({ key }) => key));
  const isOther = ([key]: [string, unknown]) => !keys.has(key);
  return groups.map((group) => ({
    ...group,
    entries: Object.fromEntries(Object.entries(group.entries).filter(isOther)),
  }));
}
