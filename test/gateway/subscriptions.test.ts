import { connect } from 'node:net';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { createClient } from 'graphql-sse';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { GatewaySettings } from '../../src/gateway/gateway-settings.js';
import { until } from '../helpers/until.js';
import { type OpenGateway, openGateway, serveUpstream, type UpstreamServer } from './gateway.js';
import { streamFrom } from './streamed-upstream.js';

const LISTED = 'subscription { listed(first: 40) { name } }';
const SAVED = 'subscription { saved { name } }';
const saved = (name: string) => `{"data":{"saved":{"name":"${name}"}}}`;
const listed = (count: number) =>
  JSON.stringify({ data: { listed: Array.from({ length: count }, () => ({ name: 'x' })) } });

/** Reads the text of a subscription as it arrives. */
function read(response: Response) {
  const reader = response.body!.getReader();
  let text = '';
  const ended = (async () => {
    for (let step = await reader.read(); !step.done; step = await reader.read()) text += Buffer.from(step.value);
  })().catch(() => {});
  return {
    ended,
    text: () => text,
    has: (part: string) => until(`the client has received ${part}`, () => text.includes(part)),
    leave: () => reader.cancel(),
  };
}

const subscribe = (gateway: OpenGateway, query: string, accept = 'text/event-stream') =>
  fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, connection: 'close' },
    body: JSON.stringify({ query }),
  });

const ONE_OPEN = {
  name: 'open',
  scope: 'IP' as const,
  field: '*',
  measure: 'SUBSCRIPTIONS' as const,
  limits: [{ algorithm: 'CONCURRENCY' as const, capacity: 1, leaseMs: 60_000 }],
};

