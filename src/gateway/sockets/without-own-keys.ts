import { isObject } from '../../runtime/is-object.js';

const OWN_KEY = /^(bearer +)?tg_/i;

/**
 * Returns the payload of `connection_init` without API keys that Tollgate issued, which the API must
 * never see. Clients send them as members of the payload, or of its member `headers`.
 */
export function withoutOwnKeys(payload: unknown): unknown {
  if (!isObject(payload)) return payload;
  const entries = Object.entries(payload).filter(([, value]) => !(typeof value === 'string' && OWN_KEY.test(value)));
  const { headers } = payload;
  return {
    ...Object.fromEntries(entries),
    ...(isObject(headers) && { headers: withoutOwnKeys({ ...headers, headers: undefined }) }),
  };
}
