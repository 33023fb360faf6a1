import { describeRejection } from '../../postgres/describe-rejection.js';

export interface DatabaseState {
  /** Records the result of a query. An error means that the database cannot be used. */
  report(error: unknown): void;
  /**
   * Start and reason of the current outage, or undefined. `isAnswering` is set if the server
   * responds but cannot be used.
   */
  readonly away: { sinceMs: number; reason: string; isAnswering: boolean } | undefined;
}

/** Remembers whether the database can be used. `onChange` is called whenever that changes. */
export function createDatabaseState(onChange: (isAway: boolean, error: unknown) => void): DatabaseState {
  let away: DatabaseState['away'];

  return {
    report(error) {
      const wasAway = away !== undefined;
      if (error === undefined) away = undefined;
      else {
        const rejection = describeRejection(error);
        const reason = rejection ?? (error instanceof Error ? error.message : String(error));
        away = { sinceMs: away?.sinceMs ?? Date.now(), reason, isAnswering: rejection !== undefined };
      }
      if (wasAway !== (away !== undefined)) onChange(!wasAway, error);
    },
    get away() {
      return away;
    },
  };
}
