import type { CheckedRequest, EngineResult, OnDecided, OnFailed } from '../charge/checked-request.js';
import type { Watch } from '../redis/deadlines.js';
import { GivenUpError } from '../redis/engine-failure.js';
import type { RedisEngine } from '../redis/redis-engine.js';
import type { DenialMemory } from './denial-memory.js';
import { isQuestion, type Question } from './question.js';

export interface RememberingEngine extends Omit<RedisEngine, 'decide'> {
  /**
   * Charges, or peeks if nothing can be charged. A request may instead wait for a charge of the
   * same caller and limits, and is then decided from the result of that charge. Calls one of the
   * two callbacks.
   *
   * @param question the question that the memory returned for the request
   */
  decide(
    request: CheckedRequest,
    chargeId: string,
    watch: Watch,
    question: Question | undefined,
    decided: OnDecided,
    failed: OnFailed,
  ): void;
}

/**
 * Maximum number of replies that a request waits for. It waits for another one if the first does
 * not decide it, which happens on a Cluster. After the maximum, the request itself is sent to
 * Redis.
 */
const MAX_WAITS = 2;

/**
 * Returns the same engine with a denial memory that follows everything sent to and received from
 * Redis.
 */
export function withDenialMemory(engine: RedisEngine, memory: DenialMemory): RememberingEngine {
  if (!memory.isOn) {
    const decide: RememberingEngine['decide'] = (request, chargeId, watch, _question, decided, failed) =>
      engine.decide(request, chargeId, watch, false, decided, failed);
    return { ...engine, decide };
  }

  function charge(request: CheckedRequest, chargeId: string, readOnly: boolean, watch?: Watch): Promise<EngineResult> {
    const sent = memory.sending();
    return engine.charge(request, chargeId, readOnly, watch, memory.hasDenied(request)).then(
      (result) => {
        memory.learned(request, result, readOnly, sent);
        return result;
      },
      (error) => {
        memory.failed(request, error);
        throw error;
      },
    );
  }

  function decide(
    request: CheckedRequest,
    chargeId: string,
    watch: Watch,
    question: Question | undefined,
    decided: OnDecided,
    failed: OnFailed,
    waits = 0,
  ): void {
    if (question?.isAsked && waits < MAX_WAITS) {
      const answered = memory.waitFor(question, request, watch).then((result) => {
        if (result !== undefined) return decided(result);
        if (watch.isDenied) return failed(new GivenUpError());
        // There is room, or the state is unknown. In the second case, one of the waiting requests
        // asks the question again, and the others wait for it.
        const next = question.found === undefined ? memory.find(request) : undefined;
        if (next !== undefined && !isQuestion(next)) return decided(next);
        decide(request, chargeId, watch, next, decided, failed, waits + 1);
      });
      answered.catch(failed);
      return;
    }
    const asking = question?.isAsked ? undefined : question;
    if (asking !== undefined) {
      asking.isAsked = true;
      asking.watch = watch;
    }
    const sent = asking?.sent ?? memory.sending();
    engine.decide(
      request,
      chargeId,
      watch,
      memory.hasDenied(request),
      (result) => {
        memory.learned(request, result, request.impossible, sent, asking);
        decided(result);
      },
      (error) => {
        memory.failed(request, error, asking);
        failed(error);
      },
    );
  }

  /**
   * Invalidates denials both before and after a change, because it is unknown when Redis makes the
   * change.
   */
  function around(change: () => Promise<void>, touch: () => void): Promise<void> {
    touch();
    return change().then(touch, (error) => {
      touch();
      throw error;
    });
  }

  return {
    anomalies: engine.anomalies,
    sent: engine.sent,
    charge,
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
    // A renewal changes no amount, and denials by concurrency limits are not remembered.
    renew: engine.renew,
    reset: (request, watch) =>
      around(
        () => engine.reset(request, watch),
        () => memory.emptied(request),
      ),
    beat: engine.beat,
    probe: engine.probe,
    close: engine.close,
    repliedAtMs: engine.repliedAtMs,
  };
}
