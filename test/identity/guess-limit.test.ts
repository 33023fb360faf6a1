import { describe, expect, it } from 'vitest';
import { createAdminAuthenticator } from '../../src/admin/context/create-admin-authenticator.js';
import { createIdentifier } from '../../src/identity/create-identifier.js';
import { createGuessLimit } from '../../src/identity/guess-limit.js';
import { hashSecret } from '../../src/rules/store/hash-secret.js';

const GOOD = 'tg_good';
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'FOUND',
    (error: { extensions: { code: string } }) => error.extensions.code,
  );

/** Creates an identifier with one valid key. `known` contains the hashes of its cached keys. */
function start() {
  let nowMs = 0;
  const lookedUp: string[] = [];
  const known = new Set<string>();
  const guesses = createGuessLimit({ now: () => nowMs });
  const identify = createIdentifier({
    subjects: {
      async holderOf(hash) {
        lookedUp.push(hash);
        return hash === hashSecret(GOOD) ? { subject: { user: 'ann' }, disabled: false } : undefined;
      },
      knowsKey: (hash) => known.has(hash),
      resolve: async (subject) => ({ subject, disabled: false }),
    },
    verifyToken: undefined,
    guesses,
  });
  const send = (key: string, ip: string | undefined = '192.0.2.1') =>
    codeOf(identify({ header: (name) => (name === 'x-api-key' ? key : undefined), ip }));
  return {
    send,
    lookedUp,
    known,
    guesses,
    advance(ms: number) {
      nowMs += ms;
    },
  };
}

describe('unknown API keys', () => {
  it('unknown keys of one address are looked up 100 times, and then once a second', async () => {
    const { send, lookedUp, advance } = start();
    for (let i = 0; i < 100; i++) expect(await send(`tg_${i}`)).toBe('UNAUTHENTICATED');
    for (let i = 100; i < 1000; i++) expect(await send(`tg_${i}`)).toBe('THROTTLED');
    expect(lookedUp).toHaveLength(100);
    advance(1000);
    expect(await send('tg_next')).toBe('UNAUTHENTICATED');
    expect(await send('tg_another')).toBe('THROTTLED');
    expect(lookedUp).toHaveLength(101);
    advance(1_000_000);
    for (let i = 0; i < 200; i++) await send(`tg_later${i}`);
    expect(lookedUp).toHaveLength(201);
  });

  it('unknown keys of one address affect no other address and no cached key', async () => {
    const { send, known } = start();
    for (let i = 0; i < 200; i++) await send(`tg_${i}`);
    expect(await send(GOOD, '192.0.2.2')).toBe('FOUND');
    known.add(hashSecret(GOOD));
    expect(await send(GOOD)).toBe('FOUND');
  });
});

it('valid keys of one address are looked up without a bound', async () => {
  const { send, lookedUp } = start();
  for (let i = 0; i < 500; i++) expect(await send(GOOD)).toBe('FOUND');
  expect(lookedUp).toHaveLength(500);
});

it('unknown administrator tokens of one address are looked up 100 times, and known ones always', async () => {
  let lookUps = 0;
  const guesses = createGuessLimit({ now: () => 0 });
  const authenticate = createAdminAuthenticator({
    token: 'of-the-settings',
    guesses,
    store: {
      async findAdminToken(token) {
        lookUps++;
        return token === 'tga_good' ? { id: 1, name: 'bo', role: 'VIEWER' } : null;
      },
    } as NonNullable<Parameters<typeof createAdminAuthenticator>[0]['store']>,
  });
  const send = (token: string) => codeOf(authenticate(`Bearer ${token}`, '192.0.2.1'));
  expect(await send('tga_good')).toBe('FOUND');
  for (let i = 0; i < 500; i++) await send(`tga_${i}`);
  expect(lookUps).toBe(101);
  expect(await send('tga_good')).toBe('FOUND');
  expect(await send('of-the-settings')).toBe('FOUND');
});