describe('subscriptions through the gateway', () => {
  let upstream: UpstreamServer;
  let gateway: OpenGateway;
  beforeAll(async () => {
    upstream = await serveUpstream();
    gateway = await openGateway(upstream.url, {}, { TOLLGATE_MAX_BATCH_SIZE: '2' });
  });

  it('a client of graphql-sse receives each event before the next exists, and pays the estimate and each event', async () => {
    const upstreamStreams = streamFrom(upstream);
    const before = await gateway.left();
    const client = createClient({ url: gateway.url, retryAttempts: 0 });
    const received: unknown[] = [];
    const events = client.iterate({ query: LISTED });
    const done = (async () => {
      for await (const event of events) received.push(event);
    })();
    const stream = await upstreamStreams.next();
    expect(upstream.reached.at(-1)!.headers.accept).toMatch(/^text\/event-stream,/);
    expect(before - (await gateway.left())).toBe(40);
    stream.send(listed(3));
    await until('the first event has arrived', () => received.length === 1);
    expect(received[0]).toMatchObject({ data: { listed: [{}, {}, {}] }, extensions: { cost: {} } });
    stream.send(listed(2));
    await until('the second event has arrived', () => received.length === 2);
    stream.complete();
    await done;
    expect(received[1]).toEqual(JSON.parse(listed(2)));
    expect(before - (await gateway.left())).toBe(40 + 3 + 2);
  });

  it('a client of graphql-sse in the single connection mode gets an error that names the other mode', async () => {
    const client = createClient({ url: gateway.url, retryAttempts: 0, singleConnection: true });
    const failed = await new Promise((resolve) => {
      client.subscribe({ query: LISTED }, { next() {}, error: resolve, complete() {} });
    });
    expect((failed as { response: Response }).response.status).toBe(405);
    // The client does not read the body.
    const reservation = await fetch(gateway.url, { method: 'PUT' });
    expect(reservation.status).toBe(405);
    expect(await reservation.text()).toContain('create the client with singleConnection: false');
    const operation = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-graphql-event-stream-token': 'x' },
      body: JSON.stringify({ query: '{ item { name } }' }),
    });
    expect(operation.status).toBe(400);
    expect(await operation.text()).toContain('distinct connections mode');
  });

  it('Apollo Client receives the events of an API that sends server-sent events', async () => {
    const upstreamStreams = streamFrom(upstream);
    const client = new ApolloClient({ link: new HttpLink({ uri: gateway.url }), cache: new InMemoryCache() });
    const received: unknown[] = [];
    let isComplete = false;
    client.subscribe({ query: gql(SAVED) }).subscribe({
      next: ({ data }) => received.push(data),
      complete: () => {
        isComplete = true;
      },
    });
    const stream = await upstreamStreams.next();
    expect(upstream.reached.at(-1)!.headers.accept).toMatch(/^multipart\/mixed;subscriptionSpec=1.0,/);
    stream.send('{"data":{"saved":{"__typename":"Item","name":"a"}}}');
    await until('the event has arrived', () => received.length === 1);
    stream.complete();
    await until('the subscription is complete', () => isComplete);
    expect(received).toEqual([{ saved: { __typename: 'Item', name: 'a' } }]);
  });

  it('a client of server-sent events receives the events of an API that sends multipart', async () => {
    const upstreamStreams = streamFrom(upstream, 'multipart/mixed');
    const client = read(await subscribe(gateway, SAVED));
    const stream = await upstreamStreams.next();
    stream.send(saved('a'));
    await client.has('{"name":"a"}');
    stream.complete();
    await client.ended;
    expect(client.text()).toMatch(/^:\n\nevent: next\ndata: \{"data".*\}\n\nevent: complete\ndata:\n\n$/);
  });

  it('events keep the numbers of the API, and contain no type names that were added for the price', async () => {
    const upstreamStreams = streamFrom(upstream);
    const client = read(
      await subscribe(
        gateway,
        'subscription { any { ... on Cheap { a: list(first: 2) { name } } ... on Expensive { a: one { name } } } }',
      ),
    );
    const stream = await upstreamStreams.next();
    expect(upstream.reached.at(-1)!.body).toContain('__typename');
    const before = await gateway.left();
    stream.send(
      '{"data":{"any":{"__tollgateType":"Expensive","a":[{"name":12345678901234567890}]}},"extensions":{"at":1.0}}',
    );
    stream.complete();
    await client.ended;
    expect(client.text()).toContain(
      '{"data":{"any":{"a":[{"name":12345678901234567890}]}},"extensions":{"at":1.0,"cost"',
    );
    expect(before - (await gateway.left())).toBe(51);
  });

  it.each([
    ['text/event-stream', 'SERVER_SENT_EVENTS', 'event: complete'],
    ['multipart/mixed', 'MULTIPART', '--graphql--'],
  ] as const)('an administrator ends a subscription over %s: the client gets the error, and the slot is free', async (type, transport, end) => {
    const one = await openGateway(upstream.url, {}, {}, 1000, [ONE_OPEN]);
    const upstreamStreams = streamFrom(upstream, type);
    const accept = type === 'multipart/mixed' ? `${type};subscriptionSpec=1.0` : type;
    const client = read(await subscribe(one, SAVED, accept));
    const stream = await upstreamStreams.next();
    stream.send(saved('a'));
    await client.has('{"name":"a"}');
    const { openStreams } = await one.admin('{ openStreams(first: 10) { nodes { id transport events } } }');
    expect(openStreams.nodes).toMatchObject([{ transport, events: 1 }]);
    const { openStreamsEnd } = await one.admin(
      `mutation { openStreamsEnd(input: { id: "${openStreams.nodes[0].id}" }) { ended } }`,
    );
    expect(openStreamsEnd.ended).toBe(1);
    await client.ended;
    expect(client.text()).toContain('"code":"ENDED_BY_ADMINISTRATOR"');
    expect(client.text()).toContain(end);
    await until('the gateway has closed the connection to the API', () => stream.isClosed);
    const again = read(await subscribe(one, SAVED, accept));
    await upstreamStreams.next();
    await again.leave();
  });

  it('the API is asked by POST if the client subscribes by GET', async () => {
    const upstreamStreams = streamFrom(upstream);
    const response = await fetch(`${gateway.url}?query=${encodeURIComponent(SAVED)}`, {
      headers: { accept: 'text/event-stream', 'apollo-require-preflight': 'true', connection: 'close' },
    });
    const client = read(response);
    const stream = await upstreamStreams.next();
    expect(upstream.reached.at(-1)!.method).toBe('POST');
    stream.send(saved('a'));
    stream.complete();
    await client.ended;
    expect(client.text()).toContain('{"name":"a"}');
  });

  it('an API that rejects a subscription answers with its own status and errors', async () => {
    upstream.behave = (_request, response) => {
      response.writeHead(403, { 'content-type': 'application/json' }).end('{"errors":[{"message":"not you"}]}');
    };
    const response = await subscribe(gateway, SAVED);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ errors: [{ message: 'not you' }] });
  });

  it.each([
    ['without a format of events', 'application/json', { query: SAVED }, 'needs the header Accept: text/event-stream'],
    ['in a batch', 'text/event-stream', [{ query: SAVED }], 'a batch may not contain a subscription'],
  ])('a subscription %s is rejected and pays the fee', async (_, accept, body, message) => {
    const reached = upstream.reached.length;
    const before = await gateway.left();
    const { status, text } = await gateway.ask(body as unknown[], { accept });
    expect(status).toBe(400);
    expect(text).toContain(message);
    expect(before - (await gateway.left())).toBe(1);
    expect(upstream.reached).toHaveLength(reached);
  });
});

