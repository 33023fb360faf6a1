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

/**
 * Settings for the identification of senders. As on the platform, a request with a bad credential
 * is rejected and never counts as anonymous.
 */
export interface IdentityOptions<Context = unknown> {
  /**
   * Whether API keys are looked up: `x-api-key`, or `Authorization: Bearer tg_...`. An unknown,
   * expired or revoked key is rejected with 401. Requires `postgres`.
   * @default true with `postgres`
   */
  apiKeys?: boolean;
  /**
   * Issuer of the accepted tokens (`Authorization: Bearer`), and the claims that identify the
   * caller. Requires the package `jose`.
   * @default tokens do not identify the caller, and your server checks them
   */
  jwt?: JwtSettings;
  /**
   * Proxies in front of the server whose `X-Forwarded-For` is trusted: their number, or their
   * addresses and CIDR blocks.
   * @default 0: the address of the socket identifies the caller
   */
  trustedProxies?: TrustedProxies;
  /**
   * Number of leading bits by which IPv6 callers are distinguished: 48, 56, 64 or 128. Providers
   * assign a /56 or a /48 to a customer, and hosts of one network share a /64.
   * @default 64
   */
  ipv6Prefix?: Ipv6Prefix;
  /**
   * Function that returns the HTTP request, with its socket and headers, from Apollo's context
   * value. Tollgate reads the addresses of callers from this request.
   * @default `req`, else `request`
   */
  request?: (contextValue: Context) => HttpRequest | undefined;
}

/**
 * Identification of senders in a server that calls `ofRequest` itself, once for each HTTP request.
 */
export interface IdentifiedRequests<Context> {
  /**
   * Returns the sender that `ofRequest` resolved for the request of a context value. The subject is
   * used unchanged. If it is undefined, the headers of the operation identify the sender, such as
   * those of the handshake of a WebSocket.
   */
  subjectOf(contextValue: Context): Subject | undefined;
  /**
   * Credentials that another component checks. All others are checked here. If no token issuer is
   * configured, tokens are rejected.
   */
  ignored: IgnoredCredentials;
  /** Name of the setting for trusted proxies, for warnings. */
  trustedProxiesName: string;
}

/**
 * Identification of senders, and of the caller to charge for a request without a valid credential.
 */
export interface CallerIdentification<Context> {
  identification: Identification<Context>;
  /** Returns the sender of a request. Rejects with a GraphQLError if the credential is bad. */
  ofRequest(request: HttpRequest): Promise<Subject>;
  /** Returns the address by which a request's sender is counted. */
  addressOf: AddressOf;
}

interface IdentifyCallersOptions<Context> {
  /**
   * Function of the server that is called before any other identification.
   * @default only `identity` identifies callers
   */
  identify: Identify<Context> | undefined;
  /** Time after which a call of `identify` fails, in milliseconds. @default 10000 */
  identifyTimeoutMs?: number | undefined;
  identity: IdentityOptions<Context> | undefined;
  /** Stored subjects; undefined without PostgreSQL. */
  subjects: SubjectCache | undefined;
  logger: Logger;
  onIdentifyFailed: OnIdentifyFailed;
  /**
   * Identification by the server itself, once for each HTTP request.
   * @default senders are identified when their operations begin
   */
  requests?: IdentifiedRequests<Context> | undefined;
}

