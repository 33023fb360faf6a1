import { createClient } from 'graphql-sse';
import { createClient as createSocketClient, type SubscribePayload } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createNoteBook } from '../../packages/platform/src/note-book.js';
import { startEmbeddedPlatform } from '../helpers/embedded-platform.js';
import { type Platform, post } from '../helpers/platform.js';
import { until } from '../helpers/until.js';

const FEED = 'subscription ($place: ID) { noteSaved(place: $place) { text place { name } } }';
const SAVE =
  'mutation ($place: ID!, $text: String!) { noteSave(input: { place: $place, text: $text }) { note { id } } }';

const clients: { dispose(): unknown }[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
});

/** Connects a client of graphql-ws. The connection parameters contain the key, as in browsers. */
function connect(url: string, connectionParams: Record<string, unknown> = { 'x-api-key': 'demo-pro' }) {
  const closes: { code: number; reason: string }[] = [];
  const client = createSocketClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    // Otherwise the client closes the socket itself when its last subscription ends.
    lazyCloseTimeout: 60_000,
    connectionParams,
    on: { closed: (event) => closes.push(event as { code: number; reason: string }) },
  });
  clients.push(client);
  return { closes, iterate: (payload: SubscribePayload) => client.iterate(payload) };
}

/** Saves notes until the first event has arrived, because a subscription begins after its message. */
async function firstOf(events: AsyncIterator<unknown>, save: () => Promise<unknown>): Promise<unknown> {
  let event: unknown;
  const arrived = events.next().then(({ value }) => {
    event = value;
  });
  await until('a note has arrived', async () => {
    await save();
    return event !== undefined;
  });
  await arrived;
  return event;
}

