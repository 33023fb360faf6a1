import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { replaceFile } from '../../runtime/files/replace-file.js';

/**
 * The last valid introspection of an upstream, stored on disk. A gateway can start with it while
 * the upstream is unavailable.
 */
export interface KeptSchema {
  /** Resolves to the JSON of the introspection; undefined if none is stored for this upstream. */
  read(): Promise<{ text: string; keptAt: string } | undefined>;
  write(text: string): Promise<void>;
}

export function createKeptSchema({ path, upstream }: { path: string; upstream: string }): KeptSchema {
  // The URL may contain a secret in its query string.
  const upstreamHash = createHash('sha256').update(upstream).digest('hex');
  return {
    async read() {
      try {
        const kept = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
        const { text, keptAt } = kept;
        // The introspection of another upstream does not apply.
        if (kept['upstreamHash'] !== upstreamHash || typeof text !== 'string' || typeof keptAt !== 'string')
          return undefined;
        return { text, keptAt };
      } catch {
        return undefined;
      }
    },
    write: (text) => replaceFile(path, JSON.stringify({ upstreamHash, keptAt: new Date().toISOString(), text })),
  };
}
