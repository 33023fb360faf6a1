import { type Deadlines, endWatch, type Watch } from '../redis/deadlines.js';
import {
  classify,
  DeadlineError,
  type EngineErrorClass,
  type EngineFailure,
  GivenUpError,
  isAlarming,
  isRefusal,
} from '../redis/engine-failure.js';

/** What it means that calls to one Redis fail, or take too long: who is told, and what counts against it. */
export interface CallFailures {
  /** What the last one was; undefined: it answers. */
  reason: EngineErrorClass | undefined;
  /** Tells the observer alone. */
  notify(error: unknown): void;
  /**
   * Tells the observer, and the breaker too unless the call only stood too long in the queue of this process.
   * @returns whether the breaker was told: each call counts there once
   */
  fail(error: unknown): boolean;
  /** A call failed that had been given up: that it was late was told, why it failed was not. */
  failLate(error: unknown, isCounted: boolean): void;
  /** Why a call is given up: Redis was silent, or its turn has not come. */
  lateness(watch: Watch, within?: Deadlines): DeadlineError;
  /** Rejects what takes longer than the deadline. */
  inTime<T>(start: (watch: Watch) => Promise<T>, within?: Deadlines): Promise<T>;
}

interface CallFailuresOptions {
  pool: string;
  deadlineMs: number;
  deadlines: Deadlines;
  onFailure: (failure: EngineFailure) => void;
  /** The failure counts against Redis. */
  onCounted: () => void;
  /** Why it is not connected, where it is not. */
  connectionError: () => unknown;
}

export function createCallFailures(options: CallFailuresOptions): CallFailures {
  const { pool, deadlineMs, deadlines, onFailure, onCounted, connectionError } = options;

  function notify(failure: unknown): void {
    // That it cannot be written to says nothing; why it is not connected does.
    const error = classify(failure) === 'connection' ? (connectionError() ?? failure) : failure;
    const errorClass = classify(error);
    failures.reason = errorClass;
    onFailure({ pool, class: errorClass, alarm: isAlarming(errorClass), error });
  }

  function fail(error: unknown): boolean {
    notify(error);
    if (error instanceof DeadlineError && error.isQueued) return false;
    onCounted();
    return true;
  }

  function failLate(error: unknown, isCounted: boolean): void {
    if (error instanceof GivenUpError) return;
    if (!isCounted) fail(error);
    else if (isRefusal(error)) notify(error);
  }

  function lateness(watch: Watch, within = deadlines): DeadlineError {
    return new DeadlineError(deadlineMs, !within.metSilence(watch));
  }

  function inTime<T>(start: (watch: Watch) => Promise<T>, within = deadlines): Promise<T> {
    return new Promise((resolve, reject) => {
      let isQueued = false;
      const watch = within.watch(() => {
        const error = lateness(watch, within);
        isQueued = error.isQueued;
        reject(error);
      });
      start(watch).then(
        (value) => endWatch(watch) && resolve(value),
        (error) => {
          if (endWatch(watch)) reject(error);
          else failLate(error, !isQueued);
        },
      );
    });
  }

  const failures: CallFailures = { reason: undefined, notify, fail, failLate, lateness, inTime };
  return failures;
}
