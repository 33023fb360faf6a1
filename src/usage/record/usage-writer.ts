/** Who stores batches, and the last of theirs that the database has confirmed. */
export interface UsageWriter {
  id: string;
  lastStored: number;
}

/** The database does not have the last batches that it confirmed any more, and with them perhaps not the names whose numbers are known. */
export class UsageWentBack extends Error {
  constructor(readonly lastStored: number) {
    super('The database has gone back to before the last usage that it stored');
  }
}
