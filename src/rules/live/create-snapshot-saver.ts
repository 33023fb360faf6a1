import type { SnapshotFile } from './snapshot-file.js';
import type { StoredRules } from './stored-rules.js';

export interface Unsaved {
  sinceMs: number;
  triedMs: number;
  reason: string;
}

interface SnapshotSaverOptions {
  snapshot: SnapshotFile | undefined;
  /** Names the database in the snapshot. */
  database(): string | undefined;
  onFailure(error: unknown): void;
}

interface SnapshotSaver {
  /** Resolves when the state is written, or cannot be. */
  save(stored: StoredRules): Promise<void>;
  /** Since when and why the snapshot cannot be written, and when that was tried last; undefined: it was, or there is none. */
  readonly unsaved: Unsaved | undefined;
  /** Waits for what is being written. Nothing is written after that. */
  close(): Promise<void>;
}

/** Writes snapshots one after the other, so that the latest one stays. */
export function createSnapshotSaver({ snapshot, database, onFailure }: SnapshotSaverOptions): SnapshotSaver {
  let saving: Promise<void> = Promise.resolve();
  let isClosed = false;
  let unsaved: Unsaved | undefined;

  return {
    save(stored) {
      saving = saving.then(async () => {
        const of = database();
        if (of === undefined || isClosed) return;
        try {
          await snapshot?.write({ database: of, ...stored });
          unsaved = undefined;
        } catch (error) {
          const triedMs = Date.now();
          const reason = error instanceof Error ? error.message : String(error);
          unsaved = { sinceMs: unsaved?.sinceMs ?? triedMs, triedMs, reason };
          onFailure(error);
        }
      });
      return saving;
    },
    get unsaved() {
      return unsaved;
    },
    async close() {
      // Its owner may remove the folder then.
      await saving;
      isClosed = true;
    },
  };
}
