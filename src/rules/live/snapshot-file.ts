import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { replaceFile } from '../../runtime/files/replace-file.js';

/** The last good ruleset as it lies on disk. Tiers and rules only: no subject, no key. */
export interface RulesSnapshot {
  /** Of which database it is. */
  database: string;
  /** The number of the change that it includes. */
  number: number;
  tiers: readonly unknown[];
  rules: readonly unknown[];
  fingerprint: string;
}

const snapshot = z.object({
  format: z.literal(1),
  database: z.string(),
  number: z.number().int().min(0),
  tiers: z.array(z.unknown()),
  rules: z.array(z.unknown()),
  fingerprint: z.string(),
});

export interface SnapshotFile {
  /** Undefined when there is none. Throws on a file that is none. */
  read(): Promise<RulesSnapshot | undefined>;
  /** Replaces the file in one step; the last one asked for wins. */
  write(snapshot: RulesSnapshot): Promise<void>;
}

export function createSnapshotFile(path: string): SnapshotFile {
  let writing: Promise<void> = Promise.resolve();

  async function replace(content: RulesSnapshot): Promise<void> {
    try {
      await replaceFile(path, JSON.stringify({ format: 1, ...content }));
    } catch (cause) {
      // Of a full disk the system says no place.
      throw new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }

  return {
    async read() {
      let text: string;
      try {
        text = await readFile(path, 'utf8');
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
      const parsed = snapshot.safeParse(parseJson(text));
      if (!parsed.success) throw new Error(`${path}: expected a snapshot of tiers and rules; remove the file`);
      return parsed.data;
    },
    write(content) {
      const next = writing.catch(() => {}).then(() => replace(content));
      writing = next;
      return next;
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
