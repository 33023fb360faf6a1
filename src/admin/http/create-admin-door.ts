import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { GraphQLError } from 'graphql';
import { type RejectRequest, sendRejection } from '../../http/reject-request.js';
import { createObjectNotes } from '../../runtime/create-object-notes.js';
import type { AdminCaller } from '../context/admin-context.js';
import { unauthenticated } from '../context/create-admin-authenticator.js';

interface AdminDoorOptions {
  /** Who asks; throws the GraphQLError of a refusal. */
  authenticate(request: IncomingMessage): Promise<AdminCaller>;
  /** Charges the fee of a request without a good credential to the address that sent it. */
  rejectStranger: RejectRequest;
  /** Called with the status of each refusal; must not throw. */
  onAnswer?(status: number): void;
  /** Called for a guess that was answered with 429, as its address has nothing left; must not throw. */
  onShutOut?(request: IncomingMessage): void;
  /** A page without data, which may be looked at before one has said who one is. @default none */
  isPage?(request: IncomingMessage): boolean;
}

export interface AdminDoor {
  /** Stands before every route of the administration; what it lets through has a caller, or is a page. */
  handler: RequestHandler;
  /** Who sent a request; undefined for who looks at a page. */
  visitorOf(request: IncomingMessage): AdminCaller | undefined;
  /**
   * The same where the sender must be known. Throws the GraphQLError of the 401 for visitors, and for what has not come this
   * way.
   */
  callerOf(request: IncomingMessage): AdminCaller;
}

/**
 * The one place where the credentials of administrators are looked at: before a route is chosen and before a byte of the body
 * is read. A guess pays the same fee wherever it is made, and a route that was forgotten answers 401 as the others do.
 */
export function createAdminDoor(options: AdminDoorOptions): AdminDoor {
  const { authenticate, rejectStranger, onAnswer = () => {}, onShutOut = () => {}, isPage = () => false } = options;
  const callers = createObjectNotes<IncomingMessage, AdminCaller>();

  return {
    async handler(request, response, next) {
      let refusal: GraphQLError;
      try {
        callers.set(request, await authenticate(request));
        return next();
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error;
        if (isPage(request)) return next();
        refusal = error;
      }
      const status = await sendRejection(request, response, refusal, rejectStranger);
      onAnswer(status);
      if (status === 429) onShutOut(request);
    },
    visitorOf: (request) => callers.get(request),
    callerOf(request) {
      const caller = callers.get(request);
      if (caller === undefined) throw unauthenticated();
      return caller;
    },
  };
}
