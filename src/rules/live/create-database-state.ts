import { describeRefusal } from '../../postgres/describe-refusal.js';

export interface DatabaseState {
  /** How a question to the database went; an error: it could not be asked. */
  report(error: unknown): void;
  /** Since when and why PostgreSQL cannot be used, though its server may answer; undefined when it can. */
  readonly away: { sinceMs: number; reason: string; isAnswering: boolean } | undefined;
}

/** Remembers whether the database can be used. `onChange` is called when that is another answer than before. */
export function createDatabaseState(onChange: (isAway: boolean, error: unknown) => void): DatabaseState {
  let away: DatabaseState['away'];

  return {
    report(error) {
      const wasAway = away !== undefined;
      if (error === undefined) away = undefined;
      else {
        const refusal = describeRefusal(error);
        const reason = refusal ?? (error instanceof Error ? error.message : String(error));
        away = { sinceMs: away?.sinceMs ?? Date.now(), reason, isAnswering: refusal !== undefined };
      }
      if (wasAway !== (away !== undefined)) onChange(!wasAway, error);
    },
    get away() {
      return away;
    },
  };
}
