import type { AdmittedRequest } from '../any-server/admitted-request.js';
import type { ExecutionArgs } from './yoga-plugin.js';

/**
 * Starts a subscription with the original document. Its events are sent unchanged. The document
 * that `start` returns would add names that clients do not expect.
 */
export function startSubscription(request: AdmittedRequest, args: ExecutionArgs): void {
  request.start(args.contextValue, args.fieldResolver);
  args.document = request.document;
}