/**
 * Creates the identification of callers. The first available of these identifies the caller: the
 * result of `identify`, the holder of an API key, the user of a token, the address. For a caller
 * without a tier, the stored tier and bucket apply.
 *
 * `identity` must have been checked with `identityOption`.
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
  const warnOnce = { address: once(logger), token: once(logger), key: once(logger) };
  /**
   * Whether a caller is also identified by address if `identify` returns only a tenant. The tenant
   * then has one bucket per address. Without `identity`, all these callers share one bucket.
   */
  const dividesTenants = Object.keys(identity).length > 0;

  function addressOf(contextValue: Context): string | undefined {
    const request = requestOf(contextValue);
    if (request) {
      if (!isHttpRequest(request)) throw new TypeError(NOT_A_REQUEST);
      return readAddress(request);
    }
    // A server with its own `identify` does not need the address.
    if (!identify) warnOnce.address(NO_REQUEST);
    return undefined;
  }

  async function bySender(request: IdentifyRequest<Context>): Promise<IdentifiedSubject> {
    const ip = addressOf(request.contextValue);
    const { header } = request;
    if (!identify && !jwt && isToken(header('authorization'))) warnOnce.token(UNCHECKED_TOKEN);
    if (!subjects && identity.apiKeys === undefined && hasOwnKey(header)) warnOnce.key(UNCHECKED_KEY);
    return identifySender({ header, ip });
  }

  /**
   * Completes the result of `identify`. If the server has an `identify`, every request takes this
   * path. A promise is therefore returned only if a look-up is needed.
   */
  function complete(
    request: IdentifyRequest<Context>,
    found: IdentifiedSubject,
    ip: string | undefined,
  ): IdentifiedSubject | Promise<IdentifiedSubject> {
    if (namesNoCaller(found)) return bySender(request).then((sender) => ({ ...sender, ...definedMembersOf(found) }));
    const isOne = dividesTenants || found.user !== undefined || found.apiKey !== undefined;
    const named = ip === undefined || found.ip !== undefined || !isOne ? found : { ...found, ip };
    return subjects && lacksTier(named) ? withWhatIsStored(named, subjects) : named;
  }

  function byWordOf(ask: Identify<Context>): Identify<Context> {
    return (request) => {
      // The address is read before any wait: a socket that closes in the meantime has no address.
      const ip = addressOf(request.contextValue);
      const found = ask(request);
      return isPromise(found) ? found.then((one) => complete(request, one, ip)) : complete(request, found, ip);
    };
  }

  function identifierOf(): Identify<Context> {
    if (requests) return (request) => requests.subjectOf(request.contextValue) ?? bySender(request);
    return identify ? byWordOf(askIdentify(identify, onIdentifyFailed, identifyTimeoutMs)) : bySender;
  }

  const identification = Object.assign(identifierOf(), {
    // A bad credential identifies no caller, so the address that sent it is charged.
    sender({ contextValue }: IdentifyRequest<Context>): IdentifiedSubject | undefined {
      let ip: string | undefined;
      try {
        ip = addressOf(contextValue);
      } catch {
        return undefined; // `identity.request` failed. The failure was reported when the caller was identified.
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
  'The addresses of callers are unknown, so all callers without a credential share one bucket. Put the HTTP request into the context of ' +
  'Apollo Server, context: async ({ req }) => ({ req }), or set identity.request to a function that returns it';
const NOT_A_REQUEST =
  "identity.request: expected Node's HTTP request, with headers and a socket, or undefined; a Fetch Request lacks the address of the caller";
const UNCHECKED_TOKEN =
  'A request had a token, but no token issuer is configured: the caller is identified only by address. Set identity.jwt or ' +
  'identify';
const UNCHECKED_KEY =
  'A request had an API key of Tollgate, but no PostgreSQL is configured to look it up: the caller is identified only by address. ' +
  'Set postgres to the database of the platform that made the key, or set identity: { apiKeys: false }';

/** Used without PostgreSQL: no subject is stored, so the token alone identifies the caller. */
const NOTHING_STORED: IdentifierOptions['subjects'] = {
  holderOf: async () => undefined,
  knowsKey: () => true,
  resolve: async (subject) => ({ subject, disabled: false }),
};

/**
 * Creates the verifier of tokens. Its module is loaded on demand, because most servers do not check
 * tokens.
 */
async function createVerifier(jwt: JwtSettings): Promise<TokenVerifier> {
  const { createTokenVerifier } = await import('./token-verifier.js');
  return createTokenVerifier(jwt);
}

/**
 * Returns the HTTP request in a context value. Apollo's integrations have it in `req` or `request`,
 * by a context function such as `async ({ req }) => ({ req })`. For a WebSocket, NestJS sets `req`
 * to the connection state of graphql-ws instead, which contains the request of the handshake.
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

function namesNoCaller(found: IdentifiedSubject): boolean {
  return found.user === undefined && found.tenant === undefined && found.apiKey === undefined;
}

/** Returns the members that are defined, such as the address. */
function definedMembersOf(found: IdentifiedSubject): Subject {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function lacksTier({ user, tenant, tier, bucket }: IdentifiedSubject): boolean {
  return tier === undefined && bucket === undefined && (user !== undefined || tenant !== undefined);
}

async function withWhatIsStored(found: IdentifiedSubject, subjects: SubjectCache): Promise<Subject> {
  const { subject, disabled } = await subjects.resolve(found as Subject); // Undefined members count as absent.
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

/** Returns a function that logs its first message only. */
function once(logger: Logger): (message: string) => void {
  let isLogged = false;
  return (message) => {
    if (!isLogged) logger.warn(message);
    isLogged = true;
  };
}