describe('the end of a subscription through the gateway', () => {
  let upstream: UpstreamServer;
  /** A gateway with the default settings. */
  let shared: OpenGateway;
  beforeAll(async () => {
    upstream = await serveUpstream();
    shared = await openGateway(upstream.url, {}, {}, 1_000_000, [ONE_OPEN]);
  });

  /** Opens a gateway that stops at the end of the test. */
  async function open(settings: Partial<GatewaySettings> = {}, rules: Parameters<typeof openGateway>[4] = [ONE_OPEN]) {
    const gateway = await openGateway(upstream.url, settings, {}, 1_000_000, rules);
    onTestFinished(() => gateway.stop());
    return gateway;
  }

  /** Subscribes as soon as the subscription of an earlier test has freed its slot. */
  async function subscribeWhenFree(accept?: string): Promise<Response> {
    let response: Response | undefined;
    await until('the slot is free', async () => {
      response = await subscribe(shared, SAVED, accept);
      if (response.status !== 200) await response.body!.cancel();
      return response.status === 200;
    });
    return response!;
  }

  async function expectFree(gateway: OpenGateway): Promise<void> {
    const upstreamStreams = streamFrom(upstream);
    await until('the slot is free', async () => {
      const response = await subscribe(gateway, SAVED);
      await response.body!.cancel();
      return response.status === 200;
    });
    await upstreamStreams.next();
  }

  it('a client that leaves before the first event closes the connection to the API and frees its slot', async () => {
    const gateway = shared;
    const upstreamStreams = streamFrom(upstream);
    const client = read(await subscribeWhenFree());
    const stream = await upstreamStreams.next();
    const denied = await subscribe(gateway, SAVED);
    expect(denied.status).toBe(429);
    expect(await denied.json()).toMatchObject({
      errors: [{ extensions: { code: 'THROTTLED', isConcurrency: true, unit: 'SUBSCRIPTIONS' } }],
    });
    await client.leave();
    await until('the connection to the API is closed', () => stream.isClosed);
    await expectFree(gateway);
  });

  it('clients of graphql-sse and Apollo are denied a subscription while another one is open, which goes on', async () => {
    const gateway = shared;
    const upstreamStreams = streamFrom(upstream);
    const first = read(await subscribeWhenFree());
    const stream = await upstreamStreams.next();
    const sse = createClient({ url: gateway.url, retryAttempts: 0 });
    const apollo = new ApolloClient({ link: new HttpLink({ uri: gateway.url }), cache: new InMemoryCache() });
    const sseOutcome = () =>
      new Promise((resolve) => {
        sse.subscribe({ query: SAVED }, { next: ({ data }) => resolve(data), error: resolve, complete() {} });
      });
    const apolloOutcome = () =>
      new Promise((resolve) => {
        apollo.subscribe({ query: gql(SAVED) }).subscribe(({ data, error }) => resolve(error ?? data));
      });
    expect(await sseOutcome()).toMatchObject({ response: { status: 429 } });
    expect(JSON.stringify(await apolloOutcome())).toMatch(/429|THROTTLED/);
    // The denials have not ended the first subscription.
    stream.send(saved('a'));
    await first.has('{"name":"a"}');
    stream.complete();
    await first.ended;
    await expectFree(gateway);
    sse.dispose();
  });

  it('a client receives an error event if the API breaks off, and the slot is freed', async () => {
    const upstreamStreams = streamFrom(upstream);
    const client = read(await subscribeWhenFree());
    const stream = await upstreamStreams.next();
    stream.send(saved('a'));
    await client.has('{"name":"a"}');
    stream.response.socket!.resetAndDestroy();
    await client.ended;
    expect(client.text()).toContain('"code":"UPSTREAM_UNAVAILABLE"');
    expect(client.text()).toMatch(/event: complete\ndata:\n\n$/);
    await expectFree(shared);
  });

  it('a response that ends without its last event is reported as broken off', async () => {
    const upstreamStreams = streamFrom(upstream, 'multipart/mixed');
    const client = read(await subscribeWhenFree('multipart/mixed;subscriptionSpec=1.0'));
    const stream = await upstreamStreams.next();
    stream.send(saved('a'));
    stream.response.end();
    await client.ended;
    expect(client.text()).toMatch(
      /\{"payload":null,"errors":\[.*"code":"UPSTREAM_UNAVAILABLE".*\]\}\r\n--graphql--\r\n$/,
    );
  });

  it('an API that never answers a subscription causes a time-out, and the slot is freed', async () => {
    const gateway = await open({ upstreamTimeoutMs: 300 });
    upstream.behave = () => {};
    const response = await subscribe(gateway, SAVED);
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UPSTREAM_TIMEOUT' } }] });
    await expectFree(gateway);
  });

  it('an event larger than the maximum ends the subscription, and the log names the setting', async () => {
    const gateway = await open({ maxReadBytes: 10_000 });
    const upstreamStreams = streamFrom(upstream);
    const client = read(await subscribe(gateway, SAVED));
    const stream = await upstreamStreams.next();
    stream.send(saved('a'.repeat(20_000)));
    await client.ended;
    expect(client.text()).toContain('"code":"UPSTREAM_INVALID_ANSWER"');
    const isLogged = () => gateway.log.join('\n').includes('an event has more than --max-read-bytes');
    await until('the log names the setting', isLogged);
    await until('the connection to the API is closed', () => stream.isClosed);
  });

  it('a gateway that stops ends its subscriptions with SUBSCRIPTION_ENDED', async () => {
    const gateway = await open();
    const upstreamStreams = streamFrom(upstream);
    const client = read(await subscribe(gateway, SAVED));
    const stream = await upstreamStreams.next();
    await gateway.stop();
    await client.ended;
    expect(client.text()).toContain('"code":"SUBSCRIPTION_ENDED"');
    expect(client.text()).toMatch(/event: complete\ndata:\n\n$/);
    await until('the connection to the API is closed', () => stream.isClosed);
  });

  it('subscriptions above the maximum get 503 and pay the fee, and queries still reach the API', async () => {
    const gateway = await open({ maxUpstreamSubscriptions: 1 }, []);
    const upstreamStreams = streamFrom(upstream);
    const client = read(await subscribe(gateway, SAVED));
    await upstreamStreams.next();
    const before = await gateway.left();
    const rejected = await subscribe(gateway, SAVED);
    expect(rejected.status).toBe(503);
    expect(await rejected.json()).toMatchObject({ errors: [{ extensions: { code: 'UPSTREAM_OVERLOADED' } }] });
    expect(before - (await gateway.left())).toBe(1);
    upstream.behave = undefined;
    expect((await gateway.ask('{ item { name } }')).status).toBe(200);
    const metrics = await gateway.metrics();
    expect(metrics.get('tollgate_upstream_subscriptions')).toBe(1);
    expect(metrics.get('tollgate_open_subscriptions')).toBe(1);
    await client.leave();
    await until(
      'no subscription is open',
      async () => (await gateway.metrics()).get('tollgate_open_subscriptions') === 0,
    );
  });
});

