import type { CheckedRequest } from '../charge-request.js';
import type { RedisEngine } from '../redis/redis-engine.js';
import type { DenialMemory } from './denial-memory.js';

/** The same engine, with everything that passes to and from Redis told to the memory of denials. */
export function withDenialMemory(engine: RedisEngine, memory: DenialMemory): RedisEngine {
  // Each promise more is paid by every decision.
  if (!memory.isOn) return engine;
  /** Between its start and its end nobody knows whether Redis has done it. */
  async function around(change: () => Promise<void>, touch: () => void): Promise<void> {
    touch();
    try {
      await change();
    } finally {
      touch();
    }
  }

  return {
    anomalies: engine.anomalies,
    sent: engine.sent,
    get repliedAtMs() {
      return engine.repliedAtMs;
    },
    charge(request, chargeId, readOnly, watch) {
      const sent = memory.sending();
      return engine.charge(request, chargeId, readOnly, watch).then(
        (result) => {
          memory.learned(request, result, readOnly, sent);
          return result;
        },
        (error) => {
          // Whether it was charged is not known.
          memory.touched(request);
          throw error;
        },
      );
    },
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
        () => memory.touched(withEveryCost(request)),
      ),
    close: engine.close,
  };
}

/** A reset empties all, whatever they were asked with. */
function withEveryCost(request: CheckedRequest): CheckedRequest {
  return { ...request, costs: request.costs.map(() => 1) };
}
