import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { replaceFile } from '../../runtime/files/replace-file.js';

/** The last valid ruleset on disk. It contains tiers and rules only: no subject, no API key. */
export interface RulesSnapshot {
  /** Id of the database that it comes from. */
  database: string;
  /** Number of the latest change that it includes. */
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
  /**
   * Returns the snapshot, or undefined if the file is missing. Throws if the file is not a valid
   * snapshot.
   */
  read(): Promise<RulesSnapshot | undefined>;
  /**
   * Replaces the file atomically. After several calls, the file contains the snapshot of the last
   * one.
   */
  write(snapshot: RulesSnapshot): Promise<void>;
}

export function createSnapshotFile(path: string): SnapshotFile {
  let writing: Promise<void> = Promise.resolve();

  async function replace(content: RulesSnapshot): Promise<void> {
    try {
      await replaceFile(path, JSON.stringify({ format: 1, ...content }));
    } catch (cause) {
      // Errors about a full disk do not name the path.
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
