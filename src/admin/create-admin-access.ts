import type { IncomingMessage } from 'node:http';
import type { RejectRequest } from '../http/reject-request.js';
import type { RulesStore } from '../rules/store/rules-store.js';
import type { AdminHandlerOptions } from './admin-handler-options.js';
import { ADMIN_PATHS } from './admin-paths.js';
import { callerOfHost } from './caller-of-host.js';
import { type Console, createConsole } from './console/create-console.js';
import type { AdminCaller } from './context/admin-context.js';
import { type AdminAuthenticator, NO_API_KEYS, unauthenticated } from './context/create-admin-authenticator.js';
import type { AdminProtection, Sender } from './create-admin-protection.js';
import type { Strangers } from './create-strangers.js';
import { type AdminGuard, createAdminGuard } from './http/create-admin-guard.js';

interface AdminAccessParts {
  strangers: Strangers;
  byToken: AdminAuthenticator;
  store: RulesStore;
  protection: AdminProtection;
  /** Whether this process serves the sample API. */
  demo: boolean;
  onError(error: unknown): void;
}

/** Authentication of administrators, and the fee for requests that never reach an operation. */
export interface AdminAccess {
  /** Console, which handles its own login. */
  pages: Console;
  /** Authentication in front of all other routes. */
  guard: AdminGuard;
  /**
   * Returns the current caller.
   * @throws GraphQLError if the request has no valid credential
   */
  authenticate(request: IncomingMessage): Promise<AdminCaller>;
  senderOf(request: IncomingMessage): Sender;
  reject: RejectRequest;
}

export function createAdminAccess(
  { token, authorize, readOnly = false, onAnswer = () => {} }: AdminHandlerOptions,
  { strangers, byToken, store, protection, demo, onError }: AdminAccessParts,
): AdminAccess {
  const { addressOf, guesses, onThrottled } = strangers;
  const byHost = (request: IncomingMessage) => callerOfHost(authorize, request);
  const rejectStranger: RejectRequest = (request, errors) => protection.reject({ ip: addressOf(request) }, errors);
  const pages = createConsole({
    byToken,
    addressOf,
    guesses,
    token,
    store,
    byHost,
    rejectStranger,
    chargeLogin: protection.chargeLogin,
    onThrottled,
    readOnly,
    demo,
    onAnswer: (status) => onAnswer(ADMIN_PATHS.CONSOLE, status),
    onError,
  });

  async function authenticate(request: IncomingMessage): Promise<AdminCaller> {
    const caller = await identify(request);
    // A decider may read nothing, so it does not become a viewer.
    return readOnly && caller.role !== 'DECIDER' ? { ...caller, role: 'VIEWER' } : caller;
  }
  async function identify(request: IncomingMessage): Promise<AdminCaller> {
    const ofHost = await byHost(request);
    if (ofHost) return ofHost;
    const { authorization } = request.headers;
    if (authorization !== undefined) return byToken(authorization, addressOf(request));
    const inSession = await pages.callerOf(request);
    if (inSession) return inSession;
    throw unauthenticated(request.headers['x-api-key'] === undefined ? undefined : NO_API_KEYS);
  }

  const guard = createAdminGuard({
    authenticate,
    rejectStranger,
    onAnswer: (status) => onAnswer('', status),
    onThrottled,
  });

  function senderOf(request: IncomingMessage): Sender {
    return { name: guard.callerOf(request).actor.name };
  }

  return {
    pages,
    guard,
    authenticate,
    senderOf,
    reject: (request, errors) => protection.reject(senderOf(request), errors),
  };
}
