import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the contents of the files in a folder of this package, by file name. Files in subfolders
 * have their path as the key, such as `includes/state.lua`. Only modules listed in
 * `scripts/inline-files.mjs` may call it. The build inserts the contents into the published code,
 * because bundlers copy only code.
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
