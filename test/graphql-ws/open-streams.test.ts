import { subscribe } from 'graphql';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { WebSocket } from 'ws';
import { PATIENT_MS } from '../helpers/patient.js';
import { redisDatabase, uniqueName } from '../helpers/servers.js';
import { openServerDatabase } from '../postgres/databases.js';
import { limitOn, type SocketApi, serveSockets } from './socket-api.js';
import { type ListedStream, streamsAdmin } from './streams-admin.js';

describe('open subscriptions of two instances', () => {
  let database: Awaited<ReturnType<typeof openServerDatabase>>;
  let first: SocketApi;
  let second: SocketApi;
  let admin: ReturnType<typeof streamsAdmin>;
  beforeAll(async () => {
    database = await openServerDatabase();
  });
  afterAll(() => database?.dispose());
  beforeEach(async () => {
    const shared = {
      redis: redisDatabase(inject('redisUrl'), 7),
      postgres: database.url,
      usage: false as const,
      deadlineMs: PATIENT_MS,
      rules: [limitOn('SUBSCRIPTIONS', 50)],
    };
    first = await serveSockets(shared);
    second = await serveSockets(shared);
    admin = streamsAdmin(first.tollgate);
  });

  it('lists the subscriptions and WebSockets of all instances by caller and operation, with their events and cost', async () => {
    const user = uniqueName('user');
    const other = await second.connect({ headers: { 'x-user': uniqueName('other') } });
    other.subscribe('1');
    const [one, two] = await Promise.all([
      first.connect({ headers: { 'x-user': user } }),
      second.connect({ headers: { 'x-user': user } }),
    ]);
    one.subscribe('1', 'subscription Ticks { ticks }');
    two.subscribe('1', 'subscription Texts { texts }');
    await Promise.all([first.readersAre(1), second.readersAre(2)]);
    second.channel.publish({ texts: 'news' });
    await two.got('next', '1');

    const { nodes } = await admin.listed(4, { user });
    expect(nodes.map(({ kind }) => kind).sort()).toEqual(['CONNECTION', 'CONNECTION', 'SUBSCRIPTION', 'SUBSCRIPTION']);
    expect(new Set(nodes.map(({ instance }) => instance)).size).toBe(2);
    expect((await admin.listed(1, { user, operation: 'Texts' })).nodes).toMatchObject([
      { kind: 'SUBSCRIPTION', caller: { user }, operation: 'Texts', transport: 'WEBSOCKET', events: 1, cost: 2 },
    ]);
    await admin.listed(2, { user, kind: 'SUBSCRIPTION' });
    expect((await admin.list({ user, tenant: 'acme' })).totalCount).toBe(0);
    two.complete('1');
    await admin.listed(3, { user });
  });

  it('a name of more than 200 bytes is listed in a shorter form, and both forms find and end its streams', async () => {
    const user = uniqueName('user').padEnd(400, 'x');
    const operation = `Ticks${'y'.repeat(300)}`;
    const client = await second.connect({ headers: { 'x-user': user } });
    client.subscribe('1', `subscription ${operation} { ticks }`);
    const { nodes } = await admin.listed(2, { user });
    const shown = nodes[0]!.caller.user!;
    expect(Buffer.byteLength(shown)).toBe(200);
    expect((await admin.list({ user: shown, operation })).nodes).toMatchObject([{ kind: 'SUBSCRIPTION' }]);
    expect(await admin.end({ user: shown, kind: 'SUBSCRIPTION' })).toMatchObject({ ended: 1 });
    await client.got('error', '1');
    expect(await admin.end({ user })).toMatchObject({ ended: 1 });
    await client.hasClosed();
  });

  it('pages over the instances list each subscription once, oldest first', async () => {
    const user = uniqueName('user');
    for (const api of [first, second]) {
      const client = await api.connect({ headers: { 'x-user': user } });
      for (let id = 1; id <= 4; id++) client.subscribe(`${id}`);
    }
    const filter = { user, kind: 'SUBSCRIPTION' };
    const all = await admin.listed(8, filter);
    const seen: ListedStream[] = [];
    let after: string | undefined;
    for (;;) {
      const page = await admin.listed(8, filter, 2, { first: 3, after });
      seen.push(...page.nodes);
      after = page.pageInfo.endCursor;
      if (!page.pageInfo.hasNextPage) break;
    }
    expect(seen.map(({ id }) => id)).toEqual(all.nodes.map(({ id }) => id));
    expect(new Set(seen.map(({ id }) => id)).size).toBe(8);
  });

  it('one subscription of another instance ends with ENDED_BY_ADMINISTRATOR, its slot is freed, and the others go on', async () => {
    const user = uniqueName('user');
    const client = await second.connect({ headers: { 'x-user': user } });
    client.subscribe('1', 'subscription First { ticks }');
    client.subscribe('2', 'subscription Second { ticks }');
    await second.readersAre(2);
    await admin.listed(3, { user });
    const [found] = (await admin.listed(1, { user, operation: 'First' })).nodes;

    expect(await admin.end({ id: found!.id, comment: 'too busy' })).toEqual({ ended: 1, warnings: [], userErrors: [] });
    await client.got('error', '1');
    expect(client.of('1')).toMatchObject([
      { type: 'error', payload: [{ extensions: { code: 'ENDED_BY_ADMINISTRATOR' } }] },
    ]);
    await second.readersAre(1);
    await second.usedIs('subscriptions', 1, { user, ip: '192.0.2.1' });
    second.channel.publish({ ticks: 1 });
    await client.got('next', '2');
    expect(client.closed).toBeUndefined();
    expect(await admin.end({ id: found!.id })).toMatchObject({
      ended: null,
      userErrors: [{ code: 'NOT_FOUND', field: ['id'] }],
    });

    const [change] = await first.tollgate.store!.pageChanges({}, { before: Number.MAX_SAFE_INTEGER, limit: 1 });
    expect(change).toMatchObject({
      entity: 'SUBJECT',
      action: 'END_STREAMS',
      actor: 'olga',
      comment: 'too busy',
      after: { user, ended: { id: found!.id } },
    });
  });

  it('all subscriptions and WebSockets of a caller end on all instances, those of others stay, and new ones may open', async () => {
    const user = uniqueName('user');
    const otherUser = uniqueName('other');
    const other = await second.connect({ headers: { 'x-user': otherUser } });
    other.subscribe('1');
    const clients = await Promise.all([first, second].map((api) => api.connect({ headers: { 'x-user': user } })));
    for (const client of clients) client.subscribe('1');
    await Promise.all([first.readersAre(1), second.readersAre(2)]);
    await admin.listed(4, { user });

    expect(await admin.end({ user, dryRun: true })).toMatchObject({ ended: 4 });
    await admin.listed(4, { user });
    expect(await admin.end({ user })).toMatchObject({ ended: 4, userErrors: [] });
    for (const client of clients) {
      await client.hasClosed();
      expect(client.of('1')).toMatchObject([{ type: 'error' }]);
      expect(client.closed).toEqual({ code: 1008, reason: expect.stringMatching(/^ENDED_BY_ADMINISTRATOR: /) });
    }
    const again = await second.connect({ headers: { 'x-user': user } });
    again.subscribe('1');
    await admin.listed(2, { user });
    await admin.listed(2, { user: otherUser });
    expect(other.closed).toBeUndefined();
  });

  it('lists and ends a subscription of `protect`, with the transport that the server names', async () => {
    const user = uniqueName('user');
    const { tollgate, channel } = second;
    const query = 'subscription Ticks { ticks }';
    const asked = await tollgate.protect({
      query,
      headers: { 'x-user': user, 'apollographql-client-name': 'app' },
      contextValue: { req: {} as never },
    });
    if (!asked.admitted) throw new Error('expected an admitted subscription');
    const source = await subscribe({ schema: second.schema, document: asked.start() });
    if (!(Symbol.asyncIterator in source)) throw new Error('expected events');
    const events = asked.events(source, { transport: 'MULTIPART' });
    const next = events.next();
    const [found] = (await admin.listed(1, { user })).nodes;
    expect(found).toMatchObject({ operation: 'Ticks', transport: 'MULTIPART', client: 'app', events: 0, cost: 1 });
    await admin.end({ id: found!.id });
    expect((await next).value?.errors?.[0]?.extensions).toEqual({ code: 'ENDED_BY_ADMINISTRATOR' });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(channel.readers).toBe(0);
  });

  it('a graphql-ws client with endless attempts does not subscribe again after an administrator has closed its WebSocket', async () => {
    const user = uniqueName('user');
    let connections = 0;
    class OfUser extends WebSocket {
      constructor(address: string, protocols: string) {
        super(address, protocols, { headers: { 'x-user': user } });
        connections++;
      }
    }
    const client = createClient({
      url: first.url,
      webSocketImpl: OfUser,
      retryAttempts: Number.POSITIVE_INFINITY,
      retryWait: async () => {},
    });
    const ended = new Promise((resolve) => {
      client.subscribe(
        { query: 'subscription { ticks }' },
        { next() {}, error: resolve, complete: () => resolve('complete') },
      );
    });
    await admin.listed(2, { user });
    // Without the error of the subscription, the client only sees the close code.
    await admin.end({ user, kind: 'CONNECTION' });
    expect(await ended).toMatchObject({ code: 1008 });
    await admin.listed(0, { user });
    expect(connections).toBe(1);
    await client.dispose();
  });

  it.each([
    ['without a condition', {}, []],
    ['with an id and a name', { id: 'x.1', user: 'ann' }, ['id']],
    ['with a key and a user', { apiKey: 'tg_x', user: 'ann' }, ['apiKey']],
    ['of a WebSocket with an operation', { user: 'ann', kind: 'CONNECTION', operation: 'Ticks' }, ['operation']],
    ['with a user that is too long', { user: 'x'.repeat(1001) }, ['user']],
  ])('rejects the end of streams %s, and records nothing', async (_name, input, field) => {
    const before = await first.tollgate.store!.latestChange();
    expect(await admin.end(input)).toMatchObject({ ended: null, userErrors: [{ code: 'INVALID', field }] });
    expect(await first.tollgate.store!.latestChange()).toBe(before);
  });
});
