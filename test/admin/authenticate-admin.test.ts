import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createAdminAuthenticator } from '../../src/admin/authenticate-admin.js';

describe('createAdminAuthenticator', () => {
  const authenticate = createAdminAuthenticator({ token: 'Correct-Horse' });

  it('knows who sends the token', () => {
    const actor = { name: 'admin', authMethod: 'ADMIN_TOKEN' };
    expect(authenticate('Bearer Correct-Horse')).toEqual(actor);
    expect(authenticate('bearer  Correct-Horse')).toEqual(actor);
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
  ])('answers 401 to %j, without repeating it', (header) => {
    let caught: unknown;
    try {
      authenticate(header);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(GraphQLError);
    const { message, extensions } = caught as GraphQLError;
    expect(message).toBe('Invalid credentials');
    expect(extensions).toEqual({
      code: 'UNAUTHENTICATED',
      http: { status: 401, headers: new Map([['www-authenticate', 'Bearer realm="tollgate admin"']]) },
    });
  });

  it('refuses to be made with a token that lets everybody in or nobody', () => {
    for (const token of ['', ' ', 'two words']) {
      expect(() => createAdminAuthenticator({ token })).toThrow('expected the admin token');
    }
  });
});
