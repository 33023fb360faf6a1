import { readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { headersForUpstream } from '../../src/gateway/headers-for-upstream.js';
import { PROXY_HEADERS } from '../../src/gateway/proxy-headers.js';
import { createUpstream } from '../../src/gateway/upstream/upstream.js';
import { createProtocolOf } from '../../src/identity/protocol-of.js';
import { type OpenGateway, openGateway, serveUpstream, type UpstreamServer } from './gateway.js';

/** Writes bytes to a port and reads until the connection ends. */
function send(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    let read = '';
    socket.on('data', (chunk) => {
      read += chunk;
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(read));
  });
}

/** Number of forwarded operations if the connection may end before the gateway forwards one. */
const AT_MOST_ONE = expect.toBeOneOf([0, 1]);

const BODY = JSON.stringify({ query: '{ item { name } }' });
const request = (headers: readonly string[], body = BODY) =>
  ['POST /graphql HTTP/1.1', 'Host: gateway.example', 'Content-Type: application/json', ...headers, '', body].join(
    '\r\n',
  );

describe('headers of a caller', () => {
  let upstream: UpstreamServer;
  let gateway: OpenGateway;
  let port: number;
  beforeAll(async () => {
    upstream = await serveUpstream();
    gateway = await openGateway(upstream.url, {
      ownAuthorization: 'Bearer of-the-gateway',
      deniedHeaders: ['x-secret'],
    });
    port = Number(new URL(gateway.url).port);
  });
  beforeEach(() => {
    upstream.reached = [];
  });

  it('headers of a caller never reach the upstream as claims about identity, address, URL or connection', async () => {
    const length = `Content-Length: ${BODY.length}`;
    const forged = [
      'X-Forwarded-For: 6.6.6.6',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: https',
      'X_Forwarded_For: 6.6.6.6',
      'Forwarded: for=6.6.6.6',
      'X-Real-IP: 6.6.6.6',
      'True-Client-IP: 6.6.6.6',
      'X-Envoy-External-Address: 6.6.6.6',
      'Client-Cert: :MIIBqDCCAU6g:',
      'Proxy: http://evil.example',
      'X-Original-URL: /admin',
      'X-Original-URI: /admin',
      'X-HTTP-Method-Override: DELETE',
      'Proxy-Authorization: Basic x',
      'TE: trailers',
      'Upgrade: h2c',
      'Keep-Alive: timeout=9',
      'X-Hop: of-this-hop',
      'X-Secret: denied',
      'GraphQL-Cost: report',
      'Connection: close, X-Hop',
    ];
    const answer = await send(
      port,
      request([length, ...forged, 'X-Tenant: acme', 'Authorization: Bearer of-the-caller']),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    const { headers } = upstream.reached[0]!;
    expect(headers).toEqual({
      host: new URL(upstream.url).host,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'content-length': expect.any(String),
      accept: 'application/json',
      'accept-encoding': 'identity',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      forwarded: 'for=127.0.0.1;proto=http',
      'x-tenant': 'acme',
      authorization: 'Bearer of-the-caller',
    });
  });

  it('request smuggling attempts never reach the upstream', async () => {
    const hidden = 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
    const forms = [
      request(
        [`Content-Length: ${BODY.length}`, 'Transfer-Encoding: chunked', 'Connection: close'],
        `0\r\n\r\n${hidden}`,
      ),
      request(
        [`Content-Length: ${BODY.length}`, `Content-Length: ${BODY.length + hidden.length}`, 'Connection: close'],
        BODY + hidden,
      ),
      request(['Transfer-Encoding: xchunked', 'Connection: close'], BODY),
      request(['Transfer-Encoding: chunked, identity', 'Connection: close'], BODY),
      request([`Content-Length: +${BODY.length}`, 'Connection: close']),
      request([`Content-Length : ${BODY.length}`, 'Connection: close']),
      request([`Content-Length: ${BODY.length}`, 'X-A: b\nTransfer-Encoding: chunked', 'Connection: close']),
    ];
    for (const form of forms) expect(await send(port, form)).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(upstream.reached).toEqual([]);
  });

  it('a header with an unusual name or line is either rejected or forwarded as exactly one header', async () => {
    const forms = [
      ['X-Tenant: acme', '\tTransfer-Encoding: chunked'],
      ['X-Tenant: acme\rX-Forwarded-For: 6.6.6.6'],
      ['X Forwarded For: 6.6.6.6'],
      [' X-Forwarded-For: 6.6.6.6'],
      [':authority: evil.example'],
      ['Host: evil.example'],
      ['X-Forwarded-For: 6.6.6.6', 'x-forwarded-FOR: 7.7.7.7', 'X_Forwarded_Host: evil.example'],
      ['Connection: close, Host, Content-Length, Forwarded, X-Forwarded-For'],
      ['Transfer-Encoding:', 'Transfer-Encoding: identity'],
    ];
    for (const form of forms) {
      upstream.reached = [];
      const answer = await send(port, request([`Content-Length: ${BODY.length}`, ...form, 'Connection: close']));
      const name = JSON.stringify(form);
      expect(answer, name).toMatch(/^HTTP\/1\.1 [24]\d\d/);
      expect(upstream.reached, name).toHaveLength(answer.startsWith('HTTP/1.1 200') ? 1 : 0);
      for (const { headers, body } of upstream.reached) {
        expect(headers, name).toMatchObject({
          host: new URL(upstream.url).host,
          'x-forwarded-for': '127.0.0.1',
          forwarded: 'for=127.0.0.1;proto=http',
          'content-length': String(body.length),
        });
        expect(Object.keys(headers).join(), name).not.toMatch(/authority|transfer-encoding|_| |forwarded-host/);
        expect(JSON.stringify(headers), name).not.toMatch(/6\.6\.6\.6|evil/);
      }
    }
  });

  it('a caller cannot change the target, version, method or protocol of the request to the upstream', async () => {
    const length = `Content-Length: ${BODY.length}`;
    const start = (line: string, ...headers: string[]) =>
      [line, 'Content-Type: application/json', length, 'Connection: close', ...headers, '', BODY].join('\r\n');
    const host = 'Host: gateway.example';
    const hidden = `POST /graphql HTTP/1.1\r\n${host}\r\nContent-Type: application/json\r\n${length}\r\n\r\n${BODY}`;
    // Sent bytes, expected statuses, and number of operations that reach the upstream.
    const forms: [name: string, sent: string, statuses: number[], reached: number | typeof AT_MOST_ONE][] = [
      ['absolute form', start('POST http://evil.example/graphql HTTP/1.1', host), [200], 1],
      ['absolute form of another path', start('POST http://evil.example/other HTTP/1.1', host), [404], 0],
      ['two slashes', start('POST //evil.example/graphql HTTP/1.1', host), [404], 0],
      ['an encoded path', start('POST /graphql/..%2fadmin HTTP/1.1', host), [200], 1],
      ['authority form', start('CONNECT evil.example:80 HTTP/1.1', host), [], 0],
      ['asterisk form', start('OPTIONS * HTTP/1.1', host), [404], 0],
      ['no host', start('POST /graphql HTTP/1.1'), [400], 0],
      ['two hosts', start('POST /graphql HTTP/1.1', host, 'Host: evil.example'), [200], 1],
      ['HTTP/1.0', start('POST /graphql HTTP/1.0'), [200], 1],
      ['HTTP/2.0', start('POST /graphql HTTP/2.0', host), [200], 1],
      ['TRACE', start('TRACE /graphql HTTP/1.1', host), [405], 0],
      ['PATCH', start('PATCH /graphql HTTP/1.1', host), [405], 0],
      ['an unknown method', start('BREW /graphql HTTP/1.1', host), [400], 0],
      ['Expect', start('POST /graphql HTTP/1.1', host, 'Expect: 100-continue'), [100, 200], 1],
      ['another Expect', start('POST /graphql HTTP/1.1', host, 'Expect: 200-ok'), [417], 0],
      [
        'an upgrade',
        start('POST /graphql HTTP/1.1', host, 'Connection: Upgrade', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQ'),
        [200],
        1,
      ],
      ['a websocket', start('GET /graphql HTTP/1.1', host, 'Connection: Upgrade', 'Upgrade: websocket'), [400], 0],
      ['a long line', start('POST /graphql HTTP/1.1', host, `X-A: ${'x'.repeat(20_000)}`), [431], 0],
      ['a long target', start(`POST /graphql?${'x'.repeat(20_000)} HTTP/1.1`, host), [431], 0],
      ['a NUL', start('POST /graphql HTTP/1.1', host, 'X-A: a\0b'), [400], 0],
      ['a DEL', start('POST /graphql HTTP/1.1', host, 'X-A: a\x7fb'), [400], 0],
      ['a line feed alone', start('POST /graphql HTTP/1.1', host, 'X-A: a\nX-Forwarded-For: 6.6.6.6'), [400], 0],
      ['a space before the colon', start('POST /graphql HTTP/1.1', host, 'Transfer-Encoding : chunked'), [400], 0],
      ['chunks and a length', start('POST /graphql HTTP/1.1', host, 'Transfer-Encoding: chunked'), [400], 0],
      ['bytes behind the body', `${start('POST /graphql HTTP/1.1', host)}${hidden}`, [400], AT_MOST_ONE],
      ['a GET with a body', start('GET /graphql?query={item{name}} HTTP/1.1', host) + hidden, [400], AT_MOST_ONE],
      [
        'chunks with an extension and a trailer',
        [
          'POST /graphql HTTP/1.1',
          host,
          'Content-Type: application/json',
          'Transfer-Encoding: chunked',
          'Trailer: X-Forwarded-For',
          'Connection: close',
          '',
          `${BODY.length.toString(16)};a=b`,
          BODY,
          '0',
          'X-Forwarded-For: 6.6.6.6',
          'Host: evil.example',
          '',
          '',
        ].join('\r\n'),
        [200],
        1,
      ],
      [
        'a chunk of a wrong length',
        [
          'POST /graphql HTTP/1.1',
          host,
          'Content-Type: application/json',
          'Transfer-Encoding: chunked',
          'Connection: close',
          '',
          `0x${BODY.length.toString(16)}`,
          BODY,
          '0',
          '',
          '',
        ].join('\r\n'),
        [400],
        0,
      ],
    ];
    const expected: Record<string, unknown> = {};
    const found: Record<string, unknown> = {};
    for (const [index, [name, sent, statuses, reached]] of forms.entries()) {
      // The connection may end before an operation reaches the upstream. The mark shows that it belongs
      // to this form.
      const mark = `form-${index}`;
      const marked = sent.replaceAll('Content-Type: application/json', `$&\r\nX-Mark: ${mark}`);
      const statusLines = (await send(port, marked)).matchAll(/^HTTP\/1\.1 (\d{3})/gm);
      const ofForm = upstream.reached.filter(({ headers }) => headers['x-mark'] === mark);
      expected[name] = { statuses, reached };
      found[name] = {
        statuses: [...statusLines].map(([, status]) => Number(status)),
        reached: ofForm.length,
      };
      for (const { headers, method, url, body } of ofForm) {
        expect({ method, url, body: JSON.parse(body) }, name).toEqual({
          method: 'POST',
          url: '/graphql',
          body: { query: expect.any(String) },
        });
        expect(headers, name).toMatchObject({ host: new URL(upstream.url).host, 'x-forwarded-for': '127.0.0.1' });
        expect(JSON.stringify(headers), name).not.toMatch(/evil|6\.6\.6\.6|upgrade|http2-settings|expect|trailer/i);
      }
    }
    expect(found).toEqual(expected);
  });

  it('a header that cannot be sent to the upstream does not open the circuit', async () => {
    const client = createUpstream({ url: upstream.url, timeoutMs: 30_000, maxRequests: 10 });
    const signal = new AbortController().signal;
    for (let i = 0; i < 8; i++) {
      const asked = client.ask({ body: '{}', headers: { 'x-a': 'a\nb' }, signal, isQuery: true });
      await expect(asked).rejects.toThrow();
    }
    expect([client.circuit, client.running]).toEqual(['closed', 0]);
    await client.close();
  });

  it('API keys of Tollgate are never forwarded to the upstream', () => {
    const sent = headersForUpstream(
      {
        headers: { authorization: 'Bearer tg_secret', 'x-api-key': 'tg_secret', cookie: 'a=b' },
        protocol: 'http',
        accept: 'application/json',
      },
      '2001:db8::a',
    );
    expect(JSON.stringify(sent)).not.toContain('secret');
    expect(sent).toMatchObject({
      cookie: 'a=b',
      'x-forwarded-for': '2001:db8::a',
      forwarded: 'for="[2001:db8::a]";proto=http',
    });
  });

  it('the gateway drops identity and routing headers of proxies unless the settings pass them on', () => {
    const forged = Object.fromEntries(
      `X-Forwarded X-Forwarded-Prefix X_Forwarded_User Forwarded-For X-Forward-For CF-Pseudo-IPv4 CF-IPCountry X-Override-URL
       SSL-Client-Cert SSL_CLIENT_S_DN Remote-User REMOTE_USER X-Remote-User X-Remote-Group X-WebAuth-User X-Auth-Request-Email
       X-Goog-Authenticated-User-Email X-MS-Client-Principal X-Amzn-Oidc-Data X-Consumer-Username Impersonate-User SM_USER OIDC_CLAIM_sub
       X-Envoy-Original-Path X-Rewrite-URL X-HTTP-Method X-Middleware-Subrequest X-ARR-ClientCert WL-Proxy-SSL Fastly-Client-IP Via Proxy
       CloudFront-Viewer-Address X-Vercel-Forwarded-For X-ProxyUser-Ip X-Host Front-End-Https Request-URI Script-Name`
        .toLowerCase()
        .split(/\s+/)
        .map((name) => [name, 'forged']),
    );
    const theirs = {
      'user-agent': 'x',
      'apollographql-client-name': 'x',
      authorization: 'x',
      cookie: 'x',
      origin: 'x',
      referer: 'x',
      traceparent: 'x',
      'x-request-id': 'x',
      'x-hasura-role': 'x',
      'x-csrf-token': 'x',
      'x-shopify-access-token': 'x',
      'x-amzn-trace-id': 'x',
      'x-tenant': 'x',
      'cache-control': 'x',
      'accept-language': 'x',
    };
    const forwarding = { headers: { ...forged, ...theirs }, protocol: 'http' as const, accept: 'application/json' };
    const ours = ['accept', 'accept-encoding', 'content-type', 'x-forwarded-proto'];
    expect(Object.keys(headersForUpstream(forwarding, undefined)).sort()).toEqual(
      [...Object.keys(theirs), ...ours].sort(),
    );
    const rules = { passed: ['cf-ipcountry', 'remote-user'], allowed: ['cookie'], denied: ['remote-user'] };
    expect(headersForUpstream(forwarding, undefined, rules)).toMatchObject({ cookie: 'x', 'cf-ipcountry': 'forged' });
    expect(Object.keys(headersForUpstream(forwarding, undefined, rules))).toHaveLength(2 + ours.length);
  });

  it('the documentation lists the proxy headers that the gateway drops', () => {
    const page = readFileSync(new URL('../../docs/gateway.md', import.meta.url), 'utf8');
    const [, table = ''] = /### Headers of proxies\n(.*?)`--pass-headers/s.exec(page) ?? [];
    expect([...table.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(PROXY_HEADERS);
  });

  it('the gateway forwards the allowed headers and no others', () => {
    const headers = { 'x-a': '1', 'x-b': '2', host: 'h' };
    const sent = headersForUpstream({ headers, protocol: 'http', accept: 'application/json' }, undefined, {
      allowed: ['x-a'],
    });
    expect(Object.keys(sent).sort()).toEqual(['accept', 'accept-encoding', 'content-type', 'x-a', 'x-forwarded-proto']);
  });

  it('the protocol of a request comes only from a trusted proxy, and only from the value that this proxy added', () => {
    const ask = (trusted: number | string[], forwarded: string | undefined, remoteAddress = '10.0.0.1') =>
      createProtocolOf(trusted)({
        headers: forwarded === undefined ? {} : { 'x-forwarded-proto': forwarded },
        socket: { remoteAddress } as Socket,
      });
    expect(ask(1, 'https')).toBe('https');
    expect(ask(['10.0.0.0/8'], 'HTTPS')).toBe('https');
    expect(ask(1, 'https, http')).toBe('http');
    for (const forwarded of [undefined, '', 'ftp', 'https,']) expect(ask(1, forwarded)).toBe('http');
    expect(ask(0, 'https')).toBe('http');
    expect(ask(['10.0.0.0/8'], 'https', '192.0.2.1')).toBe('http');
  });
});

it('a gateway behind a trusted proxy forwards the protocol and the full address of the caller', async () => {
  const upstream = await serveUpstream();
  const gateway = await openGateway(upstream.url, {}, { TOLLGATE_TRUSTED_PROXIES: '127.0.0.0/8' });
  await gateway.ask('{ item { name } }', { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' });
  expect(upstream.reached[0]!.headers).toMatchObject({
    'x-forwarded-for': '192.0.2.7',
    'x-forwarded-proto': 'https',
    forwarded: 'for=192.0.2.7;proto=https',
  });
  upstream.reached = [];
  const addresses = {
    '2001:db8:1:2:aaaa::1': ['2001:db8:1:2:aaaa::1', 'for="[2001:db8:1:2:aaaa::1]";proto=http'],
    '2001:DB8:1:2:0:0:0:2': ['2001:db8:1:2::2', 'for="[2001:db8:1:2::2]";proto=http'],
    '[2001:db8:1:2::3]:4711': ['2001:db8:1:2::3', 'for="[2001:db8:1:2::3]";proto=http'],
    'fe80::1%eth0': ['fe80::1', 'for="[fe80::1]";proto=http'],
    '::ffff:192.0.2.9': ['192.0.2.9', 'for=192.0.2.9;proto=http'],
    '192.0.2.9:4711': ['192.0.2.9', 'for=192.0.2.9;proto=http'],
  };
  for (const address of Object.keys(addresses)) await gateway.ask('{ item { name } }', { 'x-forwarded-for': address });
  const received = upstream.reached.map(({ headers }) => [headers['x-forwarded-for'], headers['forwarded']]);
  expect(received).toEqual(Object.values(addresses));
  // The three addresses in one IPv6 network still share one bucket.
  expect(await gateway.left('2001:db8:1:2::/64')).toBe((await gateway.left('192.0.2.77')) - 3);
});
