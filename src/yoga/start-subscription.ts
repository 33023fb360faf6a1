import type { AdmittedRequest } from '../any-server/admitted-request.js';
import type { ExecutionArgs } from './yoga-plugin.js';

/**
 * Starts a subscription. Its events are sent as they come, so that it must not ask for what `start` returns, which has names that clients
 * do not expect.
 */
export function startSubscription(request: AdmittedRequest, args: ExecutionArgs): void {
  request.start(args.contextValue, args.fieldResolver);
  args.document = request.document;
}
