import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { GraphQLError } from 'graphql';
import { type RejectRequest, sendRejection } from '../../http/reject-request.js';
import { createObjectNotes } from '../../runtime/create-object-notes.js';
import type { AdminCaller } from '../context/admin-context.js';
import { unauthenticated } from '../context/create-admin-authenticator.js';

interface AdminGuardOptions {
  /**
   * Identifies the sender.
   * @throws GraphQLError if the request has no valid credential
   */
  authenticate(request: IncomingMessage): Promise<AdminCaller>;
  /** Charges the fee of a request without a valid credential to the address that sent it. */
  rejectStranger: RejectRequest;
  /** Receives the status of each rejection. It must not throw. */
  onAnswer?(status: number): void;
  /**
   * Called when a request with an invalid credential is denied with 429, because the address of its
   * sender has used up its bucket. It must not throw.
   */
  onThrottled?(request: IncomingMessage): void;
}

export interface AdminGuard {
  /**
   * Middleware in front of every route of the admin API. A request that passes has a caller.
   */
  handler: RequestHandler;
  /**
   * Returns the sender of a request.
   * @throws GraphQLError with status 401 for requests that did not pass the middleware
   */
  callerOf(request: IncomingMessage): AdminCaller;
}

/**
 * Creates the middleware that checks the credentials of administrators. It runs before routing and
 * before the body is read. So a request with an invalid credential costs the same fee on every
 * path, and no route can omit the check.
 */
export function createAdminGuard(options: AdminGuardOptions): AdminGuard {
  const { authenticate, rejectStranger, onAnswer = () => {}, onThrottled = () => {} } = options;
  const callers = createObjectNotes<IncomingMessage, AdminCaller>();

  return {
    async handler(request, response, next) {
      let rejection: GraphQLError;
      try {
        callers.set(request, await authenticate(request));
        return next();
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error;
        rejection = error;
      }
      const status = await sendRejection(request, response, rejection, rejectStranger);
      onAnswer(status);
      if (status === 429) onThrottled(request);
    },
    callerOf(request) {
      const caller = callers.get(request);
      if (caller === undefined) throw unauthenticated();
      return caller;
    },
  };
}
