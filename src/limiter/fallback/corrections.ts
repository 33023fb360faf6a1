import { receiptOf } from '../charge/charge-receipt.js';
import type { ChargeRecord, CheckedRequest, EngineResult } from '../charge/checked-request.js';
import type { RedisEngine } from '../redis/redis-engine.js';
import type { PoolState } from './pool-state.js';
import { createUnsentReleases, endingAll, type UnsentReleases } from './unsent-releases.js';

/**
 * Makes charges that no caller waits for, and the corrections of all charges. It also keeps the
 * slots that Redis still has to release.
 */
export class Corrections {
  readonly releases: UnsentReleases;
  readonly #pool: string;
  readonly #state: PoolState;
  readonly #engine: Pick<RedisEngine, 'charge' | 'settle' | 'renew'>;

  constructor(pool: string, state: PoolState, engine: Pick<RedisEngine, 'charge' | 'settle' | 'renew'>) {
    this.#pool = pool;
    this.#state = state;
    this.#engine = engine;
    this.releases = createUnsentReleases({
      release: (charges, ended) => this.#release(charges, ended),
      isAway: () => !state.mayAsk,
    });
  }

  /** Resolves to whether Redis has confirmed the correction. */
  correct(charge: ChargeRecord, actual: Readonly<Record<string, number>>): Promise<boolean> {
    return this.#state
      .inTime((watch) => this.#engine.settle(charge, actual, watch))
      .then(
        () => {
          this.#state.succeeded();
          return true;
        },
        (error) => {
          this.releases.keep(charge, actual);
          this.#state.failures.fail(error);
          return false;
        },
      );
  }

  /**
   * Renews concurrency slots in Redis. A renewal that Redis does not confirm is not repeated: the
   * next one has the same effect.
   */
  async renew(slots: ChargeRecord): Promise<void> {
    try {
      await this.#state.inTime((watch) => this.#engine.renew(slots, watch));
      this.#state.succeeded();
    } catch (error) {
      this.#state.failures.fail(error);
    }
  }

  /**
   * Charges in Redis. Resolves to undefined if Redis does not reply in time. If Redis charges late,
   * the charge is refunded.
   */
  async take(request: CheckedRequest, chargeId: string): Promise<EngineResult | undefined> {
    let isLate = false;
    const charged = this.#state.inTime((watch) => {
      const charging = this.#engine.charge(request, chargeId, false, watch);
      charging.then((result) => isLate && this.#refundUnclaimed(request, result, chargeId)).catch(() => {});
      return charging;
    });
    try {
      const result = await charged;
      this.#state.succeeded();
      return result;
    } catch (error) {
      isLate = true;
      this.#state.failures.fail(error);
      return undefined;
    }
  }

  /**
   * Refunds everything that was charged, because no caller waits for it any more. If the refund is
   * lost, the charge remains.
   */
  #refundUnclaimed(request: CheckedRequest, result: EngineResult, chargeId: string): void {
    const receipt = receiptOf(request, result, chargeId, this.#pool, false);
    if (receipt !== undefined) this.#engine.settle(receipt, endingAll(receipt)).catch(() => {});
  }

  /** Releases slots whose release was lost. For the circuit breaker, they count as one call. */
  async #release(charges: readonly ChargeRecord[], ended: (charge: ChargeRecord) => void): Promise<void> {
    try {
      await this.#state.inTime(async (watch) => {
        const ending = charges.map((charge) =>
          this.#engine.settle(charge, endingAll(charge), watch).then(() => ended(charge)),
        );
        const failure = (await Promise.allSettled(ending)).find((one) => one.status === 'rejected');
        if (failure !== undefined) throw failure.reason;
      });
      this.#state.succeeded();
    } catch (error) {
      this.#state.failures.fail(error);
      throw error;
    }
  }
}
