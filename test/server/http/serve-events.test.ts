import { once } from 'node:events';
import { makeExecutableSchema } from '@graphql-tools/schema';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import type { ApiContext } from '../../../src/server/api-context.js';
import { serveEvents } from '../../../src/server/serve-events.js';
import { openTollgate } from '../../../src/tollgate/create-tollgate.js';
import { serve } from '../../adapters/serve.js';
import { until } from '../../helpers/until.js';

it('a client that disconnects before its subscription has started leaves no slot in use', async () => {
  let isOpen: boolean | undefined;
  const schema = makeExecutableSchema({
    typeDefs: 'type Query { saved: String } type Subscription { saved: String }',
    resolvers: {
      Subscription: {
        saved: {
          subscribe() {
            isOpen = true;
            return {
              next: () => new Promise(() => {}),
              async return() {
                isOpen = false;
                return { done: true, value: undefined };
              },
              [Symbol.asyncIterator]() {
                return this;
              },
            };
          },
        },
      },
    },
  });
  const tollgate = await openTollgate<ApiContext>(
    {
      schema,
      rules: [
        {
          name: 'one',
          scope: 'USER',
          field: '*',
          measure: 'SUBSCRIPTIONS',
          limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 60_000 }],
        },
      ],
      logger: { info() {}, warn() {}, error() {} },
    },
    { subjectOf: () => ({ user: 'ann' }), ignored: { keys: true, tokens: true }, trustedProxiesName: '-' },
  );
  onTestFinished(() => tollgate.close());
  const gone = new AbortController();
  const handler = serveEvents(
    {
      schema,
      tollgate,
      config: { production: false, documentLimits: {} } as never,
      async context({ res }) {
        gone.abort();
        await once(res, 'close');
        return {} as ApiContext;
      },
      others: (_request, response) => void response.status(404).end(),
    },
    () => {},
  );
  const { url, close } = await serve(express().use(express.json(), handler));
  onTestFinished(() => void close());
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const body = JSON.stringify({ query: 'subscription { saved }' });
  await expect(fetch(url, { method: 'POST', headers, body, signal: gone.signal })).rejects.toThrow('aborted');
  await until('the subscription has started and ended', () => isOpen === false);
  const used = async () => (await tollgate.quota({ user: 'ann' })).find(({ rule }) => rule === 'one')!.remaining;
  await until('the slot is free', async () => (await used()) === 1);
});
