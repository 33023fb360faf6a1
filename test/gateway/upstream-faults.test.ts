import { mkdtempSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askUpstream } from '../../src/gateway/upstream/ask-upstream.js';
import { createCircuitBreaker } from '../../src/gateway/upstream/circuit-breaker.js';
import { createUpstream } from '../../src/gateway/upstream/upstream.js';
import { until } from '../helpers/until.js';
import { FAULTS, JSON_TYPE, MANY, trickle } from './faults.js';
import { type OpenGateway, openGateway, serveUpstream, TYPES, type UpstreamServer } from './gateway.js';

const PARTS = { 'content-type': 'multipart/mixed; boundary="-"' };
const DEFERRED = '{ item { name } ... @defer { items(first: 40) { name } } }';

describe('faults of an upstream', () => {
  let upstream: UpstreamServer;
  let gateway: OpenGateway;
  beforeAll(async () => {
    upstream = await serveUpstream();
    const schemaFile = join(mkdtempSync(join(tmpdir(), 'tollgate-faults-')), 'schema.graphql');
    writeFileSync(
      schemaFile,
      `${TYPES} directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT`,
    );
    const bounds = { upstreamTimeoutMs: 2000, maxReadBytes: 2000, maxUpstreamRequests: 1, tokensPerKib: 1 };
    gateway = await openGateway(upstream.url, { schemaFile, ...bounds }, {}, 10_000);
  });
  beforeEach(async () => {
    upstream.behave = undefined;
    // Failures of the previous test may have opened the circuit. The test waits until it closes.
    await until('the circuit closes', async () => (await gateway.ask('{ item { name } }')).status === 200);
    upstream.reached = [];
  });
  afterEach(async () => {
    await until('no request, bytes or connection of the test are left', async () => {
      const found = await gateway.metrics();
      const left = ['requests', 'held_bytes'].map((name) => found.get(`tollgate_upstream_${name}`));
      const connections = found.get('tollgate_upstream_connections');
      return left.join() === '0,0' && connections === (await upstream.connections());
    });
  });

  it.each(
    FAULTS,
  )('an upstream that %s causes a GraphQL error without internals, and the operation is settled', async (_name, behave, status, code, paid) => {
    upstream.behave = behave;
    const before = await gateway.left();
    const answer = await gateway.ask(MANY);
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([status, code]);
    expect(answer.text).not.toMatch(/secret|127\.0\.0\.1|at .*\.[jt]s/);
    expect(answer.body.extensions.cost.requestedQueryCost).toBe(40);
    expect(await gateway.left()).toBe(before - paid);
    // The gateway never repeats a request, because the API may have executed it.
    expect(upstream.reached).toHaveLength(1);
  });

  it('GraphQL errors of an upstream pass unchanged with their own status', async () => {
    const sent = {
      errors: [{ message: 'no', path: 'x', extensions: { http: { status: 200, headers: 7 }, code: 'X' } }],
    };
    upstream.behave = (_, response) =>
      response.writeHead(500, { ...JSON_TYPE, 'x-of-api': 'yes' }).end(JSON.stringify(sent));
    const answer = await gateway.ask(MANY);
    expect([answer.status, answer.body.errors]).toEqual([500, sent.errors]);
    expect(answer.headers.get('x-of-api')).toBe('yes');
  });

  it.each([
    ['{"data":{"items":7}}'],
    ['{"data":{"items":{"name":[]}}}'],
    ['{"data":{"items":[[[]],null,5,"x"],"__proto__":{"a":1}}}'],
    ['{"data":{},"errors":[{}],"extensions":null}'],
    ['{"data":null,"errors":[{"message":5,"path":{}}]}'],
    ['{"errors":[]}'],
  ])('the response %s, which does not match the query, is settled at no more than its estimate', async (text) => {
    upstream.behave = (_, response) => response.writeHead(200, JSON_TYPE).end(text);
    const before = await gateway.left();
    const answer = await gateway.ask(MANY);
    expect(answer.status).toBe(200);
    const paid = before - (await gateway.left());
    expect(paid).toBeGreaterThanOrEqual(0);
    expect(paid).toBeLessThanOrEqual(40);
    const { extensions: _cost, ...rest } = answer.body;
    const { extensions: _own, ...sent } = JSON.parse(text);
    expect(rest).toEqual(sent);
  });

  it('response numbers beyond the range of JavaScript pass through digit by digit', async () => {
    upstream.behave = (_, response) =>
      response.writeHead(200, JSON_TYPE).end('{"data":{"item":{"name":12345678901234567890.0}} }\n');
    const { text, body } = await gateway.ask('{ item { name } }');
    expect(text).toContain('{"data":{"item":{"name":12345678901234567890.0}} ,"extensions":{"cost":');
    expect(body.extensions.cost.actualQueryCost).toBe(1);
  });

  it('response bytes that are not valid UTF-8 pass through unchanged', async () => {
    const odd = Buffer.from('{"data":{"item":{"name":"\xff\xc3("}}}', 'latin1');
    upstream.behave = (_, response) => response.writeHead(200, JSON_TYPE).end(odd);
    const { url } = gateway;
    const body = JSON.stringify({ query: '{ item { name } }' });
    const response = await fetch(url, { method: 'POST', headers: { ...JSON_TYPE, connection: 'close' }, body });
    const answered = Buffer.from(await response.arrayBuffer());
    expect(answered.subarray(0, odd.length - 1)).toEqual(odd.subarray(0, -1));
    expect(answered.subarray(odd.length - 1).toString()).toMatch(/^,"extensions":\{"cost":/);
  });

  it('a response above the read limit passes through completely and is charged by its bytes', async () => {
    const text = JSON.stringify({ data: { items: Array.from({ length: 5000 }, () => ({ name: 'x' })) } });
    upstream.behave = (_, response) => response.writeHead(200, JSON_TYPE).end(text);
    const before = await gateway.left();
    const answer = await gateway.ask(MANY);
    expect(answer.text).toBe(text);
    // The gateway sends the headers before it has counted the bytes.
    expect(answer.headers.get('x-ratelimit-cost')).toBe('40');
    const byBytes = Math.ceil(text.length / 1024);
    expect(byBytes).toBeGreaterThan(40);
    await until('the operation is settled', async () => before - (await gateway.left()) === byBytes);
  });

  it('bytes after the announced length are discarded, so the next caller gets their own response', async () => {
    const text = '{"data":{"item":{"name":"first"}}}';
    const another = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"data":null}';
    upstream.behave = (_, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': text.length });
      response.socket!.write(`${(response as unknown as { _header: string })._header}${text}${another}`);
    };
    expect((await gateway.ask('{ item { name } }')).body.data).toEqual({ item: { name: 'first' } });
    upstream.behave = undefined;
    expect((await gateway.ask('{ item { name } }')).body.data).toEqual({ item: { name: 'x' } });
  });

  it.each<[string, RequestListener]>([
    [
      'a large response',
      (_, response) => {
        response.writeHead(200, JSON_TYPE);
        response.write(`{"data":{"echo":"${'x'.repeat(10_000)}`);
        trickle(response, 'x');
      },
    ],
    [
      'one part of a multipart response',
      (_, response) => {
        response.writeHead(200, PARTS);
        response.write('\r\n---\r\n\r\n{"data":{"item":{"name":"x"}},"hasNext":true}\r\n---\r\n\r\n');
        trickle(response, ' ');
      },
    ],
    [
      'heartbeats between parts',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('event: next\ndata: {"data":{"item":{"name":"x"}},"hasNext":true}\n\n');
        trickle(response, ':\n\n');
      },
    ],
    [
      'nothing between two parts',
      (_, response) => {
        response.writeHead(200, PARTS);
        response.write('\r\n---\r\n\r\n{"data":{"item":{"name":"x"}},"hasNext":true}\r\n---');
      },
    ],
  ])('an upstream that sends %s but never completes its response is cut off at the estimated cost', async (_, behave) => {
    upstream.behave = behave;
    const before = await gateway.left();
    const failures = 'tollgate_upstream_failures_total{code="UPSTREAM_TIMEOUT"}';
    const failedBefore = (await gateway.metrics()).get(failures)!;
    const response = await fetch(gateway.url, {
      method: 'POST',
      // The connection must be persistent. Otherwise, fetch would treat the end of the connection
      // as the end of the response.
      headers: { ...JSON_TYPE, accept: 'multipart/mixed, text/event-stream, application/json' },
      body: JSON.stringify({ query: DEFERRED }),
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await until('the operation is settled', async () => before - (await gateway.left()) === 41);
    await expect.poll(async () => (await gateway.metrics()).get(failures)).toBe(failedBefore + 1);
  });

  it('the gateway closes its upstream request when the caller disconnects, and the charge stays', async () => {
    let isLeft = false;
    upstream.behave = (request) => request.socket.once('close', () => (isLeft = true));
    const before = await gateway.left();
    const gone = new AbortController();
    const asked = fetch(gateway.url, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ query: MANY }),
      signal: gone.signal,
    }).catch(() => {});
    await until('the request has arrived', () => upstream.reached.length === 1);
    gone.abort();
    await asked;
    await until('the upstream connection is closed', () => isLeft);
    expect(await gateway.left()).toBe(before - 40);
  });

  it('requests above the upstream maximum get 503 with Retry-After and are charged the fee', async () => {
    let goOn: (() => void) | undefined;
    upstream.behave = (_, response) => {
      goOn = () => response.writeHead(200, JSON_TYPE).end('{"data":{"item":{"name":"x"}}}');
    };
    const first = gateway.ask('{ item { name } }');
    await until('the request has arrived', () => goOn !== undefined);
    const before = await gateway.left();
    const second = await gateway.ask(MANY);
    expect([second.status, second.body.errors[0].extensions.code]).toEqual([503, 'UPSTREAM_OVERLOADED']);
    expect(second.headers.get('retry-after')).toBe('1');
    expect(second.body.errors[0].message).toBe('The API accepts no more requests at the moment: try again later');
    expect(await gateway.left()).toBe(before - 1);
    goOn!();
    expect((await first).status).toBe(200);
    expect(upstream.reached).toHaveLength(1);
  });

  it('operations on an unreachable upstream cost nothing until the circuit opens, and then the fee', async () => {
    await upstream.stop();
    const before = await gateway.left();
    for (let i = 0; i < 5; i++) {
      const answer = await gateway.ask('mutation { save { name } }');
      expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([502, 'UPSTREAM_UNAVAILABLE']);
      expect(answer.body.errors[0].message).toBe('The API cannot be reached');
    }
    expect(await gateway.left()).toBe(before);
    const circuit = async () => (await gateway.metrics()).get('tollgate_upstream_circuit_state');
    const rejected = async () => (await gateway.metrics()).get('tollgate_upstream_refused_total{reason="away"}');
    expect([await circuit(), await rejected()]).toEqual([2, 0]);
    const answer = await gateway.ask(MANY);
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([503, 'UPSTREAM_OVERLOADED']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect([await gateway.left(), await rejected()]).toEqual([before - 1, 1]);
    await upstream.start();
    await until('the circuit closes', async () => (await gateway.ask('{ item { name } }')).status === 200);
    expect(await circuit()).toBe(0);
  });
});

