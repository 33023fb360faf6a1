import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENT_MS } from '../helpers/patient.js';
import { startPostgresServer, type TestServer } from '../helpers/servers.js';
import { type Decider, type DeciderWorld, type Json, openWorld } from './decider.js';

const QUERY = '{ item { name } }';
const ROUTER = '/integrations/apollo-router';
const HASURA = '/integrations/hasura-ddn';

interface Asked {
  status: number;
  body: Json;
  receipt: string | null;
}

/** A server that has asked for decisions before the outage, with a token that PostgreSQL stores. */
interface Server {
  ask(path: string, body: unknown, headers?: Record<string, string>): Promise<Asked>;
}

let world: DeciderWorld;
let decider: Decider;
let postgres: TestServer;
async function open(redisDeadlineMs: number) {
  postgres = await startPostgresServer();
  world = await openWorld(postgres);
  decider = await world.start({ TOLLGATE_REDIS_DEADLINE_MS: String(redisDeadlineMs) });
}

const createToken = async (name: string): Promise<string> => {
  const query = `mutation { adminTokenCreate(input: { name: "${name}", role: DECIDER }) { secret } }`;
  return (await decider.ask('/admin/graphql', { query })).body.data.adminTokenCreate.secret;
};

const serverWith = (token: string): Server => ({
  async ask(path, body, headers = {}) {
    const response = await fetch(`${decider.url}${path}`, {
      method: 'POST',
      headers: { 'x-tollgate-token': token, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const receipt = response.headers.get('x-tollgate-receipt');
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), receipt };
  },
});

const message = (stage: 'SupergraphRequest' | 'SupergraphResponse', more: object) => ({
  version: 1,
  stage,
  control: 'continue',
  id: 'x',
  headers: {},
  context: { entries: {} },
  ...more,
});
const hook = (more = {}) => ({ rawRequest: { query: QUERY }, session: { role: 'user', variables: {} }, ...more });

/** Expects that each integration admits an operation, and settles it, in its own form. */
async function expectAdmissions(server: Server, key: Record<string, string> = {}) {
  const decided = await server.ask('/v1/decide', [{ query: QUERY, headers: { 'x-client': 'a', ...key } }]);
  expect(decided).toMatchObject({ status: 200, body: [{ admitted: true }] });
  const receipts = decided.body.map(({ receipt }: Json) => ({ receipt, actualCost: 1 }));
  expect(await server.ask('/v1/settle', receipts)).toMatchObject({ status: 200, body: [{ settled: true }] });

  const continued = await server.ask(ROUTER, message('SupergraphRequest', { headers: key, body: { query: QUERY } }));
  expect(continued).toMatchObject({ status: 200, body: { control: 'continue', id: 'x' } });
  const { entries } = continued.body.context;
  expect(entries['tollgate::receipt']).toMatch(/^tgr1\./);
  const response = message('SupergraphResponse', { context: { entries }, body: { data: { item: null } } });
  expect(await server.ask(ROUTER, response)).toMatchObject({
    status: 200,
    body: { stage: 'SupergraphResponse', control: 'continue', body: { extensions: { cost: { actualQueryCost: 1 } } } },
  });

  const authorized = await server.ask('/integrations/ext-authz/graphql', { query: QUERY }, key);
  expect(authorized.status).toBe(200);
  expect(authorized.receipt).toMatch(/^tgr1\./);

  expect((await server.ask(`${HASURA}/pre-parse`, hook(), key)).status).toBe(204);
  expect((await server.ask(`${HASURA}/pre-response`, hook({ response: { data: { item: null } } }), key)).status).toBe(
    204,
  );
}

/** Expects that each integration rejects an operation in its own form, without a status of 5xx. */
async function expectRejections(server: Server, code: string, key: Record<string, string> = {}) {
  const errors = [{ extensions: { code } }];
  const asked = { query: QUERY, headers: { 'x-client': 'a', ...key } };
  const rejected = { admitted: false, status: 503, errors };
  expect(await server.ask('/v1/decide', asked)).toMatchObject({ status: 200, body: rejected });
  expect(await server.ask('/v1/decide', [asked, asked])).toMatchObject({ status: 200, body: [rejected, rejected] });

  const broken = await server.ask(ROUTER, message('SupergraphRequest', { headers: key, body: { query: QUERY } }));
  expect(broken).toMatchObject({
    status: 200,
    body: { version: 1, stage: 'SupergraphRequest', id: 'x', control: { break: 503 }, body: { errors } },
  });
  expect(broken.body.headers).toMatchObject({ 'content-type': ['application/json'] });
  expect(await server.ask(ROUTER, message('SupergraphResponse', { body: { data: {} } }))).toMatchObject({
    status: 200,
    body: { stage: 'SupergraphResponse', control: 'continue' },
  });

  const denied = await server.ask('/integrations/ext-authz/graphql', { query: QUERY }, key);
  expect(denied).toMatchObject({ status: 429, body: { errors }, receipt: '' });

  expect(await server.ask(`${HASURA}/pre-parse`, hook(), key)).toMatchObject({ status: 200, body: { errors } });
  expect((await server.ask(`${HASURA}/pre-response`, hook({ response: {} }), key)).status).toBe(204);
}

describe('while Redis is away', () => {
  let server: Server;
  beforeAll(async () => {
    // The default deadline: with a long one, each request without Redis would wait.
    await open(25);
    server = serverWith(await createToken('used'));
    await expectAdmissions(server);
    await world.redis.stop();
  });
  afterAll(() => world.end());

  it('each integration admits operations by the fallback, and settles them', async () => {
    for (let i = 0; i < 3; i++) await expectAdmissions(server);
    const { body } = await server.ask('/v1/decide', { query: QUERY, subject: { user: 'ann' } });
    expect(body).toMatchObject({ admitted: true, degraded: true });
  });

  it('prices and previews are answered', async () => {
    expect(await server.ask('/v1/price', { query: QUERY })).toMatchObject({ status: 200, body: { cost: 1 } });
    const { status } = await server.ask('/v1/peek', { query: QUERY, subject: { user: 'ann' } });
    expect(status).toBe(200);
  });
});

describe('while PostgreSQL is away', () => {
  let used: string;
  let unused: string;
  let left: () => Promise<number>;
  beforeAll(async () => {
    await open(PATIENT_MS);
    [used, unused] = [await createToken('used'), await createToken('unused')];
    await expectAdmissions(serverWith(used));
    left = async () => {
      const { body } = await decider.ask('/v1/peek', { query: QUERY, headers: { 'x-client': 'a' } });
      return body.limits.find(({ rule }: Json) => rule === 'tier:small').remaining;
    };
    await postgres.stop();
  });
  afterAll(() => world.end());

  it('each integration decides about callers who need no look-up', async () => {
    for (let i = 0; i < 3; i++) await expectAdmissions(serverWith(used));
  });

  it('each integration rejects callers who cannot be looked up, and charges nothing', async () => {
    const before = await left();
    await expectRejections(serverWith(used), 'IDENTITY_UNAVAILABLE', { 'x-api-key': `tg_${'a'.repeat(40)}` });
    expect(await left()).toBe(before);
  });

  it('each integration rejects operations of a server whose token cannot be looked up', async () => {
    await expectRejections(serverWith(unused), 'UNAVAILABLE');
    expect(await serverWith(unused).ask('/v1/settle', { receipt: 'tgr1.x' })).toMatchObject({
      status: 200,
      body: { settled: false, reason: 'UNAVAILABLE' },
    });
    expect(await serverWith(unused).ask('/v1/decide', [])).toMatchObject({ status: 400 });
  });

  it('tokens that cannot be looked up are no guesses and cost no fee, however many are sent', async () => {
    for (let i = 0; i < 150; i++) {
      const { status, body } = await serverWith(`tga_unknown${i}`).ask('/v1/decide', { query: QUERY, address: '::1' });
      expect([status, body.errors[0].extensions.code]).toEqual([200, 'UNAVAILABLE']);
    }
    // A wrong header is invalid without a look-up, and the address can still pay its fee.
    const { status } = await serverWith('two words').ask('/v1/decide', { query: QUERY });
    expect(status).toBe(401);
  });
});
