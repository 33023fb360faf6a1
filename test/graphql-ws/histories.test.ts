import fc from 'fast-check';
import { expect, test } from 'vitest';
import { END } from './channel.js';
import { limitOn, type SocketClient, serveSockets, slots } from './socket-api.js';

/** Steps of a history. Each names a client by its number, modulo the number of open clients. */
const STEP = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'CONNECT' as const, at: 0 }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('SUBSCRIBE' as const), at: fc.nat(9) }) },
  fc.record({
    kind: fc.constantFrom(
      'COMPLETE' as const,
      'REUSE_ID' as const,
      'INVALID' as const,
      'NO_CONTEXT' as const,
      'QUERY' as const,
      'CLOSE' as const,
      'TERMINATE' as const,
      'SUBSCRIBE_AND_TERMINATE' as const,
    ),
    at: fc.nat(9),
  }),
  fc.record({ kind: fc.constantFrom('EVENT' as const, 'END_OF_SOURCE' as const, 'FAILURE' as const), at: fc.nat(9) }),
);

const HISTORIES = 300;
const CAP = 4;
const CAP_OF_CONNECTION = 3;
const CAP_OF_CONNECTIONS = 3;

test(`after ${HISTORIES} random histories of connections, no slot is in use and no source is open`, async () => {
  const { connect, channel, usedIs, readersAre, tollgate } = await serveSockets({
    rules: [
      limitOn('SUBSCRIPTIONS', CAP),
      limitOn('SUBSCRIPTIONS', 0, {
        name: 'of-connection',
        scope: 'IP',
        limits: [slots(CAP_OF_CONNECTION, { perConnection: true })],
      }),
      limitOn('CONNECTIONS', CAP_OF_CONNECTIONS),
    ],
    server: {
      context: (_context: object, id: string) => {
        if (id === 'no-context') throw new Error('no context');
        return {};
      },
    },
  });
  let histories = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 15 }), async (steps) => {
      const clients: SocketClient[] = [];
      let id = 0;
      for (const { kind, at } of steps) {
        const client = clients[at % Math.max(1, clients.length)];
        const isOpen = client !== undefined && client.closed === undefined && client.socket.readyState === 1;
        if (kind === 'CONNECT') {
          const opened = await connect();
          if (!opened.rejected) clients.push(opened);
        } else if (kind === 'EVENT') channel.publish({ ticks: 1 });
        else if (kind === 'END_OF_SOURCE') channel.publish(END);
        else if (kind === 'FAILURE') channel.publish(new Error('broken'));
        else if (isOpen) act(kind, client, String(id++));
        expect(channel.readers).toBeLessThanOrEqual(CAP);
      }
      for (const { socket } of clients) socket.terminate();
      await usedIs('subscriptions', 0);
      await usedIs('connections', 0);
      await readersAre(0);
      histories++;
    }),
    { numRuns: HISTORIES, endOnFailure: true },
  );
  expect(histories).toBe(HISTORIES);
  // A subscription that was sent just before its socket ended may still be starting.
  await usedIs('subscriptions', 0);
  await usedIs('connections', 0);
  await expect.poll(() => tollgate.streams()).toMatchObject({ connections: 0, subscriptions: 0 });
  // All slots are available again.
  const client = await connect();
  for (let index = 0; index < CAP_OF_CONNECTION; index++) client.subscribe(`last-${index}`);
  await readersAre(CAP_OF_CONNECTION);
}, 300_000);

function act(kind: string, client: SocketClient, id: string): void {
  const latest = client.messages.findLast(({ type }) => type === 'next')?.id ?? '0';
  if (kind === 'COMPLETE') client.complete(latest);
  else if (kind === 'INVALID') client.subscribe(id, 'subscription { missing }');
  else if (kind === 'NO_CONTEXT') client.subscribe('no-context');
  else if (kind === 'QUERY') client.send({ type: 'subscribe', id, payload: { query: '{ hello }' } });
  else if (kind === 'CLOSE') client.socket.close();
  else if (kind === 'REUSE_ID') {
    client.subscribe('reused');
    client.complete('reused');
    client.subscribe('reused');
  } else if (kind !== 'TERMINATE') client.subscribe(id);
  if (kind.endsWith('TERMINATE')) client.socket.terminate();
}
