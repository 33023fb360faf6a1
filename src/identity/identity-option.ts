import { describeValue } from '../options/describe-value.js';
import type { OptionCheck, OptionTable } from '../options/find-mistakes.js';
import { callback, checkedBy, flag, oneOf, optionsOf, required, text, wholeNumber } from '../options/option-kinds.js';
import { IPV6_PREFIXES } from './address-of.js';
import type { IdentityOptions } from './caller-identification.js';
import { JWT_ALGORITHMS } from './jwt-algorithms.js';
import type { JwtSettings } from './token-verifier.js';
import { trustedProxiesOption } from './trusted-proxies-option.js';

const JWT: OptionTable<JwtSettings> = {
  jwksUrl: required(
    checkedBy(function* (value, place) {
      if (typeof value !== 'string' || !URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
        yield `${place}: expected a URL that begins with https:// or http://, got ${describeValue(value)}`;
      }
    }),
  ),
  issuer: required(text),
  audience: required(text),
  algorithms: required(
    checkedBy(function* (value, place) {
      const isGood = (one: unknown) => typeof one === 'string' && JWT_ALGORITHMS.includes(one);
      if (!Array.isArray(value) || value.length === 0 || !value.every(isGood)) {
        const got = Array.isArray(value) ? `[${value.map(describeValue).join(', ')}]` : describeValue(value);
        yield `${place}: expected a list of algorithms with a key pair, such as ["RS256", "ES256"], got ${got}`;
      }
    }),
  ),
  userClaim: text,
  tenantClaim: text,
  timeoutMs: wholeNumber(1),
  cooldownMs: wholeNumber(0),
};

const TABLE: OptionTable<IdentityOptions<object>> = {
  apiKeys: flag,
  jwt: optionsOf(JWT),
  trustedProxies: trustedProxiesOption,
  ipv6Prefix: oneOf(...IPV6_PREFIXES),
  request: callback('({ req }) => req'),
};

/**
 * Check of the `identity` option. `apiKeys` also needs the option `postgres`, which this check does
 * not see. So `checkTollgateOptions` rejects `apiKeys` without `postgres`.
 */
export const identityOption: OptionCheck<IdentityOptions<object>> = optionsOf(TABLE);
