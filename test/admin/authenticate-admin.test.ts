import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createAdminAuthenticator } from '../../src/admin/context/create-admin-authenticator.js';
import type { AdminTokenRecord } from '../../src/rules/store/create-admin-token-store.js';

const BOB: AdminTokenRecord = {
  id: 1,
  name: 'bob',
  role: 'VIEWER',
  expiresAt: null,
  revokedAt: null,
  replacedAt: null,
  createdAt: new Date(0),
};

describe('createAdminAuthenticator', () => {
  const store = { findAdminToken: async (token: string) => (token === 'bobs-token' ? BOB : null) };
  const authenticate = createAdminAuthenticator({ token: 'Correct-Horse', store });
  const failureOf = (header: string | undefined, check = authenticate) =>
    check(header).then(
      () => undefined,
      (error: unknown) => error as GraphQLError,
    );

  it('the token of the settings authenticates an admin', async () => {
    const admin = { actor: { name: 'admin', authMethod: 'ADMIN_TOKEN' }, role: 'ADMIN', isFromSettings: true };
    expect(await authenticate('Bearer Correct-Horse')).toEqual(admin);
    expect(await authenticate('bearer  Correct-Horse')).toEqual(admin);
  });

  it('a stored token authenticates its owner with their role', async () => {
    expect(await authenticate('Bearer bobs-token')).toEqual({
      actor: { name: 'bob', authMethod: 'ADMIN_TOKEN' },
      role: 'VIEWER',
      tokenId: 1,
    });
    expect(await createAdminAuthenticator({ store })('Bearer bobs-token')).toMatchObject({ role: 'VIEWER' });
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer correct-horse',
    'Bearer Correct-Hors',
    'Bearer Correct-Horse2',
    'Bearer Correct-Horse Correct-Horse',
    'Basic Correct-Horse',
    'Correct-Horse',
    'Bearer Correct-Horse, Bearer x',
    `Bearer ${'x'.repeat(257)}`,
  ])('the credentials %j are rejected with 401, and the error does not contain them', async (header) => {
    const caught = await failureOf(header);
    expect(caught).toBeInstanceOf(GraphQLError);
    const { message, extensions } = caught!;
    expect(message).toBe(
      'Invalid credentials: send "Authorization: Bearer TOKEN" with a valid admin token (tga_..., or the token from the settings)',
    );
    expect(extensions).toMatchObject({ code: 'UNAUTHENTICATED', http: { status: 401 } });
    expect(JSON.stringify(extensions)).not.toMatch(/horse/i);
  });

  it('stored tokens are rejected with 503 while the store is unavailable, and the token of the settings still works', async () => {
    const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });
    const away = createAdminAuthenticator({
      token: 'Correct-Horse',
      store: { findAdminToken: () => Promise.reject(unreachable) },
    });
    expect(await failureOf('Bearer bobs-token', away)).toMatchObject({
      extensions: { code: 'UNAVAILABLE', http: { status: 503 } },
    });
    expect(await away('Bearer Correct-Horse')).toMatchObject({ role: 'ADMIN' });
  });

  it('createAdminAuthenticator throws for a token that cannot be sent in a header', () => {
    for (const token of ['', 'a b', ' ']) expect(() => createAdminAuthenticator({ token })).toThrow('token: expected');
  });
});
