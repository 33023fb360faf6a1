/** A writer of batches, with the last of its batches that the database has confirmed. */
export interface UsageWriter {
  id: string;
  lastStored: number;
  /** Region of the process that writes; undefined if it has none. */
  region: string | undefined;
}

/**
 * Thrown when the database no longer has batches that it has confirmed. The ids of names may be
 * lost too.
 */
export class UsageWentBack extends Error {
  constructor(readonly lastStored: number) {
    super('The database has returned to a state before the last stored usage');
  }
}
