import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLError, subscribe } from 'graphql';
import { createClient, type ExecutionResult } from 'graphql-sse';
import { createHandler } from 'graphql-sse/lib/use/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import { useTollgate } from '../../src/yoga/use-tollgate.js';
import { Channel, END } from '../graphql-ws/channel.js';
import { limitOn } from '../graphql-ws/socket-api.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';

// The client of graphql-sse with servers that send server-sent events.

// The tests do not import Yoga's own types, because these change the type of GraphQL errors.
const { createYoga } = (await import(String('graphql-yoga'))) as { createYoga(options: object): RequestListener };

type Context = { req?: IncomingMessage };
type Api = Awaited<ReturnType<typeof createApi>>;
type Serve = (api: Api) => RequestListener;

/** Tokens that are no longer valid. */
const expired = new Set<string>();

async function createApi() {
  const channel = new Channel();
  const schema = makeExecutableSchema({
    typeDefs: 'type Query { hello: String } type Subscription { ticks: Int }',
    resolvers: { Subscription: { ticks: { subscribe: () => channel.subscribe() } } },
  });
  const tollgate: Tollgate<Context> = await createTollgate<Context>({
    schema,
    identify: ({ header }) => {
      if (expired.has(header('authorization') ?? '')) {
        throw new GraphQLError('expired', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
      }
      return { user: 'ann' };
    },
    tiers: [{ name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    rules: [limitOn('SUBSCRIPTIONS', 1)],
    logger: { info() {}, warn() {}, error() {} },
    deadlineMs: PATIENT_MS,
  });
  return { channel, schema, tollgate };
}

/** Serves one subscription per response with `protect`. */
const withProtect: Serve =
  ({ schema, tollgate }) =>
  async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { query, variables } = JSON.parse(body);
    const contextValue = { req: request };
    const asked = await tollgate.protect({ query, variables, headers: request.headers, contextValue });
    if (!asked.admitted) {
      response.writeHead(asked.answer.status, { ...asked.answer.headers, 'content-type': 'application/json' });
      return response.end(JSON.stringify(asked.answer.body));
    }
    const source = await subscribe({ schema, document: asked.start(contextValue), contextValue });
    if (!(Symbol.asyncIterator in source)) return response.writeHead(500).end();
    const events = asked.events(source);
    response.once('close', () => void events.return?.());
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(':\n\n');
    for await (const event of events) response.write(`event: next\ndata: ${JSON.stringify(event)}\n\n`);
    return response.end('event: complete\ndata:\n\n');
  };

const withHandler: Serve = ({ schema, tollgate }) =>
  createHandler(tollgate.execution({ schema, context: (request: { raw: IncomingMessage }) => ({ req: request.raw }) }));

const withYoga: Serve = ({ schema, tollgate }) =>
  createYoga({ schema, plugins: [useTollgate(tollgate)], logging: false, graphqlEndpoint: '/' });

describe.each<[string, Serve, object]>([
  ['GraphQL Yoga', withYoga, {}],
  ['protect', withProtect, {}],
  ['a handler of graphql-sse', withHandler, {}],
  ['a handler of graphql-sse in the single connection mode', withHandler, { singleConnection: true }],
])('a client of graphql-sse with %s', (_, serve, options) => {
  async function start() {
    const api = await createApi();
    const server = createServer(serve(api));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    let token = 'first';
    const client = createClient({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      retryAttempts: 0,
      headers: () => ({ authorization: token }),
      ...options,
    });
    onTestFinished(async () => {
      client.dispose();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await api.tollgate.close();
      expired.clear();
    });
    const open = () => {
      const received: ExecutionResult[] = [];
      const failed: unknown[] = [];
      let isComplete = false;
      const leave = client.subscribe(
        { query: 'subscription { ticks }' },
        {
          next: (result) => received.push(result as ExecutionResult),
          error: (error) => failed.push(error),
          complete: () => {
            isComplete = true;
          },
        },
      );
      return { received, failed, leave, isComplete: () => isComplete };
    };
    const quota = async (rule: string) => (await api.tollgate.quota({ user: 'ann' })).find((one) => one.rule === rule)!;
    const readersAre = (count: number) =>
      until(`${count} sources are open`, () => api.channel.readers === count, PATIENT_MS);
    const isFree = () => until('the slot is free', async () => (await quota('subscriptions')).used === 0, PATIENT_MS);
    const setToken = (next: string) => {
      token = next;
    };
    return { ...api, open, quota, readersAre, isFree, setToken };
  }

  /** Returns the codes of the errors with which a subscription was denied. */
  async function codesOf({ received, failed }: { received: ExecutionResult[]; failed: unknown[] }) {
    const [error] = failed as [{ response?: Response }?];
    // A response with an error status is JSON, or the events of one result.
    const [json] = (await error?.response?.text())?.match(/^\{.*|(?<=^data: )\{.*/m) ?? [];
    const result: ExecutionResult | undefined = json === undefined ? received.at(-1) : JSON.parse(json);
    return result?.errors?.map(({ extensions }) => extensions?.['code']);
  }

  it('receives the events, and pays the estimate and each event', async () => {
    const { open, channel, quota, readersAre, isFree } = await start();
    const subscription = open();
    await readersAre(1);
    channel.publish({ ticks: 1 });
    channel.publish({ ticks: 2 });
    await until('two events', () => subscription.received.length === 2, PATIENT_MS);
    expect(subscription.received).toMatchObject([
      { data: { ticks: 1 }, extensions: { cost: expect.anything() } },
      { data: { ticks: 2 } },
    ]);
    // The start and the two events cost one token each.
    expect((await quota('tier:free')).remaining).toBe(97);
    channel.publish(END);
    await until('the end', subscription.isComplete, PATIENT_MS);
    await isFree();
  });

  it('is denied one subscription while another one is open, which goes on', async () => {
    const { open, channel, readersAre, isFree } = await start();
    const first = open();
    await readersAre(1);
    const second = open();
    await until('the denial', () => second.failed.length + second.received.length > 0, PATIENT_MS);
    expect(await codesOf(second)).toEqual(['THROTTLED']);
    channel.publish({ ticks: 1 });
    await until('an event of the first one', () => first.received.length === 1, PATIENT_MS);
    first.leave();
    await isFree();
    const third = open();
    await readersAre(1);
    channel.publish({ ticks: 2 });
    await until('an event of the third one', () => third.received.length === 1, PATIENT_MS);
  });

  it('is rejected when its token has expired, and subscribes again with a new token', async () => {
    const { open, channel, readersAre, isFree, setToken } = await start();
    const first = open();
    await readersAre(1);
    first.leave();
    await isFree();
    expired.add('first');
    const rejected = open();
    await until('the rejection', () => rejected.failed.length + rejected.received.length > 0, PATIENT_MS);
    expect(await codesOf(rejected)).toEqual(['UNAUTHENTICATED']);
    setToken('second');
    const again = open();
    await readersAre(1);
    channel.publish({ ticks: 1 });
    await until('an event', () => again.received.length === 1, PATIENT_MS);
  });
});
