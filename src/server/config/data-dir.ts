import { existsSync, readdirSync } from 'node:fs';

/** What Tollgate keeps in its data folder. */
export const DATA = { database: 'postgres', ruleset: 'ruleset.json', upstreamSchema: 'upstream-schema.json' } as const;

const NAMES: readonly string[] = Object.values(DATA);

/** Whether an entry of that name is Tollgate's, or one of its files before it is put in place. */
export function isOwn(name: string): boolean {
  return NAMES.includes(name) || NAMES.some((own) => name.startsWith(`${own}.`) && name.endsWith('.new'));
}

/** The first thing in a folder that is not Tollgate's; undefined: there is none, or no folder yet. */
export function foreignEntry(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder, { withFileTypes: true }).find((entry) => !isOwn(entry.name) && !entry.isSymbolicLink())
    ?.name;
}
