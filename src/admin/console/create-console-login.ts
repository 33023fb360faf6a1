import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { GraphQLError } from 'graphql';
import { z } from 'zod';
import { type RejectRequest, sendRejection } from '../../http/reject-request.js';
import type { AddressOf } from '../../identity/address-of.js';
import { requestError } from '../../model/errors.js';
import type { FeeOutcome } from '../../protection/charge-fee.js';
import type { AdminCaller } from '../context/admin-context.js';
import type { ConsolePlaces } from './console-places.js';
import type { ConsoleSessions } from './create-console-sessions.js';
import { requireOurPage } from './is-of-our-page.js';
import { sendGraphqlError } from './send-graphql-error.js';
import { setSessionCookie } from './set-session-cookie.js';

export interface ConsoleLoginOptions {
  /**
   * Returns the holder of a token in the form of an `Authorization` header.
   * @throws GraphQLError for an invalid token
   */
  byToken(authorization: string, address: string | undefined): Promise<AdminCaller>;
  /** Returns the normalized address under which the sender is counted. */
  addressOf: AddressOf;
  /** Charges the fee of a failed login to the address that sent it. */
  rejectStranger: RejectRequest;
  /** Charges a login to an administrator whose token is valid. */
  chargeLogin(name: string): Promise<FeeOutcome>;
  /**
   * Called when a failed login is denied with 429, because the address of its sender has used up
   * its bucket. It must not throw.
   */
  onThrottled(request: IncomingMessage): void;
}

const loginSchema = z.union([
  z.strictObject({ token: z.string().regex(/^\S{1,256}$/) }),
  z.strictObject({ code: z.string().min(1).max(256) }),
]);

/**
 * Creates the handler of a request that posts a token or a code. If the token or the code is valid,
 * the response sets the cookie of a new session.
 */
export function createConsoleLogin(
  sessions: Pick<ConsoleSessions, 'open' | 'redeem'>,
  { byToken, addressOf, rejectStranger, chargeLogin, onThrottled }: ConsoleLoginOptions,
): (request: Request, response: Response, places: ConsolePlaces) => Promise<void> {
  async function proved(request: Request): Promise<{ caller: AdminCaller; hasToken: boolean }> {
    const { data: given } = loginSchema.safeParse(request.body);
    if (given === undefined) throw badLogin();
    if ('token' in given) return { caller: await byToken(`Bearer ${given.token}`, addressOf(request)), hasToken: true };
    const caller = sessions.redeem(given.code);
    if (!caller) throw badLogin();
    return { caller, hasToken: false };
  }

  return async (request, response, places) => {
    requireOurPage(request);
    try {
      const { caller, hasToken } = await proved(request);
      if (caller.role === 'DECIDER') throw requestError('FORBIDDEN', 'a token with the role DECIDER cannot log in');
      // Only logins by token are charged, because a code is valid only once.
      const { denial } = hasToken ? await chargeLogin(caller.actor.name) : {};
      if (denial) return sendGraphqlError(response, denial);
      setSessionCookie(request, response, places, await sessions.open(caller));
      response.status(204).end();
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const status = await sendRejection(request, response, error, rejectStranger);
      if (status === 429) onThrottled(request);
    }
  };
}

function badLogin(): GraphQLError {
  const expected = 'expected { "token": "..." } with an admin token, or { "code": "..." } from a new, unused link';
  return requestError('UNAUTHENTICATED', expected);
}
