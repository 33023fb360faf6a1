import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, listen } from '../../../src/server/http/listen.js';
import { ADMIN_TOKEN, type Platform, post, startPlatform } from '../../helpers/platform.js';
import { startRedisServer, type TestServer } from '../../helpers/servers.js';
import { openServerDatabase, type TestDatabase } from '../../postgres/databases.js';

const ORIGIN = 'https://app.example.com';

describe('the platform in production', () => {
  let redis: TestServer;
  let database: TestDatabase & { url: string };
  let platform: Platform;
  beforeAll(async () => {
    redis = await startRedisServer();
    database = await openServerDatabase();
    platform = await startPlatform({
      env: { REDIS_URL: redis.url, DATABASE_URL: database.url, TOLLGATE_MAX_DEPTH: '4' },
      args: ['--demo', '--production', '--cors-origins', `${ORIGIN},http://localhost:5173`, '--max-batch-size', '5'],
    });
  });
  afterAll(async () => {
    expect(await platform.stop()).toBe(0);
    await database.dispose();
    await redis.stop();
  });
  const send = (init: RequestInit & { path?: string } = {}) =>
    fetch(`${platform.url}${init.path ?? '/graphql'}`, {
      ...init,
      headers: { connection: 'close', ...(init.headers as Record<string, string> | undefined) },
    });

  it('in production, a browser gets no page at /graphql, and is redirected from /admin/graphql to the console', async () => {
    const api = await send({ headers: { accept: 'text/html' } });
    expect([api.status, api.headers.get('content-type')]).toEqual([400, expect.stringMatching(/json/)]);
    const admin = await send({ path: '/admin/graphql', headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([admin.status, admin.headers.get('location')]).toEqual([302, '/console/graphql']);
  });

  it.each([
    '{ countrys { name } }',
    '{ countries { nam } }',
    '{ countries(frist: 1) { name } }',
    '{ countries @inclde(if: true) { name } }',
    'query ($p: NoteSaveInpt) { countries { name } }',
    'mutation { noteSave(input: { plac: "SWE", text: "x" }) { note { id } } }',
  ])('in production, the error for %s contains no suggestion', async (query) => {
    const { status, body } = await post(`${platform.url}/graphql`, query);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toMatch(/Did you mean|stacktrace|node_modules/);
  });

  it('in production, an error about variables contains no suggestion', async () => {
    const query = 'mutation ($input: NoteSaveInput!) { noteSave(input: $input) { note { id } } }';
    const { status, body } = await post(`${platform.url}/graphql`, {
      query,
      variables: { input: { plac: 'SWE', text: 'x' } },
    });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toMatch(/Did you mean/);
  });

  it('in production, only administrators can introspect a schema', async () => {
    const query = '{ __schema { types { name } } }';
    expect((await post(`${platform.url}/graphql`, query)).status).toBe(400);
    expect((await post(`${platform.url}/admin/graphql`, query)).status).toBe(401);
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    expect(
      (await post(`${platform.url}/admin/graphql`, query, headers)).body.data.__schema.types.length,
    ).toBeGreaterThan(5);
  });

  it('only pages of the listed origins may read responses and quota headers', async () => {
    const body = JSON.stringify({ query: '{ country(code: "SE") { name } }' });
    const post = (origin: string) =>
      send({ method: 'POST', body, headers: { origin, 'content-type': 'application/json' } });
    const allowed = await post(ORIGIN);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(allowed.headers.get('vary')).toMatch(/origin/i);
    const exposed = allowed.headers.get('access-control-expose-headers')?.split(', ');
    for (const name of ['ratelimit', 'ratelimit-policy', 'retry-after', 'x-ratelimit-remaining'])
      expect(exposed).toContain(name);
    for (const origin of [
      'https://evil.example',
      `${ORIGIN}.evil.example`,
      'null',
      `${ORIGIN}:8443`,
      'http://app.example.com',
    ]) {
      const other = await post(origin);
      expect(other.headers.get('access-control-allow-origin')).toBeNull();
    }
    const wanted = 'content-type,x-api-key,x-header-of-the-api';
    const preflight = (origin: string) =>
      send({
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': wanted },
      });
    expect((await preflight(ORIGIN)).headers.get('access-control-allow-headers')).toBe(wanted);
    expect((await preflight(ORIGIN)).headers.get('vary')).toMatch(/access-control-request-headers/i);
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-headers')).toBeNull();
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-methods')).toBeNull();
    expect((await preflight('https://evil.example')).status).toBe(204);
    const admin = await send({
      path: '/admin/graphql',
      method: 'POST',
      body,
      headers: { origin: ORIGIN, 'content-type': 'application/json' },
    });
    expect(admin.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    '/graphql',
    '/admin/graphql',
    '/healthz',
    '/nothing',
  ])('responses at %s contain the security headers for browsers', async (path) => {
    const { headers } = await send({ path });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('the configured document limits and batch size apply', async () => {
    const deep = await post(`${platform.url}/graphql`, '{ countries { borders { borders { borders { name } } } } }');
    expect(deep.body.errors[0].extensions).toMatchObject({
      code: 'DOCUMENT_LIMIT_EXCEEDED',
      limit: 'maxDepth',
      maximum: 4,
    });
    const batch = (size: number) =>
      send({
        method: 'POST',
        body: JSON.stringify(Array(size).fill({ query: '{ country(code: "SE") { name } }' })),
        headers: { 'content-type': 'application/json' },
      });
    expect(await (await batch(5)).json()).toHaveLength(5);
    expect((await batch(6)).status).toBe(400);
  });

  it('request headers beyond 16 KB are rejected with 431', async () => {
    const response = await send({ headers: { 'x-large': 'x'.repeat(20_000) } });
    expect(response.status).toBe(431);
  });
});

describe('timeouts of a server', () => {
  let server: Listening | undefined;
  afterEach(() => server?.stop(0));

  const ended = (port: number, text: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.once('error', reject);
      socket.once('close', () => resolve(answer));
    });

  it.each([
    ['whose headers never end', 'POST / HTTP/1.1\r\nhost: x\r\n'],
    ['whose body never ends', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n123'],
  ])('the server rejects a request %s with 408 after a timeout', async (_, text) => {
    const handler: Parameters<typeof listen>[0]['handler'] = (request, response) => {
      request.resume().once('end', () => response.end('all of it'));
    };
    const timeouts = { requestTimeoutMs: 600, headersTimeoutMs: 400 };
    server = await listen({ handler, host: '127.0.0.1', port: 0, ...timeouts });
    expect(await ended(server.port, text)).toMatch(/^HTTP\/1.1 408/);
  });

  it('the server closes a connection without traffic while a response is pending', async () => {
    const handler = () => {};
    server = await listen({ handler, host: '127.0.0.1', port: 0, idleTimeoutMs: 500 });
    expect(await ended(server.port, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n')).toBe('');
  });
});
