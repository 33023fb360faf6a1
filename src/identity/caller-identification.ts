import type { Identification, Identify, IdentifyRequest } from '../model/identify.js';
import type { Logger } from '../model/logger.js';
import type { IdentifiedSubject, Subject } from '../model/subject.js';
import type { SubjectCache } from '../rules/live/subject-cache.js';
import { isPromise } from '../runtime/is-promise.js';
import {
  type AddressOf,
  createAddressOf,
  type HttpRequest,
  type Ipv6Prefix,
  type TrustedProxies,
  warnOfProxy,
} from './address-of.js';
import { askIdentify, type OnIdentifyFailed } from './ask-identify.js';
import { createIdentifier, disabledError, type IdentifierOptions } from './create-identifier.js';
import { type IgnoredCredentials, isOwnKey } from './credential-of.js';
import { identifyTimeoutOption } from './identify-timeout-option.js';
import type { JwtSettings, TokenVerifier } from './token-verifier.js';

/** What of a request says who sent it. As on the platform, a bad credential is refused, never taken for anonymous. */
export interface IdentityOptions<Context = unknown> {
  /**
   * Whether API keys are looked up: `x-api-key`, or `Authorization: Bearer tg_...`. A key that is unknown, expired or revoked is
   * refused with 401. Needs `postgres`. @default true with `postgres`
   */
  apiKeys?: boolean;
  /**
   * Whose tokens (`Authorization: Bearer`) are taken, and what of them says who is asking. Needs the package `jose`.
   * @default tokens are left to your server, and say nothing of who is asking
   */
  jwt?: JwtSettings;
  /**
   * The proxies in front of the server, whose word about addresses is taken: how many, or the addresses and CIDR blocks that
   * they are in. @default 0: the address of the socket counts
   */
  trustedProxies?: TrustedProxies;
  /**
   * Bits by which IPv6 callers are told apart: 48, 56, 64 or 128. Providers give a customer a /56 or a /48, and hosts of one
   * network share a /64. @default 64
   */
  ipv6Prefix?: Ipv6Prefix;
  /**
   * Where in Apollo's context value the HTTP request is, with its socket and headers: the addresses of callers are read there.
   * @default `req`, else `request`
   */
  request?: (contextValue: Context) => HttpRequest | undefined;
}

/** For a server that identifies the sender of each HTTP request itself, once, by `ofRequest`. */
export interface IdentifiedRequests<Context> {
  /** Who sent the request of a context value, as `ofRequest` resolved. Nothing is added to it. */
  subjectOf(contextValue: Context): Subject;
  /** Credentials that others check. All others are checked: without an issuer of tokens, tokens are rejected. */
  ignored: IgnoredCredentials;
  /** The setting of trusted proxies, as warnings name it. */
  trustedProxiesName: string;
}

/** Who sends requests, and who pays for those without a good credential. */
export interface CallerIdentification<Context> {
  identification: Identification<Context>;
  /** Rejects with a GraphQLError where a credential is bad. */
  ofRequest(request: HttpRequest): Promise<Subject>;
  /** Returns the address of a request's sender, as callers are counted by it. */
  addressOf: AddressOf;
}

interface IdentifyCallersOptions<Context> {
  /** Is asked first. @default nobody is known but by what `identity` says */
  identify: Identify<Context> | undefined;
  /** @default 10000 */
  identifyTimeoutMs?: number | undefined;
  identity: IdentityOptions<Context> | undefined;
  /** Undefined: there is no PostgreSQL to look them up in. */
  subjects: SubjectCache | undefined;
  logger: Logger;
  onIdentifyFailed: OnIdentifyFailed;
  /** @default senders are identified as their operations begin */
  requests?: IdentifiedRequests<Context> | undefined;
}

/**
 * Says who is asking: whom `identify` names, else the holder of an API key, else the user of a token, else the address. Whoever
 * comes without a tier gets what is stored about them. What `identity` holds was checked before (`identityOption`).
 */
