import { MAX_COST } from '../../model/limit-parameters.js';

/**
 * Rounds a sum up to whole tokens, because fractional weights must not lower the price of an
 * operation.
 */
export function toTokens(sum: number): number {
  if (!(sum > 0)) return 0;
  if (sum >= MAX_COST) return MAX_COST;
  if (Number.isInteger(sum)) return sum;
  // Round to six decimals first, because floating-point results have small errors: 10 * (0.1 + 0.2)
  // is 3.0000000000000004 and must not cost 4.
  return Math.ceil(Math.round(sum * 1e6) / 1e6);
}
