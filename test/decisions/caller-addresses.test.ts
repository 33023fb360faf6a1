import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN } from '../helpers/platform.js';
import { type Decider, type DeciderWorld, openWorld } from './decider.js';

const QUERY = '{ item { name } }';
const RULES = [
  {
    name: 'two-per-address',
    mode: 'ENFORCE' as const,
    scope: 'IP' as const,
    field: '*',
    measure: 'REQUESTS' as const,
    action: { type: 'REJECT' as const },
    limits: [{ algorithm: 'FIXED_WINDOW' as const, amount: 2, windowMs: 86_400_000 }],
  },
];

let world: DeciderWorld;
/** Trusts no proxy, which is the default. */
let byDefault: Decider;
/** Trusts one proxy in front of the router, of the engine or of Envoy. */
let behindOne: Decider;
beforeAll(async () => {
  world = await openWorld();
  byDefault = await world.start({}, { rules: RULES });
  behindOne = await world.start({ TOLLGATE_TRUSTED_PROXIES: '1' }, { rules: RULES });
});
afterAll(() => world.end());

/** Posts a request with headers of its caller, and resolves to the status. */
async function forward(decider: Decider, path: string, sent: object, forwarded: string): Promise<number> {
  const headers = { 'x-tollgate-token': ADMIN_TOKEN, 'x-forwarded-for': forwarded, 'content-type': 'application/json' };
  const response = await fetch(`${decider.url}${path}`, { method: 'POST', headers, body: JSON.stringify(sent) });
  await response.arrayBuffer();
  return response.status;
}

type Ask = (decider: Decider, forwarded: string, user?: string) => Promise<boolean>;

/** Ask as the integrations do, with the header `X-Forwarded-For`, and resolve to whether the operation is admitted. */
const INTEGRATIONS: Record<'Apollo Router' | 'Hasura DDN' | 'Envoy', Ask> = {
  async 'Apollo Router'(decider, forwarded, user) {
    const { body } = await decider.ask('/integrations/apollo-router', {
      version: 1,
      stage: 'SupergraphRequest',
      id: 'x',
      headers: { 'x-forwarded-for': [forwarded] },
      body: { query: QUERY },
      context: { entries: user === undefined ? {} : { 'apollo::authentication::jwt_claims': { sub: user } } },
    });
    return body.control === 'continue';
  },
  async 'Hasura DDN'(decider, forwarded, user) {
    const session = { role: 'user', variables: user === undefined ? {} : { 'x-hasura-user-id': user } };
    const sent = { rawRequest: { query: QUERY }, session };
    return (await forward(decider, '/integrations/hasura-ddn/pre-parse', sent, forwarded)) === 204;
  },
  async Envoy(decider, forwarded) {
    return (await forward(decider, '/integrations/ext-authz/graphql', { query: QUERY }, forwarded)) === 200;
  },
};

describe.each(Object.entries(INTEGRATIONS))('limits per address behind %s', (name, ask) => {
  const subnet = 10 + Object.keys(INTEGRATIONS).indexOf(name);
  const address = (host: number) => `198.51.${subnet}.${host}`;

  it('count the address that the trusted proxy has added, whatever the caller writes before it', async () => {
    const asked: boolean[] = [];
    for (let i = 0; i < 4; i++) asked.push(await ask(behindOne, `203.0.113.${i}, ${address(1)}`));
    expect(asked).toEqual([true, true, false, false]);
    expect(await ask(behindOne, `${address(1)}, ${address(2)}`)).toBe(true);
  });

  it('count all callers as one if no proxy is trusted, so that no caller chooses an address', async () => {
    const asked: boolean[] = [];
    for (let i = 0; i < 4; i++) asked.push(await ask(byDefault, address(100 + i)));
    expect(asked.at(-1)).toBe(false);
    // The bucket of the forged address is untouched.
    expect(await ask(behindOne, address(100))).toBe(true);
  });
});

describe.each(['Apollo Router', 'Hasura DDN'] as const)('users that %s has identified', (name) => {
  const ask = INTEGRATIONS[name];
  const address = name === 'Hasura DDN' ? '198.51.100.61' : '198.51.100.62';

  it('share the limits of their address behind a trusted proxy', async () => {
    const asked: boolean[] = [];
    for (let i = 0; i < 4; i++) asked.push(await ask(behindOne, `203.0.113.${i}, ${address}`, `${name} ${i}`));
    expect(asked).toEqual([true, true, false, false]);
  });

  it('have no address if no proxy is trusted, so that they do not share one limit', async () => {
    for (let i = 0; i < 4; i++) expect(await ask(byDefault, address, `${name} ${i}`)).toBe(true);
  });
});
