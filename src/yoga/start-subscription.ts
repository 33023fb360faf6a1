import type { AdmittedRequest } from '../any-server/admitted-request.js';
import type { ExecutionArgs } from './yoga-plugin.js';

/**
 * Starts a subscription with the original document. The document that `start` returns would add
 * type names to the events, and nothing would remove them.
 */
export function startSubscription(request: AdmittedRequest, args: ExecutionArgs): void {
  request.start(args.contextValue, args.fieldResolver);
  args.document = request.document;
}