/** Reads all events. Resolves to the error that ends them. */
async function errorOf(events: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _event of events);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('subscriptions of the sample API', () => {
  let platform: Platform;
  let url: string;
  beforeAll(async () => {
    platform = await startEmbeddedPlatform();
    url = `${platform.url}/graphql`;
  });
  afterAll(() => platform?.stop());

  const open: (() => void)[] = [];
  afterEach(() => {
    for (const leave of open.splice(0)) leave();
  });

  const save = (place: string, text: string) =>
    post(url, { query: SAVE, variables: { place, text } }, { 'x-api-key': 'demo-pro' });

  const send = (query: string, { key = 'demo-free', accept = 'text/event-stream', ...members } = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, 'x-api-key': key },
      body: JSON.stringify({ query, ...members }),
    });

  /** Opens a subscription, and collects its text. */
  async function listen(key = 'demo-free', accept = 'text/event-stream', place?: string) {
    const response = await send(FEED, { key, accept, ...(place && { variables: { place } }) });
    if (response.headers.get('content-type')?.includes('json'))
      return { status: response.status, body: await response.json(), leave() {}, text: () => '' };
    const reader = response.body!.getReader();
    let text = '';
    void (async () => {
      for (let step = await reader.read(); !step.done; step = await reader.read()) text += Buffer.from(step.value);
    })().catch(() => {});
    const leave = () => void reader.cancel().catch(() => {});
    open.push(leave);
    return { status: response.status, type: response.headers.get('content-type'), leave, text: () => text };
  }

  it('a client of graphql-sse receives the notes that others save, and the first one reports the charge', async () => {
    const client = createClient({ url, retryAttempts: 0, headers: { 'x-api-key': 'demo-free' } });
    const events = client.iterate({ query: FEED, variables: { place: 'SWE' } });
    const next = events.next();
    let isReceived = false;
    void next.then(() => {
      isReceived = true;
    });
    await until('a note has arrived', async () => {
      await save('europe', 'By train');
      await save('SWE', 'Midsummer');
      return isReceived;
    });
    expect((await next).value).toMatchObject({
      data: { noteSaved: { text: 'Midsummer', place: { name: 'Sweden' } } },
      extensions: { cost: { requestedQueryCost: 2 } },
    });
    await events.return?.();
  });

  it('a client of graphql-ws receives the same notes and sends queries, by the key of its connection parameters', async () => {
    const client = connect(platform.url);
    const events = client.iterate({ query: FEED, variables: { place: 'NOR' } });
    expect(await firstOf(events, () => save('NOR', 'Fjords'))).toMatchObject({
      data: { noteSaved: { text: 'Fjords', place: { name: 'Norway' } } },
      extensions: { cost: { requestedQueryCost: 2 } },
    });
    const query = client.iterate({ query: '{ country(code: "SE") { name } }' });
    expect((await query.next()).value).toMatchObject({ data: { country: { name: 'Sweden' } } });
    await events.return?.();
  });

  it('a WebSocket with an unknown key is closed with 4403, and one of a page of another site is not opened', async () => {
    const events = connect(platform.url, { 'x-api-key': 'tg_unknown' }).iterate({ query: FEED });
    await expect(events.next()).rejects.toMatchObject({ code: 4403 });
    const page = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws', { origin: 'https://other.example' });
    const error = await new Promise<Error>((resolve) => page.once('error', resolve));
    expect(error.message).toContain('400');
  });

  it('a client that accepts only JSON gets an error that names the header of the stream', async () => {
    const response = await send(FEED, { accept: 'application/json' });
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { message: string }[] };
    expect(errors[0]!.message).toContain('send "accept: text/event-stream"');
  });

  it('Apollo multipart subscriptions receive the same notes', async () => {
    const accept = 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0",application/json';
    const feed = await listen('demo-pro', accept);
    expect(feed.type).toMatch(/^multipart\/mixed/);
    await until('a note has arrived', async () => {
      await save('KEN', 'Safari');
      return feed.text().includes('{"payload":{"data":{"noteSaved":{"text":"Safari","place":{"name":"Kenya"}}}');
    });
  });

  it('the third open subscription of a user on the tier free is denied, and begins when another has ended', async () => {
    let first = await listen();
    await until('two subscriptions are open', async () => {
      if (first.status !== 200) first = await listen();
      return first.status === 200;
    });
    let second = await listen();
    await until('two subscriptions are open', async () => {
      if (second.status !== 200) second = await listen();
      return second.status === 200;
    });
    const third = await listen();
    expect(third).toMatchObject({
      status: 429,
      body: { errors: [{ extensions: { code: 'THROTTLED', isConcurrency: true, unit: 'SUBSCRIPTIONS' } }] },
    });
    first.leave();
    await until('the slot is free', async () => (await listen()).status === 200);
  });

  it('a query of a client that also accepts events is answered as JSON', async () => {
    // urql sends this header with every operation.
    const accept = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed';
    const response = await send('query subscription { country(code: "SE") { name } }', { accept });
    expect(response.headers.get('content-type')).toContain('json');
    expect(await response.json()).toMatchObject({ data: { country: { name: 'Sweden' } } });
  });

  it('an unknown place, invalid syntax and an unknown document are rejected with an error', async () => {
    const unknown = await listen('demo-pro', 'text/event-stream', 'atlantis');
    expect(unknown).toMatchObject({
      body: { errors: [{ message: 'place: expected the id of a place, got "atlantis"' }] },
    });
    const invalid = await send('subscription {', { key: 'demo-pro', accept: 'application/json, text/event-stream' });
    expect(invalid.status).toBe(400);
    const extensions = { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': 'demo-pro' },
      body: JSON.stringify({ extensions }),
    });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] });
  });

  it('a stop of the platform ends the open subscriptions with SUBSCRIPTION_ENDED', async () => {
    const stopped = await startEmbeddedPlatform();
    const response = await fetch(`${stopped.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': 'demo-free' },
      body: JSON.stringify({ query: FEED }),
    });
    expect(response.status).toBe(200);
    const client = connect(stopped.url);
    const events = client.iterate({ query: FEED });
    const input = { place: 'SWE', text: 'Last' };
    await firstOf(events, () =>
      post(`${stopped.url}/graphql`, { query: SAVE, variables: input }, { 'x-api-key': 'demo-pro' }),
    );
    const [text, status, failed] = await Promise.all([response.text(), stopped.stop(), errorOf(events)]);
    // The stock client subscribes again after this code.
    expect(failed).toMatchObject({ code: 1012 });
    expect(client.closes).toMatchObject([{ code: 1012 }]);
    expect(text).toContain('"code":"SUBSCRIPTION_ENDED"');
    expect(text).toContain('event: complete');
    expect(status).toBe(0);
  });
});

describe('subscriptions in production', () => {
  it('a client that accepts only events cannot read the schema in production', async () => {
    const platform = await startEmbeddedPlatform({ env: { NODE_ENV: 'production' }, args: ['--demo'] });
    try {
      for (const query of [
        '{ __schema { types { name } } } # subscription',
        'subscription { __schema { types { name } } }',
      ]) {
        const response = await fetch(`${platform.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': 'demo-free' },
          body: JSON.stringify({ query }),
        });
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(await response.text()).not.toContain('"types"');
      }
      const query = connect(platform.url).iterate({ query: '{ __schema { types { name } } }' });
      const answer = await query.next().catch((error: unknown) => error);
      expect(JSON.stringify(answer)).toMatch(/introspection/);
      expect(JSON.stringify(answer)).not.toContain('"types"');
    } finally {
      await platform.stop();
    }
  });
});

it('`tollgate gateway --demo` relays the notes over WebSockets and as server-sent events', async () => {
  const gateway = await startEmbeddedPlatform({ command: 'gateway', args: ['--demo'] });
  try {
    const save = () =>
      post(
        `${gateway.url}/graphql`,
        { query: SAVE, variables: { place: 'SWE', text: 'Midsummer' } },
        { 'x-api-key': 'demo-pro' },
      );
    const note = { data: { noteSaved: { text: 'Midsummer', place: { name: 'Sweden' } } } };
    expect(await firstOf(connect(gateway.url).iterate({ query: FEED }), save)).toMatchObject(note);
    const sse = createClient({
      url: `${gateway.url}/graphql`,
      retryAttempts: 0,
      headers: { 'x-api-key': 'demo-free' },
    });
    clients.push(sse);
    expect(await firstOf(sse.iterate({ query: FEED }), save)).toMatchObject(note);
  } finally {
    await gateway.stop();
  }
});

it('a feed of notes keeps the last 100 notes for a reader that does not read, and ends while it waits', async () => {
  const notes = createNoteBook();
  const feed = notes.feed();
  for (let i = 1; i <= 150; i++) notes.save({ placeId: 'SWE', text: String(i) });
  expect((await feed.next()).value).toMatchObject({ text: '51' });
  const other = notes.feed('KEN');
  notes.save({ placeId: 'SWE', text: 'elsewhere' });
  const waiting = other.next();
  await other.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
});
