import { describeValue } from '../options/describe-value.js';
import type { OptionCheck } from '../options/find-mistakes.js';
import { createAddressOf, type TrustedProxies } from './address-of.js';

const MAX_PROXIES = 32;
const EXPECTED = `expected the number of proxies in front (0 to ${MAX_PROXIES}), or a list of their addresses and CIDR blocks`;

/**
 * Check of the `trustedProxies` option. `true` is invalid: it would trust any address that a caller
 * sends.
 */
export const trustedProxiesOption: OptionCheck<TrustedProxies> = {
  *find(value, place) {
    if (typeof value === 'number') {
      if (!Number.isInteger(value) || value < 0 || value > MAX_PROXIES) yield `${place}: ${EXPECTED}, got ${value}`;
      return;
    }
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
      yield `${place}: ${EXPECTED}, got ${describeValue(value)}`;
      return;
    }
    try {
      createAddressOf(value);
    } catch (error) {
      yield `${place}: ${EXPECTED}: ${error instanceof Error ? error.message : String(error)}`;
    }
  },
};
