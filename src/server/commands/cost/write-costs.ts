import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { GuessGroup, SizeEntry } from '../../../cost/check/group-guesses.js';
import { decodeText } from '../../../runtime/files/decode-text.js';
import { parseYaml } from '../../../runtime/packages/parse-yaml.js';
import { CostsFileError, readCostsFile } from '../../costs/costs-file.js';
import { entryText, examplesOf, sizeOf } from '../../costs/describe-group.js';
import { reasonOf, UsageError } from '../read-text.js';

const HEADER = `# Prices by schema coordinate, for --costs of "tollgate gateway" and "tollgate cost".
# The sizes come from "tollgate cost --check-schema": replace them by the maximum that each list returns.
`;

interface NewEntry {
  readonly key: string;
  readonly entry: SizeEntry;
  readonly group: GuessGroup;
}

/** Result of `--write-costs`. */
interface WrittenCosts {
  readonly added: number;
  /** Number of advised entries that were not written, because their key is already in the file. */
  readonly kept: number;
}

/**
 * Adds the entries of groups to a file of prices, or creates one; existing content stays unchanged.
 * @throws UsageError if the file is not a file of prices, or cannot be written
 */
export async function writeCosts(file: string, groups: readonly GuessGroup[]): Promise<WrittenCosts> {
  const before = existsSync(file) ? decodeText(readFileSync(file)) : undefined;
  const known = before === undefined ? new Set<string>() : await keysOf(file);
  const all = new Map<string, NewEntry>();
  for (const group of groups) {
    for (const [key, entry] of Object.entries(group.entries)) {
      if (!all.has(key)) all.set(key, { key, entry, group });
    }
  }
  const added = [...all.values()].filter(({ key }) => !known.has(key));
  if (added.length > 0) {
    const text = await withEntries(before, added, file);
    try {
      writeFileSync(file, text);
    } catch (error) {
      throw new UsageError(`--write-costs: ${file} cannot be written: ${reasonOf(error)}`);
    }
  }
  return { added: added.length, kept: all.size - added.length };
}

/** Returns the keys of a file of prices. @throws UsageError if the file is not one */
export async function keysOf(file: string): Promise<Set<string>> {
  try {
    const { overlay, inference } = await readCostsFile(file);
    return new Set([...Object.keys(overlay), ...Object.keys(inference)]);
  } catch (error) {
    if (!(error instanceof CostsFileError)) throw error;
    throw new UsageError(
      `--write-costs: expected a file of prices, which ${file} is not:\n  ${error.problems.join('\n  ')}`,
    );
  }
}

async function withEntries(before: string | undefined, added: readonly NewEntry[], file: string): Promise<string> {
  const asJson = () => Object.fromEntries(added.map(({ key, entry }) => [key, entry]));
  if (before === undefined && file.endsWith('.json')) return `${JSON.stringify(asJson(), null, 2)}\n`;
  if (before === undefined) return `${HEADER}\n${yamlOf(added)}`;
  const known = jsonObjectOf(before);
  if (known !== undefined) return `${JSON.stringify({ ...known, ...asJson() }, null, 2)}\n`;
  const { document } = await parseYaml(before, '--write-costs');
  // Append lines, so that the layout of the existing lines is preserved.
  const appended = `${before.trimEnd() === '' ? '' : `${before.trimEnd()}\n\n`}${yamlOf(added)}`;
  if (await parsesTo(appended, { ...(document.toJS() as object | null), ...asJson() })) return appended;
  for (const { key, entry } of added) document.set(key, document.createNode(entry, { flow: true }));
  return document.toString({ lineWidth: 0 });
}

async function parsesTo(text: string, expected: object): Promise<boolean> {
  const { document, problems } = await parseYaml(text, '--write-costs');
  return problems.length === 0 && JSON.stringify(document.toJS()) === JSON.stringify(expected);
}

/** Parses a JSON object; returns undefined if the text is YAML instead. */
function jsonObjectOf(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function yamlOf(added: readonly NewEntry[]): string {
  return added.map(linesOf).join('');
}

/** Returns an entry in YAML, with a comment that names its lists. */
export function linesOf({ key, entry, group }: NewEntry): string {
  const { guesses } = group;
  const more = guesses.length > 3 ? ' ...' : '';
  const count = guesses.length === 1 ? '' : `# ${guesses.length}: ${examplesOf(group)}${more}\n`;
  const advice = sizeOf(entry) === 1 ? '' : ' # the default list size';
  return `${count}${entryText([key, entry])}${advice}\n`;
}
