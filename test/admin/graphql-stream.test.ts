import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { unauthenticated } from '../../src/admin/context/create-admin-authenticator.js';
import { createGraphqlStreams, type GraphqlStreamOptions } from '../../src/admin/http/create-graphql-streams.js';
import { errorOf } from '../../src/model/errors.js';
import { until } from '../helpers/until.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface ServedStreams extends Partial<GraphqlStreamOptions> {
  text?: string;
  /** Milliseconds between two results. 0: the next one follows as soon as it is requested. */
  everyMs?: number;
}

/** Serves streams that repeat a text, and counts the streams that have ended. */
async function serveStreams({ text = 'tick', everyMs = 5, ...options }: ServedStreams = {}) {
  const counts = { ended: 0, produced: 0 };
  async function* source() {
    try {
      for (;;) {
        counts.produced++;
        yield { text };
        if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
    } finally {
      counts.ended++;
    }
  }
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { nothing: { type: GraphQLString } } }),
    subscription: new GraphQLObjectType({
      name: 'Subscription',
      fields: { text: { type: GraphQLString, subscribe: source } },
    }),
  });
  const errors: unknown[] = [];
  const streams = createGraphqlStreams({
    schema,
    context: async () => ({}),
    onError: (error) => errors.push(error),
    ...options,
  });
  const server: Server = createServer(express().use(streams.handler)).listen(0, '127.0.0.1');
  await until('the server listens', () => server.listening);
  closing.push(async () => {
    streams.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, counts, errors };
}

const PATH = `/?query=${encodeURIComponent('subscription { text }')}`;
const REQUEST = `GET ${PATH} HTTP/1.1\r\nhost: here\r\n\r\n`;

describe('a stream that rechecks the credentials of its caller', () => {
  it('a stream ends with the error 401 once its caller loses access, and rechecks no more', async () => {
    let looks = 0;
    const { port, counts } = await serveStreams({
      recheckMs: 20,
      async recheck() {
        if (++looks === 3) throw unauthenticated();
      },
    });
    const text = await (await fetch(`http://127.0.0.1:${port}${PATH}`)).text();
    expect(text).toContain('event: next\ndata: {"data":{"text":"tick"}}\n\n');
    const last = text.slice(text.lastIndexOf('event: next'));
    expect(last).toMatch(/^event: next\ndata: \{"errors":\[.*"code":"UNAUTHENTICATED"/);
    // The client must not see the status and headers of the error.
    expect(last).not.toMatch(/www-authenticate|"http"/);
    expect(last).toMatch(/\n\nevent: complete\ndata:\n\n$/);
    expect(counts.ended).toBe(1);
    expect(looks).toBe(3);
  });

  it.each([
    ['the database is unavailable', () => errorOf('UNAVAILABLE', 'The database is unavailable')],
    ['of an unexpected error', () => new Error('a bug')],
  ])('a stream continues while the recheck fails because %s', async (_, failure) => {
    let looks = 0;
    const { port, counts } = await serveStreams({
      recheckMs: 5,
      async recheck() {
        looks++;
        throw failure();
      },
    });
    const stopping = new AbortController();
    await fetch(`http://127.0.0.1:${port}${PATH}`, { signal: stopping.signal });
    await until('the credentials are rechecked several times', () => looks > 5);
    expect(counts.ended).toBe(0);
    stopping.abort();
    await until('the stream has ended', () => counts.ended === 1);
    const before = looks;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(looks).toBeLessThanOrEqual(before + 1);
  });
});

it('a slow reader does not make the stream add more and more listeners', async () => {
  const warnings: string[] = [];
  // Other tests of this process may cause other warnings.
  const onWarning = ({ name }: Error) => name === 'MaxListenersExceededWarning' && warnings.push(name);
  process.on('warning', onWarning);
  const { port, counts } = await serveStreams({ text: 'x'.repeat(2_000_000) });
  const reader = connect(port, '127.0.0.1');
  let received = 0;
  reader.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  reader.write(REQUEST);
  // Each result exceeds the socket's buffer: the stream waits for room each time.
  await until('the stream has waited many times', () => counts.produced > 30 && received > 50_000_000);
  reader.destroy();
  await until('the stream has ended', () => counts.ended === 1);
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

it('a reader that reads nothing gets no more than the socket buffers hold, and is disconnected', async () => {
  const text = 'x'.repeat(100_000);
  const { port, counts, errors } = await serveStreams({ text, everyMs: 0, maxStreams: 1, heartbeatMs: 200 });
  const reader = connect(port, '127.0.0.1');
  // The reader never reads.
  reader.pause();
  reader.on('error', () => {});
  reader.write(REQUEST);
  await until('something is sent', () => counts.produced > 0);
  await until('the reader is disconnected', () => counts.ended === 1);
  // Sockets buffer a few megabytes. After that, the stream produces nothing for a client that does
  // not read.
  expect(counts.produced * text.length).toBeLessThan(50_000_000);
  reader.destroy();

  // The only permitted stream is available again.
  const next = connect(port, '127.0.0.1');
  let received = '';
  next.on('data', (chunk: Buffer) => {
    received = (received + chunk.toString('latin1')).slice(0, 100);
    next.destroy();
  });
  next.on('error', () => {});
  next.write(REQUEST);
  await until('the next stream is served', () => received.startsWith('HTTP/1.1 200'));
  await until('the next stream has ended', () => counts.ended === 2);
  expect(errors).toEqual([]);
});
