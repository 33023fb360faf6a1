import type { SnapshotFile } from './snapshot-file.js';
import type { StoredRules } from './stored-rules.js';

export interface Unsaved {
  sinceMs: number;
  triedMs: number;
  reason: string;
}

interface SnapshotSaverOptions {
  snapshot: SnapshotFile | undefined;
  /** Returns the id of the database, for the snapshot. */
  database(): string | undefined;
  onFailure(error: unknown): void;
}

interface SnapshotSaver {
  /** Writes the state. Resolves when it is written, or when writing has failed. */
  save(stored: StoredRules): Promise<void>;
  /**
   * Start, reason and latest attempt of the failure to write the snapshot. Undefined if the last
   * write succeeded, or if no snapshot is configured.
   */
  readonly unsaved: Unsaved | undefined;
  /** Waits for the write in flight. Nothing is written afterwards. */
  close(): Promise<void>;
}

/** Writes snapshots one after the other, so that the file contains the latest one. */
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
      // The caller of `close` may remove the folder afterwards.
      await saving;
      isClosed = true;
    },
  };
}
