import { withGetters } from '../../model/objects/with-getters.js';
import type { CheckedRequest, EngineResult } from '../charge-request.js';
import type { Watch } from '../outage/deadlines.js';
import { GivenUpError } from '../outage/failure.js';
import type { RedisEngine } from '../redis/redis-engine.js';
import type { DenialMemory } from './denial-memory.js';
import { isQuestion, type Question } from './question.js';

export interface RememberingEngine extends RedisEngine {
  /**
   * Charges, or looks where nothing can be charged; or waits for a charge that asks the same, and is decided by what that finds.
   *
   * @param question what the memory has said of it
   */
  decide(request: CheckedRequest, chargeId: string, watch: Watch, question?: Question): Promise<EngineResult>;
}

/** A second time where it could not be told what the first reply says to others, as on a Cluster. Then it goes by itself. */
const MAX_WAITS = 2;

/** The same engine, where the memory of denials learns of everything that passes to and from Redis. */
export function withDenialMemory(engine: RedisEngine, memory: DenialMemory): RememberingEngine {
  // Each promise more is paid by every decision.
  if (!memory.isOn) {
    const decide: RememberingEngine['decide'] = (request, chargeId, watch) =>
      engine.charge(request, chargeId, request.impossible, watch);
    return Object.assign(engine, { decide });
  }

  function charge(
    request: CheckedRequest,
    chargeId: string,
    readOnly: boolean,
    watch?: Watch,
    question?: Question,
  ): Promise<EngineResult> {
    const sent = question?.sent ?? memory.sending();
    return engine.charge(request, chargeId, readOnly, watch, memory.hasDenied(request)).then(
      (result) => {
        memory.learned(request, result, readOnly, sent, question);
        return result;
      },
      (error) => {
        memory.failed(request, error, question);
        throw error;
      },
    );
  }

  function decide(
    request: CheckedRequest,
    chargeId: string,
    watch: Watch,
    question?: Question,
    waits = 0,
  ): Promise<EngineResult> {
    if (question === undefined || (question.isAsked && waits === MAX_WAITS)) {
      return charge(request, chargeId, request.impossible, watch);
    }
    if (!question.isAsked) {
      question.isAsked = true;
      question.watch = watch;
      return charge(request, chargeId, request.impossible, watch, question);
    }
    return memory.waitFor(question, request, watch).then((result) => {
      if (result !== undefined) return result;
      if (watch.isRefused) throw new GivenUpError();
      // It has room; or nothing is known, and one of those that waited asks for the others once more.
      const next = question.found === undefined ? memory.find(request) : undefined;
      return next === undefined || isQuestion(next) ? decide(request, chargeId, watch, next, waits + 1) : next;
    });
  }

  /** Between its start and its end it is unknown whether Redis has done it. */
  function around(change: () => Promise<void>, touch: () => void): Promise<void> {
    touch();
    return change().then(touch, (error) => {
      touch();
      throw error;
    });
  }

  return withGetters<RememberingEngine, 'repliedAtMs'>(
    {
      anomalies: engine.anomalies,
      sent: engine.sent,
      charge: (request, chargeId, readOnly, watch) => charge(request, chargeId, readOnly, watch),
      decide,
      settle: (charge, actual, watch) =>
        around(
          () => engine.settle(charge, actual, watch),
          () => memory.touched(charge.request, actual),
        ),
      count(charge) {
        memory.touched(charge.request);
        engine.count(charge);
      },
      reset: (request, watch) =>
        around(
          () => engine.reset(request, watch),
          () => memory.emptied(request),
        ),
      beat: engine.beat,
      close: engine.close,
    },
    {
      get repliedAtMs() {
        return engine.repliedAtMs;
      },
    },
  );
}