const html =
  (status: number): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('x');

describe('the circuit to a failing upstream', () => {
  const halfAnswer: RequestListener = (_, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000 });
    response.write('{"data":{', () => response.socket!.resetAndDestroy());
  };

  it.each<[string, RequestListener, RegExp]>([
    ['has a proxy that answers 503', html(503), /^The API answered with something other than GraphQL$/],
    ['breaks off its responses', halfAnswer, /^The API closed the connection before its answer was complete$/],
  ])('five consecutive failures of an upstream that %s open the circuit', async (_, behave, message) => {
    const upstream = await serveUpstream();
    const gateway = await openGateway(upstream.url);
    upstream.behave = behave;
    for (let i = 0; i < 5; i++) {
      const { status, body } = await gateway.ask(MANY);
      expect([status, body.errors[0].message]).toEqual([502, expect.stringMatching(message)]);
    }
    const rejected = await gateway.ask(MANY);
    expect([rejected.status, rejected.body.errors[0].extensions.code]).toEqual([503, 'UPSTREAM_OVERLOADED']);
    expect(upstream.reached).toHaveLength(5);
  });

  it('responses with status 500 never open the circuit, because one caller could provoke them', async () => {
    const upstream = await serveUpstream();
    const gateway = await openGateway(upstream.url);
    upstream.behave = html(500);
    for (let i = 0; i < 8; i++) expect((await gateway.ask(MANY)).body.errors[0].extensions.upstreamStatus).toBe(500);
    expect(upstream.reached).toHaveLength(8);
  });
});

