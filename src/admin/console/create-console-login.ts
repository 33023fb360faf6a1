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
import { sendRefusal } from './send-refusal.js';
import { setSessionCookie } from './set-session-cookie.js';

export interface ConsoleLoginOptions {
  /** Who a token belongs to, as `Authorization` has it. Throws the GraphQLError of a refusal. */
  byToken(authorization: string, address: string | undefined): Promise<AdminCaller>;
  /** Address of the sender, as it is counted. */
  addressOf: AddressOf;
  /** Charges the fee of a failed login to the address that it came from. */
  rejectStranger: RejectRequest;
  /** Takes the price of a login from an administrator whose token is good. */
  chargeLogin(name: string): Promise<FeeOutcome>;
  /** Called for a guess that was answered with 429, as its address has nothing left; must not throw. */
  onShutOut(request: IncomingMessage): void;
}

const loginSchema = z.union([
  z.strictObject({ token: z.string().regex(/^\S{1,256}$/) }),
  z.strictObject({ code: z.string().min(1).max(256) }),
]);

/** @returns answers a request that posts a token or a code: with the cookie of a new session where that is good. */
export function createConsoleLogin(
  sessions: Pick<ConsoleSessions, 'open' | 'redeem'>,
  { byToken, addressOf, rejectStranger, chargeLogin, onShutOut }: ConsoleLoginOptions,
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
      // A token can be posted without end, a code once.
      const { denial } = hasToken ? await chargeLogin(caller.actor.name) : {};
      if (denial) return sendRefusal(response, denial);
      setSessionCookie(request, response, places, await sessions.open(caller));
      response.status(204).end();
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const status = await sendRejection(request, response, error, rejectStranger);
      if (status === 429) onShutOut(request);
    }
  };
}

function badLogin(): GraphQLError {
  const expected =
    'expected { "token": "..." } of an administrator, or { "code": "..." } of a link that is new and was not used';
  return requestError('UNAUTHENTICATED', expected);
}
