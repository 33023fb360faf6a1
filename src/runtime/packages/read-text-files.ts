import { readdirSync, readFileSync } from 'node:fs';

/**
 * The texts of a folder of this package by their names, those of folders in it by their paths: `includes/state.lua`. Only for modules that
 * `scripts/inline-files.mjs` lists: bundlers copy code and no other files, so in what is published the texts stand in the code.
 */
export function readTextFiles(folder: URL, ending: string): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry;
    if (entry.isDirectory()) {
      const below = readTextFiles(new URL(`${name}/`, folder), ending);
      for (const [path, text] of Object.entries(below)) texts[`${name}/${path}`] = text;
    } else if (name.endsWith(ending)) texts[name] = readFileSync(new URL(name, folder), 'utf8');
  }
  return texts;
}
