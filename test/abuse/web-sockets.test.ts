import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { limitOn, serveSockets, slots } from '../graphql-ws/socket-api.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';
import { countCases } from './serve.js';

// Attacks over WebSockets.

describe('WebSockets', () => {
  it('A41: answers a flood of handshakes with 429 before a WebSocket opens, and frees the slots of those that leave', async (context) => {
    const { connect, usedIs } = await serveSockets({ rules: [limitOn('CONNECTIONS', 5, { scope: 'IP' })] });
    const clients = await Promise.all(Array.from({ length: 50 }, () => connect()));
    expect(clients.filter(({ rejected }) => rejected?.status === 429)).toHaveLength(45);
    for (const { socket } of clients) socket.terminate();
    await usedIs('connections', 0);
    countCases(context, 50);
  });

  it('A42: admits no more subscriptions than a connection may have, with floods, reused ids and reconnections', async (context) => {
    const perConnection = { limits: [slots(5, { perConnection: true })] };
    const { connect, channel, used, usedIs, readersAre } = await serveSockets({
      rules: [limitOn('SUBSCRIPTIONS', 5, perConnection), limitOn('SUBSCRIPTIONS', 8, { name: 'all', scope: 'IP' })],
    });
    const flood = async () => {
      const client = await connect();
      for (let id = 0; id < 50; id++) {
        client.subscribe(String(id));
        client.subscribe('same');
        client.complete('same');
      }
      client.send({ type: 'subscribe', id: 'last', payload: { query: '{ hello }' } });
      await client.got('complete', 'last');
      expect(channel.readers).toBeGreaterThan(0);
      return client;
    };
    const first = await flood();
    const second = await flood();
    expect(await used('all')).toBeLessThanOrEqual(8);
    expect(channel.readers).toBeLessThanOrEqual(8);
    first.socket.terminate();
    second.socket.terminate();
    await usedIs('all', 0);
    await readersAre(0);
    countCases(context, 200);
  });

  it('A43: keeps at most the bounded number of bytes for a client that does not read', async (context) => {
    const { connect, reads, webSockets } = await serveSockets({ sockets: { maxBufferedBytes: 65_536 } });
    const client = await connect();
    client.socket.pause();
    for (let id = 0; id < 20; id++) client.subscribe(String(id), 'subscription { endless }');
    let before = -1;
    await until(
      'the sources rest',
      () => {
        const isSame = reads.count > 0 && reads.count === before;
        before = reads.count;
        return isSame;
      },
      PATIENT_MS,
      300,
    );
    const [served] = webSockets.clients;
    // The bound, and one event of each subscription that was on its way.
    expect(served!.bufferedAmount).toBeLessThan(65_536 + 21 * 66_000);
    countCases(context, 20);
  });

  it('A44: closes connections that send invalid messages or none, and frees their slots', async (context) => {
    const { url, usedIs } = await serveSockets({
      rules: [limitOn('CONNECTIONS', 50)],
      server: { connectionInitWaitTimeout: 200 },
    });
    const messages = ['', '{', '[]', '{"type":"subscribe"}', '{"type":"connection_init"}{', undefined];
    const codes = await Promise.all(
      messages.map(async (message) => {
        const socket = new WebSocket(url, 'graphql-transport-ws');
        socket.on('error', () => {});
        await new Promise((resolve) => socket.once('open', resolve));
        if (message !== undefined) socket.send(message);
        return new Promise<number>((resolve) => socket.once('close', resolve));
      }),
    );
    expect(codes).toEqual([4400, 4400, 4400, 4400, 4400, 4408]);
    await usedIs('connections', 0);
    countCases(context, messages.length);
  });
});
