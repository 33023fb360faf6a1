import { createAddressOf } from './address.js';

const MEMBERS = ['apiKeys', 'jwt', 'trustedProxies', 'request'];
const JWT_TEXTS = ['jwksUrl', 'issuer', 'audience'];
const JWT_MEMBERS = [...JWT_TEXTS, 'algorithms', 'userClaim', 'tenantClaim', 'timeoutMs', 'cooldownMs'];
/** Those with a key pair. With a shared secret, whoever checks tokens could make them; unsigned ones anybody makes. */
const ALGORITHM = /^(?:(?:RS|PS|ES)(?:256|384|512)|Ed25519|EdDSA)$/;

/** @throws TypeError that lists every mistake in `identity`, which may be anything. */
export function checkIdentity(identity: unknown, { hasPostgres }: { hasPostgres: boolean }): void {
  const problems = [...problemsOf(identity, hasPostgres)];
  if (problems.length > 0) throw new TypeError(`identity:\n  ${problems.join('\n  ')}`);
}

function* problemsOf(identity: unknown, hasPostgres: boolean): Iterable<string> {
  if (!isObject(identity)) return yield `identity: expected an object, ${got(identity)}`;
  yield* unknownMembers('identity', identity, MEMBERS);
  const { apiKeys, jwt, trustedProxies, request } = identity;
  if (apiKeys !== undefined && typeof apiKeys !== 'boolean')
    yield `identity.apiKeys: expected true or false, ${got(apiKeys)}`;
  if (apiKeys === true && !hasPostgres) yield 'identity.apiKeys: expected `postgres` with it, where keys are stored';
  if (request !== undefined && typeof request !== 'function') {
    yield `identity.request: expected a function, such as ({ req }) => req, ${got(request)}`;
  }
  if (trustedProxies !== undefined) yield* problemsOfProxies(trustedProxies);
  if (jwt !== undefined) yield* problemsOfJwt(jwt);
}

function* problemsOfProxies(trusted: unknown): Iterable<string> {
  const expected =
    'identity.trustedProxies: expected how many proxies stand in front (0 to 32), or a list of their addresses and CIDR blocks';
  if (typeof trusted === 'number') {
    if (!Number.isInteger(trusted) || trusted < 0 || trusted > 32) yield `${expected}, ${got(trusted)}`;
    return;
  }
  if (!Array.isArray(trusted) || !trusted.every((one) => typeof one === 'string'))
    return yield `${expected}, ${got(trusted)}`;
  try {
    createAddressOf(trusted);
  } catch (error) {
    yield `${expected}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function* problemsOfJwt(jwt: unknown): Iterable<string> {
  if (!isObject(jwt)) return yield `identity.jwt: expected an object, ${got(jwt)}`;
  yield* unknownMembers('identity.jwt', jwt, JWT_MEMBERS);
  for (const name of JWT_TEXTS) {
    const value = jwt[name];
    if (typeof value !== 'string' || value === '') yield `identity.jwt.${name}: expected a text, ${got(value)}`;
  }
  const { jwksUrl, algorithms } = jwt;
  if (typeof jwksUrl === 'string' && jwksUrl !== '' && !isHttpUrl(jwksUrl)) {
    yield `identity.jwt.jwksUrl: expected a URL that begins with https:// or http://, ${got(jwksUrl)}`;
  }
  const areGood =
    Array.isArray(algorithms) &&
    algorithms.length > 0 &&
    algorithms.every((one) => typeof one === 'string' && ALGORITHM.test(one));
  if (!areGood) {
    yield `identity.jwt.algorithms: expected a list of algorithms with a key pair, such as ["RS256", "ES256"], ${got(algorithms)}`;
  }
  for (const name of ['userClaim', 'tenantClaim']) {
    const value = jwt[name];
    if (value !== undefined && (typeof value !== 'string' || value === '')) {
      yield `identity.jwt.${name}: expected the name of a claim, ${got(value)}`;
    }
  }
}

function* unknownMembers(where: string, value: object, known: readonly string[]): Iterable<string> {
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) yield `${where}.${name}: unknown; expected one of ${known.join(', ')}`;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const got = (value: unknown) => (value === undefined ? 'got nothing' : `got ${JSON.stringify(value)}`);

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