describe('the circuit to an upstream that was unreachable', () => {
  it('the open circuit lets one probe through every two seconds and closes with the first response', async () => {
    const server = await serveUpstream();
    let nowMs = 0;
    const upstream = createUpstream({ url: server.url, timeoutMs: 30_000, maxRequests: 10, now: () => nowMs });
    const ask = async () => {
      const request = { body: '{"query":"{ item { name } }"}', headers: {}, isQuery: true };
      const answer = await upstream.ask({ ...request, signal: new AbortController().signal });
      for await (const _ of answer.body);
      return answer.status;
    };
    expect(await ask()).toBe(200);
    await server.stop();
    const codes: Record<string, number> = {};
    for (; nowMs < 60_000; nowMs += 100) {
      const code = await ask().catch(({ code }) => code);
      codes[code] = (codes[code] ?? 0) + 1;
    }
    // Five failures open the circuit. Then one probe every two seconds reaches the upstream.
    expect(codes).toEqual({ UPSTREAM_UNAVAILABLE: 5 + 29, UPSTREAM_OVERLOADED: 600 - 34 });
    await server.start();
    nowMs += 2000;
    for (let i = 0; i < 3; i++) expect(await ask()).toBe(200);
    expect([upstream.circuit, upstream.running]).toEqual(['closed', 0]);
    await upstream.close();
  });

  it('another request may probe the upstream while the first probe is slow', async () => {
    const server = await serveUpstream();
    let nowMs = 0;
    const upstream = createUpstream({ url: server.url, timeoutMs: 30_000, maxRequests: 10, now: () => nowMs });
    const signal = new AbortController().signal;
    const ask = () => upstream.ask({ body: '{"query":"{ item { name } }"}', headers: {}, signal, isQuery: true });
    server.behave = html(503);
    for (let i = 0; i < 5; i++) (await ask()).dump();
    nowMs = 2000;
    server.behave = () => {};
    const slow = ask();
    expect(upstream.rejection()).toBeDefined();
    await until('the slow probe has arrived', () => server.reached.length === 6);
    server.behave = undefined;
    nowMs = 4000;
    for await (const _ of (await ask()).body);
    expect(upstream.circuit).toBe('closed');
    const failed = expect(slow).rejects.toThrow();
    await upstream.close();
    await failed;
  });

  it('a response that is not read also closes the circuit, even if it is HTML', async () => {
    const server = await serveUpstream();
    let nowMs = 0;
    const upstream = createUpstream({ url: server.url, timeoutMs: 30_000, maxRequests: 10, now: () => nowMs });
    const ask = async () => {
      const { signal } = new AbortController();
      const answer = await upstream.ask({ body: '{}', headers: {}, signal, isQuery: true });
      answer.dump();
      await until('the request is released', () => upstream.running === 0);
    };
    server.behave = html(503);
    for (let i = 0; i < 5; i++) await ask();
    expect(upstream.rejection()).toBeDefined();
    nowMs = 2000;
    server.behave = html(500);
    await ask();
    // A single failure does not open a closed circuit.
    server.behave = html(503);
    await ask();
    expect(upstream.rejection()).toBeUndefined();
    await upstream.close();
  });
});

