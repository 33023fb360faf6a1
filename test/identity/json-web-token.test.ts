import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenVerifier, type JwtSettings, type TokenVerifier } from '../../src/identity/token-verifier.js';

const ISSUER = 'https://issuer.test/';
const AUDIENCE = 'tollgate';

let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let otherKeys: typeof keys;

/** Starts an issuer of tokens that publishes its keys over HTTP. */
async function startIssuer() {
  const others: (typeof keys.publicKey)[] = [];
  const state = { keyId: 'first', status: 200, requests: 0, publicKey: keys.publicKey, others };
  const server: Server = createServer(async (_request, response) => {
    state.requests++;
    response.statusCode = state.status;
    const published = [state.publicKey, ...state.others].map(async (key, index) => ({
      ...(await exportJWK(key)),
      kid: index === 0 ? state.keyId : `other-${index}`,
      alg: 'RS256',
      use: 'sig',
    }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: await Promise.all(published) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    state,
    url: `http://127.0.0.1:${port}/jwks.json`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

let issuer: Awaited<ReturnType<typeof startIssuer>>;
const verifierOf = (settings: Partial<JwtSettings> = {}, jwksUrl = issuer.url): TokenVerifier => {
  const made = createTokenVerifier({ jwksUrl, issuer: ISSUER, audience: AUDIENCE, algorithms: ['RS256'], ...settings });
  return async (token) => (await made)(token);
};

interface TokenParts {
  claims?: JWTPayload;
  issuer?: string;
  audience?: string;
  expires?: string;
  keyId?: string | undefined;
  key?: typeof keys.privateKey;
}

function tokenOf({ claims = { sub: 'ada' }, key, ...parts }: TokenParts = {}): Promise<string> {
  const kid = 'keyId' in parts ? parts.keyId : 'first';
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', ...(kid !== undefined && { kid }) })
    .setIssuer(parts.issuer ?? ISSUER)
    .setAudience(parts.audience ?? AUDIENCE)
    .setExpirationTime(parts.expires ?? '5 minutes')
    .sign(key ?? keys.privateKey);
}

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

beforeAll(async () => {
  keys = await generateKeyPair('RS256');
  otherKeys = await generateKeyPair('RS256');
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());

describe('the verification of a token', () => {
  it('a token of the issuer for this API identifies the user and the tenant', async () => {
    expect(await verifierOf()(await tokenOf())).toEqual({ user: 'ada' });
    const named = verifierOf({ userClaim: 'email', tenantClaim: 'org' });
    expect(await named(await tokenOf({ claims: { email: 'ada@acme.test', org: 'acme' } }))).toEqual({
      user: 'ada@acme.test',
      tenant: 'acme',
    });
    expect(await named(await tokenOf({ claims: { email: 'ada@acme.test' } }))).toEqual({ user: 'ada@acme.test' });
  });

  it.each<[string, TokenParts, RegExp]>([
    ['has expired', { expires: '1 minute ago' }, /expired/],
    ['is of another issuer', { issuer: 'https://evil.test/' }, /not for this API/],
    ['is for another audience', { audience: 'billing' }, /not for this API/],
    ['names no user', { claims: {} }, /lacks the claim "sub"/],
    ['is not valid yet', { claims: { sub: 'ada', nbf: 4_000_000_000 } }, /not valid yet/],
    ['has an invalid start', { claims: { sub: 'ada', nbf: 'soon' as unknown as number } }, /"nbf" has a wrong value/],
    ['names a user by a number', { claims: { sub: 7 as unknown as string } }, /sub/],
    ['names a user with an empty name', { claims: { sub: '' } }, /sub/],
    ['is signed with a key that the issuer does not have', { keyId: 'another' }, /unknown/],
  ])('a token that %s is rejected with 401', async (_, parts, reason) => {
    await expect(tokenOf(parts).then(verifierOf())).rejects.toMatchObject({
      message: expect.stringMatching(reason),
      extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } },
    });
  });

  it('a token is rejected if it is unsigned, malformed, or signed with another key or with the public key as a secret', async () => {
    const verify = verifierOf();
    const claims = { sub: 'ada', iss: ISSUER, aud: AUDIENCE, exp: Math.floor(Date.now() / 1000) + 300 };
    const publicText = JSON.stringify(await exportJWK(keys.publicKey));
    const forged = [
      await tokenOf({ key: otherKeys.privateKey }),
      `${base64({ alg: 'none' })}.${base64(claims)}.`,
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(Buffer.from(publicText)),
      'not.a.token',
      'x',
    ];
    for (const token of forged) {
      await expect(verify(token)).rejects.toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } });
    }
  });

  it('a token without an expiry is rejected', async () => {
    const token = await new SignJWT({ sub: 'ada' })
      .setProtectedHeader({ alg: 'RS256', kid: 'first' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .sign(keys.privateKey);
    await expect(verifierOf()(token)).rejects.toMatchObject({
      message: expect.stringMatching(/lacks the claim "exp"/),
      extensions: { code: 'UNAUTHENTICATED' },
    });
  });

  it('the error for a token does not contain the token', async () => {
    const token = await tokenOf({ key: otherKeys.privateKey });
    const error = await verifierOf()(token).catch((reason: Error) => reason);
    expect(JSON.stringify(error)).not.toContain(token.slice(-20));
  });
});

describe('the keys of the issuer', () => {
  it("the issuer's keys are fetched once for many tokens, and not again for each unknown key id", async () => {
    const verify = verifierOf();
    const before = issuer.state.requests;
    await Promise.all(Array.from({ length: 20 }, async () => verify(await tokenOf())));
    for (let attempt = 0; attempt < 20; attempt++) {
      await verify(await tokenOf({ keyId: `made-up-${attempt}` })).catch(() => {});
    }
    expect(issuer.state.requests - before).toBeLessThanOrEqual(2);
  });

  it('a token with a new key of the issuer is accepted after the cooldown', async () => {
    const own = await startIssuer();
    try {
      const verify = verifierOf({ cooldownMs: 0 }, own.url);
      await verify(await tokenOf());
      own.state.keyId = 'second';
      own.state.publicKey = otherKeys.publicKey;
      expect(await verify(await tokenOf({ keyId: 'second', key: otherKeys.privateKey }))).toEqual({ user: 'ada' });
    } finally {
      await own.stop();
    }
  });

  it('a token without a key id is verified with each key that fits', async () => {
    const own = await startIssuer();
    own.state.others = [otherKeys.publicKey];
    try {
      const verify = verifierOf({}, own.url);
      for (const key of [keys.privateKey, otherKeys.privateKey]) {
        expect(await verify(await tokenOf({ keyId: undefined, key }))).toEqual({ user: 'ada' });
      }
      const { privateKey } = await generateKeyPair('RS256');
      await expect(tokenOf({ keyId: undefined, key: privateKey }).then(verify)).rejects.toThrow(/signature is wrong/);
      await expect(tokenOf({ keyId: undefined, audience: 'another' }).then(verify)).rejects.toThrow(/not for this API/);
    } finally {
      await own.stop();
    }
  });

  it('unavailable keys of the issuer cause 503, and never 401 or an anonymous caller', async () => {
    const own = await startIssuer();
    own.state.status = 500;
    await expect(tokenOf().then(verifierOf({}, own.url))).rejects.toMatchObject({
      extensions: { code: 'IDENTITY_UNAVAILABLE', http: { status: 503 } },
    });
    await own.stop();
    await expect(tokenOf().then(verifierOf({}, own.url))).rejects.toMatchObject({
      extensions: { code: 'IDENTITY_UNAVAILABLE' },
    });
  });

  it('known keys stay valid while the issuer is unavailable', async () => {
    const own = await startIssuer();
    const verify = verifierOf({ cooldownMs: 0 }, own.url);
    await verify(await tokenOf());
    await own.stop();
    expect(await verify(await tokenOf())).toEqual({ user: 'ada' });
    await expect(tokenOf({ keyId: 'third' }).then(verify)).rejects.toMatchObject({
      extensions: { code: 'IDENTITY_UNAVAILABLE' },
    });
  });
});
