import type { IncomingMessage } from 'node:http';
import type { GraphQLError } from 'graphql';
import { requestError } from '../model/errors.js';
import { ADMIN_ROLES } from '../rules/store/create-admin-token-store.js';
import type { AdminHandlerOptions } from './admin-handler-options.js';
import type { AdminCaller } from './context/admin-context.js';

/** Who asks as the host says it; undefined: the host does not know them. */
export async function callerOfHost(
  authorize: AdminHandlerOptions['authorize'],
  request: IncomingMessage,
): Promise<AdminCaller | undefined> {
  const known = await authorize?.(request);
  if (!known) return undefined;
  const { name, role } = known;
  if (typeof name !== 'string' || !/^.{1,100}$/s.test(name) || !ADMIN_ROLES.includes(role)) {
    throw new TypeError('authorize: expected undefined or { name, role }, with VIEWER, OPERATOR or ADMIN as the role');
  }
  if (FROM_OTHER_SITES.has(request.headers['sec-fetch-site'])) throw fromAnotherSite();
  return { actor: { name, authMethod: 'SERVER' }, role };
}

/** What browsers say of requests that pages of others have made, and with which cookies may have come along. */
const FROM_OTHER_SITES: ReadonlySet<unknown> = new Set(['cross-site', 'same-site']);

function fromAnotherSite(): GraphQLError {
  return requestError('FORBIDDEN', 'expected a request of your own origin');
}
