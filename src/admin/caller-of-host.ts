import type { IncomingMessage } from 'node:http';
import type { GraphQLError } from 'graphql';
import { requestError } from '../model/errors.js';
import { ADMIN_ROLES } from '../rules/store/create-admin-token-store.js';
import type { AdminHandlerOptions } from './admin-handler-options.js';
import type { AdminCaller } from './context/admin-context.js';

/**
 * Returns the administrator that the option `authorize` identifies. Returns undefined if it does
 * not identify the sender.
 */
export async function callerOfHost(
  authorize: AdminHandlerOptions['authorize'],
  request: IncomingMessage,
): Promise<AdminCaller | undefined> {
  const known = await authorize?.(request);
  if (!known) return undefined;
  const { name, role } = known;
  if (typeof name !== 'string' || !/^.{1,100}$/s.test(name) || !ADMIN_ROLES.includes(role) || role === 'DECIDER') {
    throw new TypeError(
      'authorize: expected undefined or { name, role }: a name of 1 to 100 characters, and VIEWER, OPERATOR or ADMIN',
    );
  }
  if (FROM_OTHER_SITES.has(request.headers['sec-fetch-site'])) throw fromAnotherSite();
  return { actor: { name, authMethod: 'SERVER' }, role };
}

/**
 * Values of `sec-fetch-site` for requests from pages of other origins. Browsers may attach cookies
 * to these.
 */
const FROM_OTHER_SITES: ReadonlySet<unknown> = new Set(['cross-site', 'same-site']);

function fromAnotherSite(): GraphQLError {
  return requestError('FORBIDDEN', 'expected a request from the same origin');
}
