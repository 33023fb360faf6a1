import { mkdtempSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:http2';
import { connect as tcpConnect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenForDecisions } from '../../src/server/http/listen-for-decisions.js';
import { ADMIN_TOKEN } from '../helpers/platform.js';
import { freePort } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { type Decider, type DeciderWorld, ITEMS, type Json, openWorld } from './decider.js';

let world: DeciderWorld;
let here: Decider;
let there: Decider;
let port: number;
const socketPath = join(mkdtempSync(join(tmpdir(), 'tollgate-decisions-')), 'decide.sock');
beforeAll(async () => {
  world = await openWorld();
  port = await freePort();
  const rules = [
    {
      name: 'two-at-once',
      mode: 'ENFORCE' as const,
      scope: 'USER' as const,
      field: 'Query.slow',
      measure: 'REQUESTS' as const,
      action: { type: 'REJECT' as const },
      limits: [{ algorithm: 'CONCURRENCY' as const, capacity: 2, leaseMs: 3_600_000 }],
    },
  ];
  here = await world.start({ TOLLGATE_DECISIONS_PORT: String(port), TOLLGATE_DECISIONS_SOCKET: socketPath }, { rules });
  there = await world.start({}, { rules });
});
afterAll(() => world.end());

const slow = (user: string, more = {}) =>
  here.decide({ query: '{ slow { name } }', variables: null, subject: { user }, ...more });

describe('concurrency slots of decisions', () => {
  it('frees a slot when any instance settles the operation', async () => {
    const [first, second] = [await slow('s1'), await slow('s1')];
    expect(await slow('s1')).toMatchObject({ admitted: false });
    await there.settle({ receipt: first.receipt, actualCost: 1 });
    const third = await slow('s1');
    expect(third.admitted).toBe(true);
    await here.settle({ receipt: second.receipt, data: { slow: null } });
    expect((await slow('s1')).admitted).toBe(true);
    expect((await slow('s1')).admitted).toBe(false);
  });

  it('frees the slot of an operation that is never settled, although the rule holds it for an hour', async () => {
    // The receipts last longer than the next decision takes on a busy machine.
    for (let i = 0; i < 2; i++) expect((await slow('s2', { settleWithinMs: 3000 })).admitted).toBe(true);
    expect((await slow('s2')).admitted).toBe(false);
    // A denied attempt holds no slot.
    await until('a slot is free', async () => (await slow('s2')).admitted, 60_000, 20);
  });
});

describe('tokens of deciders', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  async function tokenOf(role: string): Promise<string> {
    const { body } = await here.ask('/admin/graphql', {
      query: `mutation { adminTokenCreate(input: { name: "${role}-of-test", role: ${role} }) { secret userErrors { message } } }`,
    });
    expect(body.data.adminTokenCreate.userErrors).toEqual([]);
    return body.data.adminTokenCreate.secret;
  }

  it('accepts the roles DECIDER and ADMIN only, and lets a DECIDER do nothing else', async () => {
    const price = { query: '{ item { name } }' };
    const decider = await tokenOf('DECIDER');
    expect((await here.ask('/v1/price', price, bearer(decider))).status).toBe(200);
    expect((await here.ask('/v1/price', price, { authorization: '', 'x-tollgate-token': decider })).status).toBe(200);
    expect((await here.ask('/v1/price', price, bearer(await tokenOf('VIEWER')))).status).toBe(403);
    const { body } = await here.ask('/admin/graphql', { query: '{ tiers { nodes { name } } }' }, bearer(decider));
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
    const viewer = await here.ask('/admin/graphql', { query: '{ viewer { name } }' }, bearer(decider));
    expect(viewer.body.errors?.[0].extensions.code).toBe('FORBIDDEN');
  });

  it('answers guesses of tokens with 401, and with 429 when the address has used up its budget', async () => {
    const statuses = new Set<number>();
    for (let i = 0; i < 130; i++) {
      const path = ['/v1/decide', '/v1/settle', '/integrations/ext-authz/graphql', '/integrations/apollo-router'][
        i % 4
      ]!;
      statuses.add((await there.ask(path, {}, bearer(`guess-${i}`))).status);
    }
    expect([...statuses].sort()).toEqual([401, 429]);
    // A valid token of the same address is not affected.
    expect((await there.ask('/v1/price', { query: '{ item { name } }' })).status).toBe(200);
  });
});

describe('transports', () => {
  const body = JSON.stringify({ query: ITEMS, variables: { first: 1 }, subject: { user: 'h2' } });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` };

  async function byHttp2(authority: string, options = {}): Promise<Json> {
    const session = connect(authority, options);
    const stream = session.request({ ':method': 'POST', ':path': '/v1/decide', ...headers });
    stream.end(body);
    let text = '';
    for await (const piece of stream) text += piece;
    session.close();
    return JSON.parse(text);
  }

  it('serves HTTP/2 without TLS and HTTP/1.1 at one port', async () => {
    expect(await byHttp2(`http://127.0.0.1:${port}`)).toMatchObject({ admitted: true });
    const response = await fetch(`http://127.0.0.1:${port}/v1/decide`, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ admitted: true });
  });

  it('serves both protocols at a unix socket', async () => {
    const { createConnection } = await import('node:net');
    const byTwo = await byHttp2('http://localhost', { createConnection: () => createConnection(socketPath) });
    expect(byTwo).toMatchObject({ admitted: true });
    const byOne = await new Promise<string>((resolve, reject) => {
      const sent = httpRequest({ socketPath, path: '/v1/decide', method: 'POST', headers }, (response) => {
        let text = '';
        response.on('data', (piece) => (text += piece)).on('end', () => resolve(text));
      });
      sent.on('error', reject);
      sent.end(body);
    });
    expect(JSON.parse(byOne)).toMatchObject({ admitted: true });
  });

  it('completes a stream in flight when it stops, and closes a connection whose request does not arrive', async () => {
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const listener = await listenForDecisions({
      handler: (_request, response) => void isReleased.then(() => response.end('done')),
      at: { host: '127.0.0.1', port: 0 },
      requestTimeoutMs: 100,
    });
    const slow = tcpConnect(listener.port!, '127.0.0.1');
    slow.on('error', () => {});
    slow.write('POST /v1/decide HTTP/1.1\r\nhost: x\r\n');
    await new Promise((resolve) => slow.resume().once('close', resolve));
    const session = connect(`http://127.0.0.1:${listener.port}`);
    const stream = session.request({ ':path': '/v1/decide' });
    await new Promise((resolve) => session.once('remoteSettings', resolve));
    await new Promise((resolve) => session.ping(resolve));
    const stopped = listener.stop(10_000);
    release();
    let text = '';
    for await (const piece of stream) text += piece;
    expect(text).toBe('done');
    await stopped;
  });
});