export async function createCallerIdentification<Context>({
  identify,
  identifyTimeoutMs = identifyTimeoutOption.default,
  identity = {},
  subjects,
  logger,
  onIdentifyFailed,
  requests,
}: IdentifyCallersOptions<Context>): Promise<CallerIdentification<Context>> {
  const {
    apiKeys = subjects !== undefined,
    jwt,
    trustedProxies = 0,
    ipv6Prefix,
    request: requestOf = httpRequestOf,
  } = identity;
  const onUntrusted = warnOfProxy(logger, requests?.trustedProxiesName ?? 'identity.trustedProxies');
  const readAddress = createAddressOf(trustedProxies, { ipv6Prefix, onUntrusted });
  const identifySender = createIdentifier({
    subjects: subjects ?? NOTHING_STORED,
    verifyToken: jwt && (await createVerifier(jwt)),
    ignored: requests?.ignored ?? { keys: !apiKeys, tokens: jwt === undefined },
  });
  const says = { address: once(logger), token: once(logger), key: once(logger) };
  /** Else a tenant alone has one bucket, as it was named: not one for each address of it, nor one with all who share a proxy. */
  const dividesTenants = Object.keys(identity).length > 0;

  function addressOf(contextValue: Context): string | undefined {
    const request = requestOf(contextValue);
    if (request) {
      if (!isHttpRequest(request)) throw new TypeError(NOT_A_REQUEST);
      return readAddress(request);
    }
    // Those who name their callers themselves need none.
    if (!identify) says.address(NO_REQUEST);
    return undefined;
  }

  async function bySender(request: IdentifyRequest<Context>): Promise<IdentifiedSubject> {
    const ip = addressOf(request.contextValue);
    const { header } = request;
    if (!identify && !jwt && isToken(header('authorization'))) says.token(UNCHECKED_TOKEN);
    if (!subjects && identity.apiKeys === undefined && hasOwnKey(header)) says.key(UNCHECKED_KEY);
    return identifySender({ header, ip });
  }

  /** No promise but where there is something to wait for: every request passes here. */
  function complete(
    request: IdentifyRequest<Context>,
    found: IdentifiedSubject,
    ip: string | undefined,
  ): IdentifiedSubject | Promise<IdentifiedSubject> {
    if (namesNobody(found)) return bySender(request).then((sender) => ({ ...sender, ...saidOf(found) }));
    const isOne = dividesTenants || found.user !== undefined || found.apiKey !== undefined;
    const named = ip === undefined || found.ip !== undefined || !isOne ? found : { ...found, ip };
    return subjects && lacksTier(named) ? withWhatIsStored(named, subjects) : named;
  }

  function byWordOf(ask: Identify<Context>): Identify<Context> {
    return (request) => {
      // Before anything is waited for: a socket that is closed meanwhile has no address any more.
      const ip = addressOf(request.contextValue);
      const found = ask(request);
      return isPromise(found) ? found.then((one) => complete(request, one, ip)) : complete(request, found, ip);
    };
  }

  function identifierOf(): Identify<Context> {
    if (requests) return ({ contextValue }) => requests.subjectOf(contextValue);
    return identify ? byWordOf(askIdentify(identify, onIdentifyFailed, identifyTimeoutMs)) : bySender;
  }

  const identification = Object.assign(identifierOf(), {
    // A bad credential names no caller: the address that sent it pays.
    sender({ contextValue }: IdentifyRequest<Context>): IdentifiedSubject | undefined {
      let ip: string | undefined;
      try {
        ip = addressOf(contextValue);
      } catch {
        return undefined; // `identity.request` failed, which was told when the caller was to be identified.
      }
      return identify && ip === undefined ? undefined : { ip };
    },
  });
  return {
    identification,
    ofRequest(request) {
      const header = (name: string) => request.headers[name]?.toString();
      return identifySender({ header, ip: readAddress(request) });
    },
    addressOf: readAddress,
  };
}

const NO_REQUEST =
  'The addresses of callers are not known, so all without a credential share one bucket: put the HTTP request into the context of ' +
  'Apollo Server, context: async ({ req }) => ({ req }), or say with identity.request where it is';
const NOT_A_REQUEST =
  "identity.request: expected Node's HTTP request, with headers and a socket, or undefined; a Fetch Request says nothing of the address of a caller";
const UNCHECKED_TOKEN =
  'A request brought a token, and nothing says whose tokens are good: its sender counts as an address. Give identity.jwt, or ' +
  'identify';
const UNCHECKED_KEY =
  'A request brought an API key of Tollgate, and there is no PostgreSQL to look it up in: its sender counts as an address. Give postgres, ' +
  'that of the platform which made the key, or say identity: { apiKeys: false }';

/** Without a PostgreSQL a token says all there is to know. */
const NOTHING_STORED: IdentifierOptions['subjects'] = {
  holderOf: async () => undefined,
  knowsKey: () => true,
  resolve: async (subject) => ({ subject, disabled: false }),
};

/** Loaded where it is asked for: most servers have no tokens checked. */
async function createVerifier(jwt: JwtSettings): Promise<TokenVerifier> {
  const { createTokenVerifier } = await import('./token-verifier.js');
  return createTokenVerifier(jwt);
}

/**
 * Where Apollo's integrations put the request, when they are told to: `context: async ({ req }) => ({ req })`. NestJS puts what graphql-ws knows
 * of a connection there, which has the request of the handshake.
 */
function httpRequestOf(contextValue: unknown): HttpRequest | undefined {
  const { req, request } = (contextValue ?? {}) as { req?: unknown; request?: unknown };
  if (isHttpRequest(req)) return req;
  if (isHttpRequest(request)) return request;
  const ofHandshake = (req as { extra?: { request?: unknown } } | null | undefined)?.extra?.request;
  return isHttpRequest(ofHandshake) ? ofHandshake : undefined;
}

function isHttpRequest(value: unknown): value is HttpRequest {
  const { headers, socket } = (value ?? {}) as Partial<HttpRequest>;
  return typeof headers === 'object' && typeof socket === 'object' && socket !== null;
}

function namesNobody(found: IdentifiedSubject): boolean {
  return found.user === undefined && found.tenant === undefined && found.apiKey === undefined;
}

/** What was said all the same, such as the address. */
function saidOf(found: IdentifiedSubject): Subject {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function lacksTier({ user, tenant, tier, bucket }: IdentifiedSubject): boolean {
  return tier === undefined && bucket === undefined && (user !== undefined || tenant !== undefined);
}

async function withWhatIsStored(found: IdentifiedSubject, subjects: SubjectCache): Promise<Subject> {
  const { subject, disabled } = await subjects.resolve(found as Subject); // Undefined is the same as absent.
  if (disabled) throw disabledError();
  return subject;
}

function hasOwnKey(header: IdentifyRequest['header']): boolean {
  const authorization = header('authorization');
  return isOwnKey(header('x-api-key') ?? '') || (authorization !== undefined && /^bearer +tg_/i.test(authorization));
}

function isToken(authorization: string | undefined): boolean {
  return authorization !== undefined && /^bearer +(?!tg_)/i.test(authorization);
}

/** Passes on the first of many warnings alike. */
function once(logger: Logger): (message: string) => void {
  let said = false;
  return (message) => {
    if (!said) logger.warn(message);
    said = true;
  };
}
