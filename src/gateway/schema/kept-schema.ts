import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The last good introspection of an upstream, on disk: with it a gateway can start while its upstream is away. */
export interface KeptSchema {
  /** The JSON of the introspection; undefined: none is kept of this upstream. */
  read(): Promise<{ text: string; keptAt: string } | undefined>;
  write(text: string): Promise<void>;
}

export function createKeptSchema({ path, upstream }: { path: string; upstream: string }): KeptSchema {
  return {
    async read() {
      try {
        const kept = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
        const { text, keptAt } = kept;
        // What another upstream has answered says nothing of this one.
        if (kept['upstream'] !== upstream || typeof text !== 'string' || typeof keptAt !== 'string') return undefined;
        return { text, keptAt };
      } catch {
        return undefined;
      }
    },
    async write(text) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const unfinished = `${path}.new`;
      const kept = { upstream, keptAt: new Date().toISOString(), text };
      await writeFile(unfinished, JSON.stringify(kept), { mode: 0o600 });
      await rename(unfinished, path);
    },
  };
}
