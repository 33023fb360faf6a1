import { callerKey, type Subject } from '../model/subject.js';
import { type Clock, monotonicClock } from '../runtime/clock.js';
import { hash32 } from '../runtime/hash-32.js';

const SECOND_MS = 1000;

/**
 * Steps per second for the suggestions of all callers, which take about a fiftieth of the time of a
 * core: a step takes up to a microsecond.
 */
const STEPS_OF_ALL = 40_000;
/** Steps per second for those of one caller: three to ten suggestions of usual operations. */
const STEPS_OF_CALLER = 5000;
/** Number of counters. Callers with equal hashes share one, so that any number of them fits into it. */
const CALLERS = 4096;

/**
 * Limits the work for suggestions in denials. Without it, a flood of denied operations would occupy
 * the process for longer than the same number of admitted ones.
 */
export class SuggestionBudget {
  readonly #clock: Clock;
  readonly #ofCaller = new Float64Array(CALLERS);
  #spent = 0;
  #sinceMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock = monotonicClock) {
    this.#clock = clock;
  }

  /** Returns whether another suggestion may be computed for a caller now. */
  allows(subject: Subject): boolean {
    const nowMs = this.#clock();
    if (nowMs - this.#sinceMs >= SECOND_MS) {
      this.#sinceMs = nowMs;
      this.#spent = 0;
      this.#ofCaller.fill(0);
    }
    return this.#spent < STEPS_OF_ALL && this.#ofCaller[placeOf(subject)]! < STEPS_OF_CALLER;
  }

  /** Reports the steps that a suggestion for a caller has taken. */
  spend(subject: Subject, steps: number): void {
    this.#spent += steps;
    this.#ofCaller[placeOf(subject)]! += steps;
  }
}

function placeOf(subject: Subject): number {
  return hash32(callerKey(subject)) % CALLERS;
}
