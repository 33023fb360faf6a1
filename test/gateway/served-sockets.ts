import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { Client } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { afterAll } from 'vitest';
import { WebSocketServer } from 'ws';
import { until } from '../helpers/until.js';
import { TYPES } from './gateway.js';

/** An API with WebSockets, as graphql-ws serves it. The test publishes the events. */
export async function serveSockets() {
  const listeners = new Set<(name: string) => void>();
  const inits: unknown[] = [];
  const handshakes: Record<string, unknown>[] = [];
  let closeCode: number | undefined;
  /** It is not a generator, whose `return` would wait for the next event. */
  function saved(): AsyncIterableIterator<unknown> {
    const queued: string[] = [];
    let wake = () => {};
    let isOver = false;
    const listener = (name: string) => {
      queued.push(name);
      wake();
    };
    const end = async () => {
      isOver = true;
      listeners.delete(listener);
      wake();
      return { done: true as const, value: undefined };
    };
    listeners.add(listener);
    return {
      async next() {
        if (!isOver && queued.length === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const name = queued.shift();
        if (isOver || name === 'end') return end();
        return { done: false, value: { saved: { name } } };
      },
      return: end,
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
  const schema = makeExecutableSchema({
    typeDefs: TYPES,
    resolvers: {
      Query: {
        items: (_: unknown, { first }: { first: number }) => Array.from({ length: first / 2 }, () => ({ name: 'x' })),
        echo: (_: unknown, { value }: { value: string }) => {
          if (value === 'fail') throw new Error('no');
          return value;
        },
      },
      Subscription: { saved: { subscribe: saved } },
    },
  });
  const http = createServer((_request, response) => response.writeHead(404).end());
  const server = new WebSocketServer({ server: http, path: '/graphql' });
  useServer(
    {
      schema,
      onConnect: ({ connectionParams, extra }) => {
        inits.push(connectionParams);
        handshakes.push(extra.request.headers);
        return closeCode === undefined;
      },
    },
    server,
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  afterAll(async () => {
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => http.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    inits,
    handshakes,
    server,
    listeners,
    publish: (name: string) => {
      for (const listener of listeners) listener(name);
    },
    forbid: (code: number | undefined) => {
      closeCode = code;
    },
  };
}

/** Runs an operation. Resolves to its results, with its errors as the last one. */
export function collect(client: Client, query: string, variables?: Record<string, unknown>) {
  const results: unknown[] = [];
  let failed: unknown;
  let isOver = false;
  const stop = client.subscribe(
    { query, ...(variables && { variables }) },
    {
      next: (result) => results.push(result),
      error: (error) => {
        failed = error;
        isOver = true;
      },
      complete: () => {
        isOver = true;
      },
    },
  );
  return {
    results,
    stop,
    has: (count: number) => until(`${count} results have arrived`, () => results.length >= count),
    over: () => until('the operation is over', () => isOver),
    error: () => failed,
  };
}
