import { createServer, request as httpRequest } from 'node:http';
import express from 'express';
import { buildSchema } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AdminHandlerOptions } from '../../../src/admin/admin-handler-options.js';
import { createAdminHandler } from '../../../src/admin/create-admin-handler.js';
import { createTollgate, type Tollgate } from '../../../src/tollgate/create-tollgate.js';
import { openServerDatabase, type TestDatabase } from '../../postgres/databases.js';
import { portOf } from '../run-example.js';

// These tests read dist/console, which the test command builds.

const TOKEN = 'a-token-for-the-console';
const QUIET = { info() {}, warn() {}, error() {} };
const OURS = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

let database: TestDatabase;
let tollgate: Tollgate;
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  database = await openServerDatabase();
  const schema = buildSchema('type Query { a: Int }');
  tollgate = await createTollgate({ schema, identify: () => ({ user: 'x' }), postgres: database.db, logger: QUIET });
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(async () => {
  await tollgate.close();
  await database.dispose();
});

async function serve(options: Partial<AdminHandlerOptions> = {}, mountedAt = '/ops') {
  const handler = await createAdminHandler({ tollgate, token: TOKEN, logger: QUIET, ...options });
  const app = express();
  if (options.basePath === undefined) app.use(mountedAt, handler);
  const server = createServer(options.basePath === undefined ? app : handler).listen(0, '127.0.0.1');
  closers.push(async () => {
    await handler.close();
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${await portOf(server)}`;
  const url = origin + (options.basePath ?? mountedAt);
  const logIn = (body: unknown = { token: TOKEN }, headers: Record<string, string> = OURS) =>
    fetch(`${url}/console/session`, { method: 'POST', headers, body: JSON.stringify(body) });
  const ask = (cookie: string, headers: Record<string, string> = OURS, query = '{ viewer { name role } }') =>
    fetch(`${url}/graphql`, { method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify({ query }) });
  return { handler, origin, url, logIn, ask };
}

const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';

describe('the session of the console over HTTP', () => {
  it('a token opens a console session, which authenticates to the admin API until the logout', async () => {
    const { url, logIn, ask } = await serve();
    const response = await logIn();
    expect(response.status).toBe(204);
    expect(response.headers.get('set-cookie')).toMatch(
      /^tollgate_console=[\w-]{43}; Path=\/ops; HttpOnly; SameSite=Strict$/,
    );
    const cookie = cookieOf(response);
    expect(await (await ask(cookie)).json()).toMatchObject({ data: { viewer: { name: 'admin', role: 'ADMIN' } } });
    const shown = await fetch(`${url}/console/session`, { headers: { ...OURS, cookie } });
    expect(await shown.json()).toEqual({
      name: 'admin',
      role: 'ADMIN',
      readOnly: false,
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      demo: false,
      version: expect.stringMatching(/^\d+\./),
    });
    const left = await fetch(`${url}/console/session`, { method: 'DELETE', headers: { ...OURS, cookie }, body: '{}' });
    expect([left.status, left.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await ask(cookie)).status).toBe(401);
  });

  it('the cookie of the console is not sent to an API at the same origin', async () => {
    const handler = await createAdminHandler({ tollgate, token: TOKEN, logger: QUIET });
    const app = express().use('/admin', handler).use('/console', handler.consoleFor('/admin'));
    const server = createServer(app).listen(0, '127.0.0.1');
    closers.push(() => handler.close().then(() => server.close()));
    const url = `http://127.0.0.1:${await portOf(server)}`;
    const logIn = { method: 'POST', headers: { ...OURS, connection: 'close' }, body: JSON.stringify({ token: TOKEN }) };
    const cookies = (await fetch(`${url}/console/session`, logIn)).headers.getSetCookie();
    expect(cookies.map((cookie) => /Path=([^;]*)/.exec(cookie)?.[1])).toEqual(['/console', '/admin']);
    const page = await (await fetch(`${url}/console/rules`, { headers: { connection: 'close' } })).text();
    expect(page).toContain('<base href="/console/"');
    expect(page).toContain('content="/admin"');
  });

  it('the cookie of the console is Secure behind a proxy that terminates TLS', async () => {
    const { logIn } = await serve();
    const response = await logIn({ token: TOKEN }, { ...OURS, 'x-forwarded-proto': 'https' });
    expect(response.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  it('the code of a login link opens a console session once', async () => {
    const { handler, logIn, ask } = await serve();
    const code = handler.createConsoleCode();
    const response = await logIn({ code });
    expect(await (await ask(cookieOf(response))).json()).toMatchObject({ data: { viewer: { role: 'ADMIN' } } });
    expect((await logIn({ code })).status).toBe(401);
  });

  it('a session in the console ends with the token that opened it', async () => {
    const { logIn, ask } = await serve();
    const admin = cookieOf(await logIn());
    const send = async (query: string) => (await (await ask(admin, OURS, query)).json()) as { data: unknown };
    const made = await send(
      'mutation { adminTokenCreate(input: { name: "vera", role: VIEWER }) { secret userErrors { message } } }',
    );
    const { secret } = (made.data as { adminTokenCreate: { secret: string } }).adminTokenCreate;
    const cookie = cookieOf(await logIn({ token: secret }));
    expect(await (await ask(cookie)).json()).toMatchObject({ data: { viewer: { name: 'vera', role: 'VIEWER' } } });
    await send('mutation { adminTokenRevoke(input: { name: "vera" }) { userErrors { message } } }');
    expect((await ask(cookie)).status).toBe(401);
  });

  it('a session is valid on every instance with the same database and settings, and one logout ends it on all', async () => {
    const [here, there, other] = [await serve(), await serve(), await serve({ token: 'another-token' })];
    const cookie = cookieOf(await here.logIn({ code: here.handler.createConsoleCode() }));
    for (const one of [here, there]) expect((await one.ask(cookie)).status).toBe(200);
    expect((await other.ask(cookie)).status).toBe(401);
    const left = await fetch(`${there.url}/console/session`, { method: 'DELETE', headers: { ...OURS, cookie } });
    expect(left.status).toBe(204);
    for (const one of [here, there]) expect((await one.ask(cookie)).status).toBe(401);
  });

  it('admins see and end the console sessions of others, and the history has an entry for this', async () => {
    const { url, logIn, ask } = await serve();
    const mine = cookieOf(await logIn());
    interface Data {
      adminTokenCreate: { secret: string };
      consoleSessions: { nodes: { id: string; name: string }[] };
      changes: { nodes: object[] };
    }
    const send = async (query: string): Promise<Data> =>
      ((await (await ask(mine, OURS, query)).json()) as { data: Data }).data;
    const { adminTokenCreate } = await send(
      'mutation { adminTokenCreate(input: { name: "olga", role: OPERATOR }) { secret } }',
    );
    const cookie = cookieOf(await logIn({ token: adminTokenCreate.secret }));
    expect((await ask(cookie, OURS, '{ consoleSessions { nodes { id } } }')).status).toBe(403);
    const { consoleSessions } = await send('{ consoleSessions(first: 50) { nodes { id name role openedAt usedAt } } }');
    const { id } = consoleSessions.nodes.find(({ name }) => name === 'olga')!;
    const end = `mutation { consoleSessionEnd(input: { id: "${id}", comment: "left open" }) { userErrors { code } } }`;
    expect(await send(end)).toEqual({ consoleSessionEnd: { userErrors: [] } });
    const shown = await fetch(`${url}/console/session`, { headers: { ...OURS, cookie } });
    expect([shown.status, shown.headers.get('set-cookie')]).toEqual([401, expect.stringContaining('Max-Age=0')]);
    expect(await send(end)).toEqual({ consoleSessionEnd: { userErrors: [{ code: 'NOT_FOUND' }] } });
    const { changes } = await send(
      '{ changes(first: 2, filter: { entity: SESSION }) { nodes { action actor comment node { id } } } }',
    );
    expect(changes.nodes).toEqual([
      { action: 'LOGOUT', actor: 'admin', comment: 'left open', node: null },
      { action: 'LOGIN', actor: 'olga', comment: null, node: null },
    ]);
  });

  it('look-ups of unknown session cookies are limited for each address', async () => {
    const { url } = await serve();
    for (const method of ['GET', 'DELETE']) {
      const statuses = new Set<number>();
      for (let guess = 0; guess < 300 && !statuses.has(429); guess++) {
        const cookie = `tollgate_console=${String(guess).padStart(43, 'x')}`;
        statuses.add((await fetch(`${url}/console/session`, { method, headers: { ...OURS, cookie } })).status);
      }
      expect(statuses).toContain(429);
    }
  });

  it('one token opens about 60 console sessions, and further logins are denied with the time to wait', async () => {
    const { handler, logIn } = await serve();
    const statuses: number[] = [];
    while (statuses.length < 300 && !statuses.includes(429)) statuses.push((await logIn()).status);
    expect(new Set(statuses)).toEqual(new Set([204, 429]));
    expect(statuses.length).toBeGreaterThan(60);
    expect(statuses.length).toBeLessThan(70);
    const denied = await logIn();
    expect(Number(denied.headers.get('retry-after'))).toBeGreaterThan(1);
    expect(await denied.json()).toMatchObject({ errors: [{ extensions: { code: 'THROTTLED' } }] });
    // The code of a login link still opens a session.
    expect((await logIn({ code: handler.createConsoleCode() })).status).toBe(204);
  });

  it('no other credentials open a console session, and repeated guesses are throttled', async () => {
    const { logIn } = await serve();
    for (const body of [{}, { token: '' }, { token: TOKEN, code: 'x' }, { code: 'x' }, { token: 5 }, ['x']]) {
      expect((await logIn(body)).status, JSON.stringify(body)).toBe(401);
    }
    const statuses = new Set<number>();
    for (let guess = 0; guess < 200 && !statuses.has(429); guess++)
      statuses.add((await logIn({ token: `t${guess}` })).status);
    expect(statuses).toEqual(new Set([401, 429]));
  });

  it.each([
    ['another site', { ...OURS, 'sec-fetch-site': 'cross-site' }],
    ['another port or subdomain', { ...OURS, 'sec-fetch-site': 'same-site' }],
    [
      'another origin, by a browser that names no site',
      { 'content-type': 'application/json', origin: 'https://evil.example' },
    ],
    ['an opaque origin', { 'content-type': 'application/json', origin: 'null' }],
    ['a client that names neither site nor origin', { 'content-type': 'application/json' }],
    ['an HTML form', { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' }],
  ])('a session is not accepted from %s', async (_, headers) => {
    const { url, logIn, ask } = await serve();
    const cookie = cookieOf(await logIn());
    const rejected = [(await ask(cookie, headers)).status, (await logIn({ token: TOKEN }, headers)).status];
    for (const status of rejected) expect([403, 415]).toContain(status);
    const out = await fetch(`${url}/console/session`, { method: 'DELETE', headers: { ...headers, cookie } });
    expect(out.status).toBe(403);
    expect((await ask(cookie)).status).toBe(200);
  });

  it('a session is not accepted in a GET request, which a link can send', async () => {
    const { url, logIn } = await serve();
    const cookie = cookieOf(await logIn());
    for (const path of ['/graphql?query={viewer{name}}', '/usage.csv']) {
      expect((await fetch(url + path, { headers: { ...OURS, cookie } })).status).toBe(403);
    }
  });

  it('a session exports usage by a POST of JSON from the console, and by no request of another site', async () => {
    const { url, logIn } = await serve();
    const cookie = cookieOf(await logIn());
    const json = { 'content-type': 'application/json' };
    const fetched = (body: string, headers: Record<string, string> = {}) =>
      fetch(`${url}/usage.csv`, { method: 'POST', headers: { ...OURS, ...json, cookie, ...headers }, body });
    const csv = await fetched('{"groupBy":"TIER"}');
    expect([csv.status, await csv.text()]).toEqual([
      200,
      expect.stringMatching(/^from,to,tier,requests[\s\S]*# end, \d+ rows\n$/),
    ]);
    for (const body of ['{"groupBy":["TIER"]}', '{"of":"tomorrow"}', '[1]', 'groupBy=TIER']) {
      const rejected = await fetched(body);
      expect([body, rejected.status]).toEqual([body, 400]);
      expect(await rejected.json()).toMatchObject({ errors: [{ message: expect.any(String) }] });
    }
    expect((await fetched('{}', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await fetched('{}', { 'content-type': 'text/plain' })).status).toBe(403);
    expect((await fetched(`{"user":"${'x'.repeat(5000)}"}`)).status).toBe(413);
  });

  it('a browser that opens /graphql is sent to its page in the console, with its query, logged in or not', async () => {
    const counted: string[] = [];
    const { url, logIn } = await serve({
      production: true,
      onAnswer: (path, status) => void counted.push(`${path} ${status}`),
    });
    const cookie = cookieOf(await logIn());
    await expect.poll(() => counted).toEqual(['/console 204']);
    counted.length = 0;
    for (const headers of [
      {},
      { cookie },
      { cookie, 'sec-fetch-site': 'cross-site' },
      { authorization: 'Bearer guess' },
    ]) {
      const answer = await fetch(`${url}/graphql?query=%7Bviewer%7Bname%7D%7D`, {
        headers: { accept: 'text/html,application/xhtml+xml', ...headers },
        redirect: 'manual',
      });
      expect(answer.status).toBe(302);
      const target = new URL(answer.headers.get('location')!, answer.url);
      expect(target.href).toBe(`${url}/console/graphql?query=%7Bviewer%7Bname%7D%7D`);
      expect(answer.headers.get('vary')).toBe('accept');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const page = await fetch(target, { headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
      expect(page.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      );
      expect(await page.text()).not.toContain(cookie.split('=')[1]);
    }
    await expect.poll(() => counted).toEqual(Array(4).fill('/graphql 302'));
  });

  it('clients that want no page get the response of the API at /graphql, also by GET', async () => {
    const { url } = await serve();
    for (const accept of [
      '*/*',
      'application/json',
      'application/graphql-response+json',
      'application/json, text/html',
    ]) {
      const headers = { accept, authorization: `Bearer ${TOKEN}`, 'apollo-require-preflight': '1' };
      const got = await fetch(`${url}/graphql?query=%7Bviewer%7Bname%7D%7D`, { headers, redirect: 'manual' });
      expect([accept, got.status, await got.json()]).toMatchObject([
        accept,
        200,
        { data: { viewer: { name: 'admin' } } },
      ]);
      const rejected = await fetch(`${url}/graphql`, { headers: { accept }, redirect: 'manual' });
      expect(rejected.status).toBe(401);
    }
    const posted = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    expect(posted.status).toBe(401);
  });

  it('requests for the session are counted like other requests to the admin API', async () => {
    const counted: string[] = [];
    const { url, logIn } = await serve({ onAnswer: (path, status) => void counted.push(`${path} ${status}`) });
    await logIn();
    await logIn({ token: 'guess' });
    await (await fetch(`${url}/console/session`, { headers: OURS })).text();
    await expect.poll(() => counted).toEqual(['/console 204', '/console 401', '/console 401']);
  });

  it('a session is accepted from its own origin if the browser does not send the site', async () => {
    const { origin, logIn, ask } = await serve();
    const headers = { 'content-type': 'application/json', origin };
    expect((await ask(cookieOf(await logIn({ token: TOKEN }, headers)), headers)).status).toBe(200);
  });

  it('the session shows the administrator that the option authorize identifies', async () => {
    const { url } = await serve({ authorize: () => ({ name: 'ann', role: 'OPERATOR' }) });
    const shown = await fetch(`${url}/console/session`, { headers: OURS });
    expect(await shown.json()).toMatchObject({ name: 'ann', role: 'OPERATOR', expiresAt: null });
  });

  it('a read-only admin API changes nothing, for sessions and for tokens', async () => {
    const { url, logIn, ask } = await serve({ readOnly: true });
    const cookie = cookieOf(await logIn());
    const shown = await fetch(`${url}/console/session`, { headers: { ...OURS, cookie } });
    expect(await shown.json()).toMatchObject({ role: 'VIEWER', readOnly: true });
    const mutation = 'mutation { adminTokenCreate(input: { name: "eve", role: ADMIN }) { secret } }';
    expect(await (await ask(cookie, OURS, mutation)).json()).toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
    const byToken = { ...OURS, authorization: `Bearer ${TOKEN}` };
    expect(await (await ask('', byToken, mutation)).json()).toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
  });
});

describe('the pages of the console', () => {
  it('every console address serves the same document, which contains the path of the admin API', async () => {
    for (const [options, at] of [
      [{}, '/ops'],
      [{ basePath: '/deep/ops' }, '/deep/ops'],
    ] as const) {
      const { url } = await serve(options);
      for (const path of ['/console', '/console/', '/console/callers/ann', '/console/rules?mode=SHADOW']) {
        const response = await fetch(url + path);
        expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(response.headers.get('cache-control')).toBe('no-cache');
        const text = await response.text();
        expect(text).toContain(`<base href="${at}/console/"`);
        expect(text).toContain(`<meta name="tollgate-admin" content="${at}"`);
        expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
      }
    }
  });

  it('the console allows only its own content and cannot be framed', async () => {
    const { url } = await serve();
    const { headers } = await fetch(`${url}/console/`);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('the console’s scripts are compressed and cached as immutable', async () => {
    const { url } = await serve();
    const [, script] = /src="\.?\/?(assets\/[^"]+\.js)"/.exec(await (await fetch(`${url}/console/`)).text()) ?? [];
    const response = await fetch(`${url}/console/${script}`, { headers: { 'accept-encoding': 'br' } });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toContain('tollgate');
  });

  it('the console serves no files outside its own folder', async () => {
    const { origin } = await serve();
    const { port } = new URL(origin);
    for (const path of [
      '/ops/console/../../package.json',
      '/ops/console/%2e%2e/%2e%2e/package.json',
      '/ops/console/assets/..%2f..%2f..%2fpackage.json',
      '/ops/console/assets/missing.js',
      '/ops/console/assets/',
    ]) {
      const status = await new Promise((resolve, reject) => {
        // fetch would normalize the path.
        httpRequest({ port, path, host: '127.0.0.1' }, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end();
      });
      expect(status, path).toBe(404);
    }
  });
});
