import { existsSync, readdirSync } from 'node:fs';

/** Names of Tollgate's files in its data folder. */
export const DATA = { database: 'postgres', ruleset: 'ruleset.json', upstreamSchema: 'upstream-schema.json' } as const;

const NAMES: readonly string[] = Object.values(DATA);

/**
 * Returns whether a name is that of a Tollgate file, including temporary files before they are
 * renamed.
 */
export function isOwn(name: string): boolean {
  return NAMES.includes(name) || NAMES.some((own) => name.startsWith(`${own}.`) && name.endsWith('.new'));
}

/**
 * Returns the name of the first entry in a folder that is not a Tollgate file; undefined if there
 * is none, or if the folder does not exist.
 */
export function foreignEntry(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder, { withFileTypes: true }).find((entry) => !isOwn(entry.name) && !entry.isSymbolicLink())
    ?.name;
}