describe('denied events and slow readers through the gateway', () => {
  let upstream: UpstreamServer;
  beforeAll(async () => {
    upstream = await serveUpstream();
  });
  /** Allows three tokens of events at once, and one more every 20 seconds. */
  const eventRule = (onEventDenied: 'DROP' | 'PAUSE' | 'COMPLETE') => ({
    name: 'events',
    scope: 'IP' as const,
    field: 'Subscription.*',
    limits: [{ algorithm: 'TOKEN_BUCKET' as const, capacity: 3, refillAmount: 1, refillPeriodMs: 20_000 }],
    onEventDenied,
  });
  /** Opens a gateway that stops at the end of the test. */
  async function openWith(settings: Partial<GatewaySettings>, rules: Parameters<typeof openGateway>[4] = []) {
    const gateway = await openGateway(upstream.url, settings, {}, 1_000_000, rules);
    onTestFinished(() => gateway.stop());
    return gateway;
  }
  const open = (onEventDenied: 'DROP' | 'PAUSE' | 'COMPLETE') => openWith({}, [eventRule(onEventDenied)]);

  it('COMPLETE ends the subscription with THROTTLED and closes the connection to the API', async () => {
    const gateway = await open('COMPLETE');
    const upstreamStreams = streamFrom(upstream);
    const client = read(await subscribe(gateway, SAVED, 'multipart/mixed;subscriptionSpec=1.0'));
    const stream = await upstreamStreams.next();
    for (const name of ['a', 'b', 'c', 'd']) stream.send(saved(name));
    await client.ended;
    expect(client.text()).toContain('{"name":"b"}');
    expect(client.text()).toMatch(/\{"payload":null,"errors":\[.*"code":"THROTTLED".*"retryAfterMs":\d+.*\]\}/);
    await until('the connection to the API is closed', () => stream.isClosed);
  });

  it('DROP leaves out the denied events and goes on', async () => {
    const gateway = await open('DROP');
    const upstreamStreams = streamFrom(upstream);
    const client = read(await subscribe(gateway, SAVED));
    const stream = await upstreamStreams.next();
    for (const name of ['a', 'b', 'c', 'd', 'e']) stream.send(saved(name));
    stream.complete();
    await client.ended;
    expect(client.text().match(/event: next/g)).toHaveLength(2);
    expect(client.text()).not.toContain('errors');
    const metrics = await gateway.metrics();
    expect(metrics.get('tollgate_subscription_events_total{outcome="sent"}')).toBe(2);
    expect(metrics.get('tollgate_subscription_events_total{outcome="denied"}')).toBe(3);
  });

  /** Sends more than the buffers between API and gateway can hold. */
  const flood = (stream: Awaited<ReturnType<ReturnType<typeof streamFrom>['next']>>) => {
    for (let i = 0; i < 4000; i++) stream.send(saved('x'.repeat(8000)));
  };

  it('PAUSE stops reading from the API', async () => {
    const gateway = await open('PAUSE');
    const upstreamStreams = streamFrom(upstream);
    const client = read(await subscribe(gateway, SAVED));
    const stream = await upstreamStreams.next();
    flood(stream);
    await client.has('event: next');
    // If the gateway still read the events, these operations would leave it enough time for all.
    upstream.behave = undefined;
    for (let i = 0; i < 100; i++) await gateway.ask('{ item { name } }');
    expect(stream.response.writableLength).toBeGreaterThan(8_000_000);
    await client.leave();
    await until('the connection to the API is closed', () => stream.isClosed);
  });

  it('a client that stops reading stops the reading from the API, and is disconnected', async () => {
    const gateway = await openWith({ upstreamTimeoutMs: 3000 });
    const upstreamStreams = streamFrom(upstream);
    const { hostname, port } = new URL(gateway.url);
    const body = JSON.stringify({ query: SAVED });
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.pause();
    socket.write(
      `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const stream = await upstreamStreams.next();
    flood(stream);
    let unreadBytes = 0;
    await until('the connection to the API is closed', () => {
      if (!stream.isClosed) unreadBytes = stream.response.writableLength;
      return stream.isClosed;
    });
    expect(unreadBytes).toBeGreaterThan(8_000_000);
    socket.destroy();
  });

  it('a subscription without events sends heartbeats', async () => {
    const gateway = await openWith({ heartbeatMs: 100 });
    for (const [accept, heartbeat] of [
      ['text/event-stream', ':\n\n:\n\n:\n\n'],
      ['multipart/mixed;subscriptionSpec=1.0', '{}\r\n--graphql\r\ncontent-type: application/json\r\n\r\n{}'],
    ] as const) {
      const upstreamStreams = streamFrom(upstream);
      const client = read(await subscribe(gateway, SAVED, accept));
      await upstreamStreams.next();
      await client.has(heartbeat);
      await client.leave();
    }
  });
});
