import { MAX_COST } from '../../model/limit-parameters.js';

/**
 * Rounds a sum up to whole tokens, because fractional weights must not lower the price of an
 * operation.
 */
export function toTokens(sum: number): number {
  if (!(sum > 0)) return 0;
  if (sum >= MAX_COST) return MAX_COST;
  if (Number.isInteger(sum)) return sum;
  // Sums of decimal fractions have errors below this precision: 0.1 * 3 must not cost 1 more than
  // 0.3.
  return Math.ceil(Math.round(sum * 1e6) / 1e6);
}
