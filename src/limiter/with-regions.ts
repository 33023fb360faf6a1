import { MAX_FILL_MS, MAX_UNITS } from '../model/limit-parameters.js';
import { chargeBehind, createChargeIds } from './charge/charge-receipt.js';
import type { ChargeReader } from './charge/create-charge-reader.js';
import type { LimitCharge } from './charge/create-limit-compiler.js';
import type { Decision, Receipt } from './charge/decision.js';
import type { AddCount } from './exchange/count-exchange.js';
import type { RegionExchange } from './exchange/region-exchange.js';
import type { RedisPools } from './redis-pools.js';

interface WithRegionsOptions {
  regions: RegionExchange;
  pools: RedisPools;
  read: ChargeReader['read'];
}

/** Members of a limiter whose calls the regions count. `Request` is the type of its charges. */
interface CountedLimiter<Request> {
  charge(request: Request): Promise<Decision>;
  settle(receipt: Receipt, actual: Readonly<Record<string, number>>): Promise<void>;
  settleUnawaited(receipt: Receipt, actual: Readonly<Record<string, number>>, onError: (error: unknown) => void): void;
  readonly opened: Promise<void>;
  close(): Promise<void>;
}

/** Adds the exchange of shares and counts to a limiter. */
export function withRegions<
  Request extends { readonly limits: readonly LimitCharge[] },
  Limiter extends CountedLimiter<Request>,
>(limiter: Limiter & CountedLimiter<Request>, { regions, pools, read }: WithRegionsOptions): Limiter {
  const { charge, settle, settleUnawaited, close, opened } = limiter;
  const counts = regions.openCounts(addCountTo(pools, read));
  return Object.assign(limiter, {
    opened: Promise.all([opened, regions.opened]).then(() => {}),
    regionShare: regions.state,
    regionCounts: counts.state,

    async charge(request: Request) {
      const decision = await charge(request);
      if (!decision.admitted) return decision;
      regions.count(request.limits);
      if (regions.watches(request.limits)) counts.admitted(decision.receipt);
      return decision;
    },

    async settle(receipt, actual) {
      const isFirst = !chargeBehind(receipt).settled;
      await settle(receipt, actual);
      if (isFirst) counts.settled(receipt, actual);
    },

    settleUnawaited(receipt, actual, onError) {
      const charged = chargeBehind(receipt);
      const isFirst = !charged.settled;
      settleUnawaited(receipt, actual, onError);
      // An invalid settlement does not settle the charge.
      if (isFirst && charged.settled) counts.settled(receipt, actual);
    },

    async close() {
      // Settlements that were still waiting change the last counts.
      await close();
      await counts.close();
      await regions.close();
    },
  } satisfies CountedLimiter<Request> & Record<string, unknown>);
}

/**
 * Returns a function that adds counts of other regions. A count is the settlement of a charge that
 * was made elsewhere, at the time of that charge: it counts in the same window, even without room.
 */
function addCountTo(pools: RedisPools, read: ChargeReader['read']): AddCount {
  const nextChargeId = createChargeIds();
  return async ({ pool, subject, limit, stampMs, chargeId, charged, actual }) => {
    const whole: LimitCharge = { ...limit, ...mostDebt(limit), regionMode: 'CENTRAL', cost: charged };
    const request = read(subject, [whole]);
    const time = { clock: stampMs, now: stampMs };
    const record = { request, chargeId: chargeId || nextChargeId(), time, times: undefined };
    return pools.of(pool)!.refund(record, { [limit.id]: actual });
  };
}

/**
 * Returns the largest debt that the bucket can store. Several regions may each have spent all its
 * tokens. With the `maxDebt` of the limit, a part of these counts would be lost.
 */
function mostDebt({ refillAmount, refillPeriodMs }: LimitCharge): Pick<LimitCharge, 'maxDebt'> {
  if (refillAmount === undefined || refillPeriodMs === undefined) return {};
  return { maxDebt: Math.floor(Math.min(MAX_UNITS, MAX_FILL_MS * refillAmount) / refillPeriodMs) };
}
