import { monotonicClock } from '../../runtime/clock.js';
import { createShares } from '../algorithms/create-shares.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { chargeBehind, receiptOf } from '../charge/charge-receipt.js';
import type { CheckedRequest, EngineResult } from '../charge/checked-request.js';
import { type Decision, deny, type PeekedStates, toDecision, toPeekedStates } from '../charge/decision.js';
import { settleLaterUntilMs } from '../charge/may-settle-later.js';
import type { DenialMemory } from '../denials/denial-memory.js';
import { isQuestion, type Question } from '../denials/question.js';
import type { RememberingEngine } from '../denials/with-denial-memory.js';
import type { MemoryEngine } from '../memory/memory-engine.js';
import { endWatch, longestWaitMs, type Watch } from '../redis/deadlines.js';
import { isRejection } from '../redis/engine-failure.js';
import { decideUnavailable, peekUnavailable } from './decide-unavailable.js';
import type { EngineObserver } from './engine-observer.js';
import { createLateCharge, type LateCharge } from './late-charge.js';
import type { PoolState } from './pool-state.js';
import { type CallUnderWay, createSetAside, type SetAside } from './set-aside.js';
import type { UnsentReleases } from './unsent-releases.js';

interface DecisionsOptions {
  pool: string;
  state: PoolState;
  engine: RememberingEngine;
  denials: DenialMemory;
  /** Engine that decides when Redis does not. */
  memory: MemoryEngine;
  releases: UnsentReleases;
  deadlineMs: number;
  nextChargeId: () => string;
  observer: EngineObserver;
}

/**
 * Decides from remembered denials, in Redis, or in this process if Redis does not reply in time.
 */
export class Decisions {
  readonly #options: DecisionsOptions;
  readonly #setAside: SetAside;
  readonly #shareOf: (limit: Limit) => Limit;

  constructor(options: DecisionsOptions) {
    const { instances } = options.state;
    const divide = createShares();
    this.#options = options;
    this.#shareOf = (limit) => divide(limit, instances.divisor());
    this.#setAside = createSetAside({
      instances: () => instances.count(),
      keepMs: longestWaitMs(options.deadlineMs),
      clock: monotonicClock,
    });
  }

  /**
   * Decides about a request. One deadline covers the whole decision, regardless of the number of
   * calls.
   */
  decide(request: CheckedRequest): Promise<Decision> {
    const { state, denials, nextChargeId } = this.#options;
    const chargeId = nextChargeId();
    if (!state.mayAsk) return Promise.resolve(this.#decideLocally(request, chargeId));
    const known = denials.find(request);
    if (known !== undefined && !isQuestion(known)) return Promise.resolve(deny(request, known, false));
    return new Promise((resolve) => this.#ask(request, chargeId, known, resolve));
  }

  /** Peeks in Redis, or in this process if Redis is unavailable or fails. */
  async look(request: CheckedRequest): Promise<PeekedStates> {
    const { state, engine, memory, nextChargeId } = this.#options;
    if (state.mayAsk) {
      try {
        const result = await state.inTime((watch) => engine.charge(request, nextChargeId(), true, watch));
        state.succeeded();
        return toPeekedStates(request, result, false);
      } catch (error) {
        state.failures.fail(error);
      }
    }
    return peekUnavailable(request, memory, this.#shareOf);
  }

  #ask(
    request: CheckedRequest,
    chargeId: string,
    question: Question | undefined,
    resolve: (decision: Decision) => void,
  ): void {
    const { pool, state, engine } = this.#options;
    let late: LateCharge | undefined;
    let isCounted = false;
    const watch = state.deadlines.watch(() => {
      isCounted = this.#gaveUp(watch);
      const decision = this.#decideLocally(request, chargeId, call);
      late = this.#lateChargeOf(request, chargeId, decision);
      if (decision.admitted) {
        this.#setAside.admitted(call);
      } else {
        watch.isDenied = true;
        this.#setAside.gaveUp(call);
      }
      resolve(decision);
    });
    const call = this.#setAside.began(request);
    const decided = (result: EngineResult) => {
      this.#setAside.ended(call);
      const receipt = receiptOf(request, result, chargeId, pool, false);
      const decision = toDecision(request, result, false, receipt);
      if (receipt === undefined) this.#setAside.denied(request, decision.limits);
      else receipt.settleLaterUntilMs = settleLaterUntilMs(request, decision.limits);
      if (!endWatch(watch)) return late?.learned(result);
      state.succeeded();
      resolve(decision);
    };
    const failed = (error: unknown) => {
      if (endWatch(watch)) {
        this.#setAside.ended(call);
        resolve(this.#decideAfterFailure(request, chargeId, error));
      } else this.#failedLate(call, late, error, isCounted);
    };
    engine.decide(request, chargeId, watch, question, decided, failed);
  }

  #decideAfterFailure(request: CheckedRequest, chargeId: string, error: unknown): Decision {
    this.#options.state.failures.fail(error);
    const decision = this.#decideLocally(request, chargeId);
    // Redis may have charged slots for this operation. They have to be released when it ends.
    if (request.hasLists && !isRejection(error)) this.#lateChargeOf(request, chargeId, decision).staysUnknown();
    return decision;
  }

  #failedLate(call: CallUnderWay, late: LateCharge | undefined, error: unknown, isCounted: boolean): void {
    const { state } = this.#options;
    state.failures.failLate(error, isCounted);
    if (isRejection(error) && state.mayAsk) {
      void late?.wasNotExecuted().then(() => this.#setAside.ended(call));
      return;
    }
    this.#setAside.ended(call);
    late?.staysUnknown();
  }

  #decideLocally(request: CheckedRequest, chargeId: string, call?: CallUnderWay): Decision {
    const { pool, memory } = this.#options;
    const taken = (i: number) => this.#setAside.taken(request, i, call);
    return decideUnavailable(request, chargeId, pool, memory, this.#shareOf, taken);
  }

  #lateChargeOf(request: CheckedRequest, chargeId: string, decision: Decision): LateCharge {
    const { engine, nextChargeId, pool, releases } = this.#options;
    const late = createLateCharge({ engine, request, chargeId, nextChargeId, pool, decision, onLost: releases.keep });
    if (decision.admitted) chargeBehind(decision.receipt).late = late;
    return late;
  }

  /** Handles a call that missed its deadline. Returns whether it counts as a failure of Redis. */
  #gaveUp(watch: Watch): boolean {
    const { pool, state, engine, deadlineMs, observer } = this.#options;
    if (monotonicClock() - engine.repliedAtMs() < deadlineMs) observer.fellBehind?.(pool);
    return state.failures.fail(state.failures.lateness(watch));
  }
}
