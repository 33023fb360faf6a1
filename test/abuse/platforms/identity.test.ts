import { readFileSync } from 'node:fs';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysWithoutExpiry } from '../../../bench/load/keys-without-expiry.js';
import { countedAddress, createAddressOf } from '../../../src/identity/address-of.js';
import { ADMIN_TOKEN, post } from '../../helpers/platform.js';
import { IDENTITY_VECTORS } from '../../identity/vectors.js';
import { reportFigure } from '../../report/figures.js';
import { countCases } from '../serve.js';
import { type OpenPlatform, PLATFORMS } from './platforms.js';

const QUERY = '{ country(code: "SE") { name } }';
const ISSUER = 'https://issuer.test/';
const AUDIENCE = 'tollgate';
const CAPACITY = 100_000;
/**
 * Number of one-shot identities: each of them sends one request. Set ABUSE_HTTP_IDENTITIES to a
 * million for a long run.
 */
const IDENTITIES = Number(process.env['ABUSE_HTTP_IDENTITIES'] ?? 2000);
/** Returns the header that the trusted proxy adds. The test acts as this proxy. */
const from = (address: string) => ({ 'x-forwarded-for': address });

let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let strangerKeys: typeof keys;
let otherAlgorithm: typeof keys;
let issuer: { server: Server; url: string; requests: number };
beforeAll(async () => {
  keys = await generateKeyPair('RS256');
  strangerKeys = await generateKeyPair('RS256');
  otherAlgorithm = await generateKeyPair('PS256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'first', alg: 'RS256', use: 'sig' };
  const server = createServer((_, response) => {
    issuer.requests++;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`, requests: 0 };
});
afterAll(() => issuer.server.close().closeAllConnections());

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const GOOD = () => ({ sub: 'ada', iss: ISSUER, aud: AUDIENCE, exp: inSeconds(300) });
const signed = (claims: object, header: object = {}, key = keys.privateKey) =>
  new SignJWT({ ...GOOD(), ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'first', ...header } as JWTHeaderParameters)
    .sign(key);
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

const FORGED: readonly [string, () => Promise<string> | string][] = [
  ['has expired', () => signed({ exp: inSeconds(-60) })],
  ['is not valid yet', () => signed({ nbf: inSeconds(300) })],
  ['has no expiry', () => signed({ exp: undefined })],
  ['is for another audience', () => signed({ aud: 'billing' })],
  ['is for no audience', () => signed({ aud: undefined })],
  ['is of another issuer', () => signed({ iss: 'https://evil.test/' })],
  ['has no subject', () => signed({ sub: undefined })],
  ['has an empty subject', () => signed({ sub: '' })],
  ['has a number as its subject', () => signed({ sub: 7 })],
  ['has a list as its subject', () => signed({ sub: ['ada'] })],
  ['is signed with another key', () => signed({}, {}, strangerKeys.privateKey)],
  [
    'brings its own key',
    async () => {
      const jwk = await exportJWK(strangerKeys.publicKey);
      return signed({}, { jwk }, strangerKeys.privateKey);
    },
  ],
  ['names the URL of its key', () => signed({}, { jku: 'https://evil.test/jwks.json' }, strangerKeys.privateKey)],
  ['has an unknown key id', () => signed({}, { kid: 'another' })],
  ['has a path as its key id', () => signed({}, { kid: '../../../dev/null' })],
  ['is signed with an algorithm that is not accepted', () => signed({}, { alg: 'PS256' }, otherAlgorithm.privateKey)],
  ['is unsigned', () => `${encoded({ alg: 'none' })}.${encoded(GOOD())}.`],
  ['is unsigned in mixed case', () => `${encoded({ alg: 'nOnE', kid: 'first' })}.${encoded(GOOD())}.`],
  [
    'is signed with the public key as a secret',
    async () => {
      const secret = Buffer.from(JSON.stringify(await exportJWK(keys.publicKey)));
      return new SignJWT(GOOD()).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret);
    },
  ],
  [
    'was changed after it was signed',
    async () => {
      const [header, , signature] = (await signed({})).split('.');
      return `${header}.${encoded({ ...GOOD(), sub: 'eve' })}.${signature}`;
    },
  ],
  ['has lost its signature', async () => (await signed({})).split('.').slice(0, 2).join('.')],
  ['is no token', () => 'not.a.token'],
  ['is ten kilobytes of nothing', () => 'x'.repeat(10_000)],
];

it('A12: every combination of addresses, headers and proxies in the vectors yields the expected caller', (context) => {
  for (const { why, trusted, remote, headers = {}, expected } of IDENTITY_VECTORS) {
    const socket = { remoteAddress: remote };
    const request = { headers, socket, connection: socket } as unknown as IncomingMessage;
    expect(createAddressOf(trusted)(request), why).toBe(expected);
  }
  expect(IDENTITY_VECTORS.length).toBeGreaterThanOrEqual(60);
  countCases(context, IDENTITY_VECTORS.length);
});

describe.each(PLATFORMS)('callers, $on', ({ open }) => {
  let opened: OpenPlatform;
  beforeAll(async () => {
    opened = await open({
      TOLLGATE_TRUSTED_PROXIES: '1',
      TOLLGATE_JWT_JWKS_URL: issuer.url,
      TOLLGATE_JWT_ISSUER: ISSUER,
      TOLLGATE_JWT_AUDIENCE: AUDIENCE,
    });
    const tier = `name: "free", capacity: ${CAPACITY}, refillAmount: 1, refillPeriodMs: 1000000`;
    const mutation = `mutation { tierUpdate(input: { ${tier} }) { userErrors { message } } }`;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const { body } = await post(`${opened.platform.url}/admin/graphql`, mutation, headers);
    expect(body.data.tierUpdate.userErrors).toEqual([]);
  });
  afterAll(() => opened.close());

  const ask = (headers: Record<string, string>) =>
    post(`${opened.platform.url}/graphql`, QUERY, { 'graphql-cost': 'report', ...headers });
  const leftOf = ({ body }: Awaited<ReturnType<typeof ask>>): number =>
    body.extensions.cost.throttleStatus.currentlyAvailable;

  it('A12: behind a proxy, callers cannot change their identity with headers that they send', async (context) => {
    const claims: Record<string, string>[] = [];
    for (let index = 0; index < 50; index++) {
      const spoofed = `198.51.100.${index}, 2001:db8::${index}, 203.0.113.77`;
      claims.push({ ...from(spoofed), 'x-real-ip': `198.51.100.${index}`, forwarded: `for=198.51.100.${index}` });
    }
    for (const [index, headers] of claims.entries()) {
      const answer = await ask(headers);
      expect(answer.status).toBe(200);
      expect(leftOf(answer)).toBe(CAPACITY - index - 1);
    }
    countCases(context, claims.length);
  });

  it('A12: behind a proxy, all addresses of a /64 are one caller, and the next /64 is another', async (context) => {
    const inNetwork = (network: string, index: number) => `2001:db8:${network}:${index.toString(16)}:${index}:0:1`;
    for (let index = 1; index <= 50; index++) {
      expect(leftOf(await ask(from(inNetwork('77:1', index))))).toBe(CAPACITY - index);
      expect(leftOf(await ask(from(inNetwork(`77:1${index.toString(16)}`, 1))))).toBe(CAPACITY - 1);
    }
    countCases(context, 100);
  });

  it('A12: behind a proxy, every request in the vectors is charged to the expected caller', async (context) => {
    const vectors = IDENTITY_VECTORS.filter(({ trusted }) => trusted === 1);
    const asked = new Map<string, number>();
    for (const { why, remote, headers = {}, expected } of vectors) {
      // All connections of this test come from the loopback address.
      const caller = expected === countedAddress(remote) ? '127.0.0.1' : expected;
      const times = (asked.get(caller) ?? 0) + 1;
      asked.set(caller, times);
      const bytes = Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
      const answer = await ask(Object.fromEntries(bytes));
      expect(answer.status, why).toBe(200);
      expect(leftOf(answer), why).toBe(CAPACITY - times);
    }
    expect(asked.size).toBeGreaterThan(3);
    countCases(context, vectors.length);
  });

  it('A14: a token identifies its user from every address', async () => {
    const authorization = `Bearer ${await signed({})}`;
    expect(leftOf(await ask({ authorization, ...from('192.0.2.10') }))).toBe(CAPACITY - 1);
    expect(leftOf(await ask({ authorization, ...from('192.0.2.11') }))).toBe(CAPACITY - 2);
  });

  it('A14: an invalid token gets 401, and the address of its sender pays a fee', async (context) => {
    const sender = from('192.0.2.20');
    let left = CAPACITY;
    for (const [what, make] of FORGED) {
      const answer = await ask({ authorization: `Bearer ${await make()}`, ...sender });
      expect(answer.status, what).toBe(401);
      expect(answer.body.data, what).toBeUndefined();
      expect(answer.body.errors[0].extensions.code, what).toBe('UNAUTHENTICATED');
      expect(answer.body.extensions.cost, what).toMatchObject({
        fee: 1,
        requestedQueryCost: 0,
        throttleStatus: { maximumAvailable: CAPACITY },
      });
      expect(leftOf(answer), what).toBe(--left);
    }
    const token = await signed({});
    const headers = ['Bearer', `Bearer ${token} ${token}`, `Basic ${token}`, token, `Bearer  `, 'Bearer \u00e9'];
    for (const authorization of headers) {
      const answer = await ask({ authorization, ...sender });
      expect(answer.status, authorization.slice(0, 20)).toBe(401);
      expect(leftOf(answer)).toBe(--left);
    }
    // No other caller was charged for the invalid tokens.
    expect(leftOf(await ask(from('192.0.2.21')))).toBe(CAPACITY - 1);
    countCases(context, FORGED.length + headers.length);
  });

  it('A14: a hundred tokens with unknown key ids cause at most two requests to the issuer', async (context) => {
    await ask({ authorization: `Bearer ${await signed({})}` });
    const before = issuer.requests;
    const times = 100;
    for (let index = 0; index < times; index++) {
      const authorization = `Bearer ${await signed({}, { kid: `made-up-${index}` })}`;
      expect((await ask({ authorization, ...from('192.0.2.30') })).status).toBe(401);
    }
    // Tollgate requests the keys at most once in 30 seconds. Such a period may end meanwhile.
    expect(issuer.requests - before).toBeLessThanOrEqual(2);
    countCases(context, times);
  });

  it(
    'A24: one-shot identities leave only keys that expire, and the memory of the process stays bounded',
    async (context) => {
      const { platform, servers } = opened;
      const quarters: number[] = [];
      for (let quarter = 0; quarter < 4; quarter++) {
        await askOnceEach(
          platform.port,
          Math.floor((quarter * IDENTITIES) / 4),
          Math.floor(((quarter + 1) * IDENTITIES) / 4),
        );
        quarters.push(residentMb(platform.process.pid!));
      }
      if (servers !== undefined) {
        const { count, stay } = await keysWithoutExpiry(servers.redisUrl);
        expect(stay).toEqual([]);
        expect(count).toBeGreaterThanOrEqual(IDENTITIES);
        reportFigure(
          context,
          `${IDENTITIES} one-shot identities on Redis: ${count} keys, ${stay.length} of them without an expiry`,
        );
      }
      const sizes = quarters.map((mb) => mb.toFixed(0)).join(', ');
      reportFigure(context, `${IDENTITIES} one-shot identities: memory of the process after each quarter: ${sizes} MB`);
      // Fewer identities do not fill the caches, so the memory still grows.
      if (IDENTITIES >= 500_000) expect(quarters[3]! - quarters[1]!).toBeLessThan(100);
      countCases(context, IDENTITIES);
    },
    IDENTITIES * 10 + 60_000,
  );
});

/** Sends one request from each of many private addresses, up to 64 at the same time. */
async function askOnceEach(port: number, start: number, end: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const body = JSON.stringify({ query: QUERY });
  let next = start;
  const ask = (index: number) =>
    new Promise<number>((resolve, reject) => {
      const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
      const headers = { 'content-type': 'application/json', 'content-length': body.length, ...from(address) };
      const asked = httpRequest(
        { agent, port, host: '127.0.0.1', path: '/graphql', method: 'POST', headers },
        (answer) => {
          answer.resume();
          answer.once('end', () => resolve(answer.statusCode ?? 0));
        },
      );
      asked.once('error', reject);
      asked.end(body);
    });
  const callers = Array.from({ length: 64 }, async () => {
    while (next < end) expect(await ask(next++)).toBe(200);
  });
  await Promise.all(callers);
  agent.destroy();
}

/** Returns the resident memory of a process in MiB. It reads /proc, which exists only on Linux. */
function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
