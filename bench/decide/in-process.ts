import { measureDecisions } from '../decision/measure-decisions.js';
import type { Variant } from '../frame/bench.js';
import { requestOf } from './load.js';
import { openShop } from './shop.js';

const BENCH = { integration: 'bench', service: undefined };

/** Measures the decision without HTTP: identification, pricing, the charge and the receipt. */
export const inProcess: Variant = async (conditions) => {
  const { decisions, close } = await openShop(conditions.redisUrl);
  const decide = async (subject: Parameters<typeof requestOf>[0]) => {
    const { admitted, degraded } = await decisions.decide(requestOf(subject), BENCH, 200);
    if (!admitted || degraded) throw new Error('the operation was not charged in Redis');
  };
  return measureDecisions(conditions, decide, close);
};