describe('upstream requests per caller', () => {
  const EACH = 16;

  it('a caller may use a quarter of the upstream requests, and more are rejected and pay the fee', async () => {
    const upstream = await serveUpstream();
    const settings = { maxUpstreamRequests: 4 * EACH };
    const env = { TOLLGATE_TRUSTED_PROXIES: '127.0.0.1', TOLLGATE_MAX_BATCH_SIZE: '10' };
    const gateway = await openGateway(upstream.url, settings, env);
    const held: (() => void)[] = [];
    upstream.behave = (_, response) => {
      held.push(() => response.writeHead(200, JSON_TYPE).end('{"data":{"item":null}}'));
    };
    const address = '192.0.2.1';
    const hog = { 'x-forwarded-for': address };
    const taken = Array.from({ length: EACH }, () => gateway.ask('{ item { name } }', hog));
    await until('all requests have arrived', () => held.length === EACH);
    const before = await gateway.left(address);
    const rejected = await gateway.ask(MANY, hog);
    expect([rejected.status, rejected.body.errors[0].extensions.code]).toEqual([503, 'UPSTREAM_OVERLOADED']);
    expect(await gateway.left(address)).toBe(before - 1);
    // A batch is rejected as a whole, before any of its operations has begun.
    expect((await gateway.ask([{ query: MANY }, { query: MANY }], hog)).status).toBe(503);
    expect(await gateway.left(address)).toBe(before - 2);
    expect(upstream.reached).toHaveLength(EACH);
    const other = gateway.ask('{ item { name } }', { 'x-forwarded-for': '192.0.2.2' });
    await until('another caller is let through', () => held.length === EACH + 1);
    for (const answer of held.splice(0)) answer();
    for (const { status } of await Promise.all([...taken, other])) expect(status).toBe(200);
    upstream.behave = undefined;
    expect((await gateway.ask(MANY, hog)).status).toBe(200);
  });

  it('a client that stops reading a large response loses its upstream request after the timeout', async () => {
    const upstream = await serveUpstream();
    const gateway = await openGateway(upstream.url, { upstreamTimeoutMs: 500, maxReadBytes: 1000 });
    let isLetGo = false;
    upstream.behave = (_, response) => {
      response.once('close', () => (isLetGo = true));
      response.writeHead(200, JSON_TYPE);
      response.write(`{"data":{"echo":"${'x'.repeat(64 * 2 ** 20)}`);
    };
    const { port } = new URL(gateway.url);
    const body = JSON.stringify({ query: '{ echo(value: "x") }' });
    const reader = createConnection({ port: Number(port), host: '127.0.0.1' });
    reader.on('error', () => {});
    reader.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    reader.pause();
    await until('the upstream request is released', () => isLetGo);
    reader.destroy();
  });
});

