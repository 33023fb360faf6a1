import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { GraphQLError } from 'graphql';
import { answerWithFee } from '../../http/graphql-handler.js';
import type { FeeOutcome } from '../../protection/fee.js';
import { createObjectNotes } from '../../runtime/attach-to-object.js';
import type { AdminCaller } from '../context/admin-context.js';
import { unauthenticated } from '../context/authenticate-admin.js';

interface AdminDoorOptions {
  /** Who asks; throws the GraphQLError of a refusal. */
  authenticate(request: IncomingMessage): Promise<AdminCaller>;
  /** Takes the fee of a request without a good credential from the address that it came from. */
  chargeStranger(request: IncomingMessage): Promise<FeeOutcome>;
  /** Called with the status of each refusal; must not throw. */
  onAnswer?(status: number): void;
  /** Called for a guess that was answered with 429, as its address has nothing left; must not throw. */
  onShutOut?(request: IncomingMessage): void;
  /** A page without data, which may be looked at before one has said who one is. @default none */
  isPage?(request: IncomingMessage): boolean;
}

interface AdminDoor {
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
  const { authenticate, chargeStranger, onAnswer = () => {}, onShutOut = () => {}, isPage = () => false } = options;
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
      const status = await answerWithFee({ chargeFee: chargeStranger }, request, response, answerOf(refusal));
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

/** A refusal as it is sent. */
export function answerOf({ message, extensions }: GraphQLError) {
  const { code, http } = extensions as { code?: string; http?: { status?: number; headers?: Map<string, string> } };
  return {
    status: http?.status ?? 500,
    headers: new Map([
      ['content-type', 'application/json; charset=utf-8'],
      ['cache-control', 'no-store'],
      ...(http?.headers ?? []),
    ]),
    body: JSON.stringify({ errors: [{ message, extensions: { code } }] }),
  };
}
