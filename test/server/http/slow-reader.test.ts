import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { expect, it } from 'vitest';
import { createGraphqlStreams } from '../../../src/admin/http/graphql-stream.js';
import { until } from '../../helpers/until.js';

const PAYLOAD = 'x'.repeat(100_000);

it('a reader who takes nothing is given no more than fits into the sockets, and is cut', async () => {
  let produced = 0;
  let ended = 0;
  async function* source() {
    try {
      for (;;) {
        produced++;
        yield { text: PAYLOAD };
      }
    } finally {
      ended++;
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
    maxStreams: 1,
    heartbeatMs: 200,
    onError: (error) => errors.push(error),
  });
  const server = createServer(express().use(streams.handler)).listen(0, '127.0.0.1');
  await until('it listens', () => server.listening);
  const { port } = server.address() as AddressInfo;
  const request = `GET /?query=${encodeURIComponent('subscription { text }')} HTTP/1.1\r\nhost: here\r\n\r\n`;

  const reader = connect(port, '127.0.0.1');
  // It never reads.
  reader.pause();
  reader.on('error', () => {});
  reader.write(request);
  await until('something is sent', () => produced > 0);
  await until('it is cut', () => ended === 1);
  const given = produced;
  // Sockets hold a few megabytes; what comes after waits for no one.
  expect(given * PAYLOAD.length).toBeLessThan(50_000_000);
  reader.destroy();

  // Its place is free again.
  const next = connect(port, '127.0.0.1');
  let heard = '';
  next.on('data', (chunk: Buffer) => {
    heard = (heard + chunk.toString('latin1')).slice(0, 100);
    next.destroy();
  });
  next.on('error', () => {});
  next.write(request);
  await until('the next one is served', () => heard.startsWith('HTTP/1.1 200'));
  await until('and has gone', () => ended === 2);
  expect(errors).toEqual([]);
  streams.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
