import type { IncomingMessage } from 'node:http';
import type { GraphQLError } from 'graphql';
import type { Registry } from 'prom-client';
import type { ReadingProtect } from '../any-server/protect.js';
import { apiRoutes } from '../decisions/api-routes.js';
import { createDecisionAccess, type Decider } from '../decisions/create-decision-access.js';
import { createDecisionHandler, type DecisionHandler } from '../decisions/create-decision-handler.js';
import { createDecisions, type NamedCaller } from '../decisions/create-decisions.js';
import { createReceiptSeal } from '../decisions/create-receipt-seal.js';
import type { ElsewhereContext } from '../decisions/elsewhere-context.js';
import { apolloRouterRoute } from '../decisions/integrations/apollo-router-route.js';
import { extAuthzRoute } from '../decisions/integrations/ext-authz-route.js';
import { hasuraRoutes } from '../decisions/integrations/hasura-routes.js';
import type { HttpRequest } from '../identity/address-of.js';
import { identityUnavailable } from '../identity/authentication-error.js';
import { disabledError } from '../identity/create-identifier.js';
import type { Logger } from '../model/logger.js';
import type { Subject } from '../model/subject.js';
import { createDeciderMetrics } from '../observability/metrics/create-decider-metrics.js';
import { reportSometimes } from '../observability/report-sometimes.js';
import type { Queryable } from '../postgres/db.js';
import type { Answer } from '../protection/answer/answer-of.js';
import { IdentityUnavailable } from '../rules/live/identity-unavailable.js';
import { epochClock, monotonicClock } from '../runtime/clock.js';
import { withTimeout } from '../runtime/with-timeout.js';
import type { PlatformTollgate } from '../tollgate/create-tollgate.js';
import type { ApiContext } from './api-context.js';
import type { Config } from './config/config.js';
import { type DecisionListener, listenForDecisions } from './http/listen-for-decisions.js';
import { openReceiptKeys } from './open-receipt-keys.js';

interface OpenDecisionsOptions {
  config: Config;
  tollgate: PlatformTollgate<ApiContext>;
  db: Queryable;
  registry: Registry;
  /** Authentication that the admin API also uses, so that all guesses share one limit. */
  admin: {
    decider(authorization: string, request: IncomingMessage): Promise<Decider>;
    rejectStranger(request: IncomingMessage, errors: readonly GraphQLError[]): Promise<Answer>;
  };
  onAnswer(path: string, status: number): void;
  logger: Logger;
}

export interface OpenDecisions {
  handler: DecisionHandler;
  paths: readonly string[];
  /** Ports and sockets with HTTP/2, in addition to the port of the platform. */
  listeners: readonly DecisionListener[];
  close(): Promise<void>;
}

/**
 * Maximum times to look up the token of the asking server and to identify the caller of a decision,
 * in milliseconds. A router waits for about 200 ms for the whole decision. A longer deadline of
 * Redis also applies to both.
 */
const LOOK_UP_MS = 60;
const IDENTIFY_MS = 120;

/** Address that stands for the asking server if it does not name the address of the caller. */
const LOOPBACK = '127.0.0.1';

/** Opens the decision service of a platform. Resolves to undefined if the settings turn it off. */
export async function openDecisions(options: OpenDecisionsOptions): Promise<OpenDecisions | undefined> {
  const { config, tollgate, db, registry, admin, logger } = options;
  const { decisions: settings } = config;
  if (!settings) return undefined;
  const { callers, subjects, persistedTexts, registered, limiter } = tollgate;
  const keys = await openReceiptKeys(db, logger);
  const decide = tollgate.decide as unknown as ReadingProtect<ElsewhereContext>['decide'];

  /** Returns the address of a caller with a subject; undefined if it is unknown. */
  function addressOf(caller: NamedCaller): string | undefined {
    const address = callers.addressOf(requestOf(caller));
    // Otherwise a limit per address would count all callers of the asking server as one.
    return caller.address === undefined && address === LOOPBACK ? undefined : address;
  }

  async function find(caller: NamedCaller): Promise<Subject> {
    if (!caller.subject) return callers.ofRequest(requestOf(caller));
    const named = definedMembers({ ...caller.subject, ip: caller.subject.ip ?? addressOf(caller) });
    if (!subjects) return named;
    const { subject, disabled } = await subjects.resolve(named).catch((error: unknown) => {
      if (!(error instanceof IdentityUnavailable)) throw error;
      throw identityUnavailable('the store of callers is unavailable', error);
    });
    if (disabled) throw disabledError();
    return subject;
  }

  const identify = (caller: NamedCaller): Promise<Subject> =>
    withTimeout(find(caller), Math.max(IDENTIFY_MS, config.deadlineMs), () => {
      throw identityUnavailable('the look-up takes too long', undefined);
    });

  const onFailed = reportSometimes((error) => logger.error({ err: error }, 'A decision failed'));
  const metrics = createDeciderMetrics(registry, monotonicClock);
  const decisions = metrics.measure(
    createDecisions({
      decide: () => decide,
      limiter,
      seal: createReceiptSeal(keys.all),
      identify,
      payerOf: (caller) => definedMembers(caller.subject ?? { ip: callers.addressOf(requestOf(caller)) }),
      scoreHeader: settings.scoreHeader,
      onSettlement: metrics.onSettlement,
      now: epochClock,
      onError: onFailed,
    }),
  );
  const { maxBodyBytes } = config;
  const routes = [
    ...apiRoutes({
      decisions,
      preview: () => tollgate.preview,
      identify,
      documents: { persistedTexts, registered },
      maxBodyBytes,
    }),
    apolloRouterRoute({ decisions, claims: { user: settings.userClaim, tenant: settings.tenantClaim } }),
    extAuthzRoute({ decisions, maxBodyBytes }),
    ...hasuraRoutes({ decisions, maxBodyBytes, now: epochClock }),
  ];
  const handler = createDecisionHandler({
    routes,
    access: createDecisionAccess({
      authenticate: admin.decider,
      maxPerSecond: settings.maxPerSecond,
      lookUpMs: Math.max(LOOK_UP_MS, config.deadlineMs),
      clock: monotonicClock,
    }),
    rejectStranger: admin.rejectStranger,
    onAnswer: options.onAnswer,
    onError: onFailed,
  });
  const listeners: DecisionListener[] = [];
  const { port, socket } = settings;
  const { host, requestTimeoutMs } = config;
  const close = async () => {
    for (const one of listeners) await one.stop(0);
    decisions.close();
    await keys.close();
  };
  try {
    if (port !== undefined) listeners.push(await listenForDecisions({ handler, at: { host, port }, requestTimeoutMs }));
    if (socket !== undefined)
      listeners.push(await listenForDecisions({ handler, at: { path: socket }, requestTimeoutMs }));
  } catch (error) {
    await close();
    throw error;
  }
  return { handler, paths: routes.map(({ path }) => path), listeners, close };
}

/** Returns the request of a caller. The asking server counts as the nearest proxy of the caller. */
function requestOf({ headers = {}, address }: NamedCaller): HttpRequest {
  if (address === undefined) return { headers, socket: { remoteAddress: LOOPBACK } };
  // The asking server has found the address itself, so the list of proxies must not replace it.
  const { 'x-forwarded-for': _forwarded, forwarded: _standard, ...others } = headers;
  return { headers: others, socket: { remoteAddress: address } };
}

function definedMembers(subject: { [Name in keyof Subject]?: Subject[Name] | undefined }): Subject {
  return Object.fromEntries(Object.entries(subject).filter(([, value]) => value !== undefined));
}
