import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { serveMercurius } from '../adapters/mercurius-socket-api.js';
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
      // Longer than a message takes to the server on a busy machine.
      server: { connectionInitWaitTimeout: 1500 },
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

  it('A49: prices the operation that Mercurius executes, whatever its client names as document, id and headers', async (context) => {
    const identify = ({ header }: { header(name: string): string | undefined }) => ({
      user: header('x-user') ?? 'ann',
      ip: '192.0.2.1',
    });
    const { connect, channel, usedIs } = await serveMercurius({ identify, rules: [limitOn('SUBSCRIPTIONS', 2)] });
    const client = await connect({ params: { 'x-user': 'ben', headers: { 'x-user': 'ben' } } });
    client.subscribe('1');
    client.subscribe('2');
    await usedIs('subscriptions', 2);
    // The parameters have not become headers for the operations that follow.
    client.subscribe('3');
    await client.got('error', '3');
    client.complete('1');
    await usedIs('subscriptions', 1);
    // A parsed document, with the location of a text that it is not.
    const text = 'subscription { ticks }';
    const parsed = JSON.parse(JSON.stringify(parse('subscription { endless }')));
    const loc = { start: 0, end: 1, source: { body: text } };
    parsed.definitions[0].loc = loc;
    client.send({ type: 'subscribe', id: '4', payload: { query: { ...parsed, loc } } });
    await client.got('error', '4');
    // Two documents with one id.
    client.send({ type: 'subscribe', id: '5', payload: { query: text } });
    client.send({ type: 'subscribe', id: '5', payload: { query: 'subscription { texts }' } });
    await until('one of them is rejected', () => client.of('5').some(({ type }) => type === 'error'), PATIENT_MS);
    channel.publish({ ticks: 1, texts: 'x' });
    await client.got('next', '2');
    expect(channel.readers).toBeLessThanOrEqual(2);
    client.socket.terminate();
    await usedIs('subscriptions', 0);
    countCases(context, 5);
  });

  it('A50: bounds the operations of a connection that Mercurius rejects without a hook of Tollgate', async (context) => {
    const { connect, usedIs } = await serveMercurius({ rules: [limitOn('CONNECTIONS', 5)] }, { queryDepth: 1 });
    const client = await connect();
    for (let id = 0; id < 200; id++) {
      client.send({ type: 'subscribe', id: String(id), payload: { query: '{ __schema { types { name } } }' } });
    }
    for (let id = 0; id < 200; id++) {
      const payload = { query: 'subscription { ticks }' };
      client.send({ type: 'subscribe', id: `e${id}`, payload, extensions: [{ type: 'other' }] });
    }
    await client.hasClosed();
    expect(client.closed).toMatchObject({ code: 1013, reason: 'Too many operations wait or were rejected' });
    await usedIs('connections', 0);
    countCases(context, 400);
  });
});
