import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as jose from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createIssuerKeys, type IssuerKeys } from '../../src/identity/issuer-keys.js';

const { exportJWK, generateKeyPair, jwtVerify, SignJWT } = jose;
const HOUR_MS = 3_600_000;
/** Time-out of the issuer, which is longer than a verification on a busy machine. */
const TIMEOUT_MS = 2000;

let pair: Awaited<ReturnType<typeof generateKeyPair>>;
let jwk: object;
let server: Server;
let url: string;
/** Behavior of the issuer, and the number of requests. */
let issuer: { mode: 'good' | 'broken' | 'silent'; requests: number; held: ServerResponse[] };
let nowMs: number;

beforeAll(async () => {
  pair = await generateKeyPair('RS256');
  jwk = { ...(await exportJWK(pair.publicKey)), kid: 'first', alg: 'RS256', use: 'sig' };
  server = createServer((_request, response) => {
    issuer.requests++;
    if (issuer.mode === 'silent') return void issuer.held.push(response);
    response.statusCode = issuer.mode === 'good' ? 200 : 500;
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
});
afterAll(() => server.close());
beforeEach(() => {
  issuer = { mode: 'good', requests: 0, held: [] };
  nowMs = 0;
});
afterEach(() => {
  for (const response of issuer.held) response.destroy();
});

const keysOf = (timeoutMs = 60_000) =>
  createIssuerKeys({ jose, url, timeoutMs, cooldownMs: 30_000, clock: () => nowMs });

async function verify(keys: IssuerKeys, keyId = 'first'): Promise<unknown> {
  const token = new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid: keyId });
  return (await jwtVerify(await token.sign(pair.privateKey), keys)).protectedHeader.kid;
}

const UNAVAILABLE = { extensions: { code: 'IDENTITY_UNAVAILABLE' } };

describe('a token issuer that fails', () => {
  it('a failing issuer gets at most one request a second, before and after its first response', async () => {
    const keys = keysOf();
    issuer.mode = 'broken';
    for (let token = 0; token < 20; token++) await expect(verify(keys)).rejects.toMatchObject(UNAVAILABLE);
    expect(issuer.requests).toBe(1);
    issuer.mode = 'good';
    nowMs += 1_000;
    expect(await verify(keys)).toBe('first');
    expect(issuer.requests).toBe(2);

    issuer.mode = 'broken';
    nowMs += 30_000;
    for (let token = 0; token < 20; token++) {
      await expect(verify(keys, `made-up-${token}`)).rejects.toMatchObject(UNAVAILABLE);
      expect(await verify(keys)).toBe('first');
    }
    expect(issuer.requests).toBe(3);
    nowMs += 1_000;
    await expect(verify(keys, 'made-up')).rejects.toMatchObject(UNAVAILABLE);
    expect(issuer.requests).toBe(4);
  });

  it('a token with a known key does not wait for a failing issuer, even if the keys are old', async () => {
    const keys = keysOf(TIMEOUT_MS);
    await verify(keys);
    issuer.mode = 'silent';
    nowMs += HOUR_MS;
    // The first verification detects the failure. The later ones do not wait; the retries run in
    // the background.
    expect(await verify(keys)).toBe('first');
    expect(issuer.requests).toBe(2);
    for (let token = 0; token < 20; token++) {
      nowMs += 1_000;
      const startedMs = performance.now();
      expect(await verify(keys)).toBe('first');
      expect(performance.now() - startedMs).toBeLessThan(TIMEOUT_MS);
    }
    expect(issuer.requests).toBeLessThan(22);
  });
});

describe('a token issuer that responds', () => {
  it('the issuer gets another request when its keys are old, and after the cooldown for an unknown key', async () => {
    const keys = keysOf();
    await verify(keys);
    for (let token = 0; token < 20; token++) await expect(verify(keys, 'made-up')).rejects.toThrow(/no applicable key/);
    expect(issuer.requests).toBe(1);
    nowMs += 30_000;
    for (let token = 0; token < 20; token++) await expect(verify(keys, 'made-up')).rejects.toThrow(/no applicable key/);
    expect(issuer.requests).toBe(2);
    nowMs += HOUR_MS;
    await Promise.all(Array.from({ length: 20 }, () => verify(keys)));
    expect(issuer.requests).toBe(3);
  });
});