describe('the circuit breaker', () => {
  it('the circuit breaker opens after failures, allows one probe after its wait and closes on success', async () => {
    let nowMs = 0;
    const breaker = createCircuitBreaker({ failures: 2, openMs: 2000, now: () => nowMs });
    breaker.failed();
    expect(breaker.waitMs()).toBe(0);
    breaker.failed();
    expect(breaker.waitMs()).toBe(2000);
    nowMs = 2000;
    expect(breaker.waitMs()).toBe(0);
    breaker.began();
    expect(breaker.waitMs()).toBeGreaterThan(0);
    breaker.abandoned();
    expect(breaker.waitMs()).toBe(0);
    breaker.failed();
    expect(breaker.waitMs()).toBe(2000);
    nowMs = 4000;
    expect(breaker.waitMs()).toBe(0);
    breaker.succeeded();
    expect(breaker.waitMs()).toBe(0);
  });
});

it.each([
  [
    'redirects the request',
    { location: 'https://api.example.com/v2/graphql' },
    301,
    '(status 301): it redirects to "https://api.example.com/v2/graphql", and the gateway follows no redirects: set --upstream to the final address',
  ],
  [
    'compresses its response',
    { ...JSON_TYPE, 'content-encoding': 'br' },
    200,
    '(status 200): its encoding is "br", although the request accepts none',
  ],
  ['sends HTML', { 'content-type': 'text/html' }, 404, '(status 404): its content type is "text/html"'],
  ['sends other JSON', JSON_TYPE, 200, '(status 200): it is not a complete JSON object with data or errors'],
])('the error for operators explains an upstream that %s', async (_name, headers, status, description) => {
  const server = await serveUpstream();
  server.behave = (_, response) => response.writeHead(status, headers).end('{}');
  const upstream = createUpstream({ url: server.url, timeoutMs: 5000, maxRequests: 1, now: () => 0 });
  const asking = askUpstream(upstream, { query: '{ __typename }', authorization: undefined, timeoutMs: 5000 });
  await expect(asking).rejects.toThrow(`The API answered with something other than GraphQL ${description}`);
  await upstream.close();
  await server.stop();
});
