import { type Deadlines, endWatch, type Watch } from '../redis/deadlines.js';
import {
  classify,
  DeadlineError,
  type EngineErrorClass,
  type EngineFailure,
  GivenUpError,
  isAlarming,
  isRejection,
} from '../redis/engine-failure.js';

/**
 * Handles failed and late calls to one Redis: which ones the observer receives, and which ones
 * count against Redis.
 */
export interface CallFailures {
  /** Class of the last failure; undefined before the first one and after the breaker closes. */
  reason: EngineErrorClass | undefined;
  /** Notifies the observer only. */
  notify(error: unknown): void;
  /**
   * Notifies the observer. Also counts the failure against Redis, unless the call only waited too
   * long in the queue of this process.
   * @returns whether the failure was counted: each call counts once
   */
  fail(error: unknown): boolean;
  /**
   * Handles the failure of a call that was given up, whose lateness the observer has received. If
   * the lateness was not counted against Redis, the observer receives the failure too, and it is
   * counted. If it was, the observer receives the failure only if Redis rejected the call.
   * @param isCounted whether the lateness was counted against Redis
   */
  failLate(error: unknown, isCounted: boolean): void;
  /**
   * Returns the error of a call that is given up. It states whether Redis was silent, or the call
   * is still queued.
   */
  lateness(watch: Watch, within?: Deadlines): DeadlineError;
  /** Rejects a call that takes longer than the deadline. */
  inTime<T>(start: (watch: Watch) => Promise<T>, within?: Deadlines): Promise<T>;
}

interface CallFailuresOptions {
  pool: string;
  deadlineMs: number;
  deadlines: Deadlines;
  onFailure: (failure: EngineFailure) => void;
  /** Called when a failure counts against Redis. */
  onCounted: () => void;
  /** Returns the connection error, if Redis is not connected. */
  connectionError: () => unknown;
}

export function createCallFailures(options: CallFailuresOptions): CallFailures {
  const { pool, deadlineMs, deadlines, onFailure, onCounted, connectionError } = options;

  function notify(failure: unknown): void {
    // A failed write does not explain the failure. The connection error does.
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
    else if (isRejection(error)) notify(error);
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
