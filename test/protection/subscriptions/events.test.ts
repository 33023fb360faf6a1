import { makeExecutableSchema } from '@graphql-tools/schema';
import { type ExecutionResult, subscribe } from 'graphql';
import { afterEach, expect, inject, test } from 'vitest';
import type { AdmittedRequest } from '../../../src/any-server/admitted-request.js';
import type { RuleInput } from '../../../src/index.js';
import type { DecisionRecord } from '../../../src/model/decision-record.js';
import { createTollgate } from '../../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../../src/tollgate/tollgate-options.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { uniqueName } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';

/** A source of events that the test writes. */
class Source implements AsyncIterableIterator<unknown> {
  readonly #events: unknown[] = [];
  #wake = () => {};
  reads = 0;
  hasReturned = false;
  isEnded = false;

  send(...events: unknown[]): void {
    this.#events.push(...events);
    this.#wake();
  }

  async next(): Promise<IteratorResult<unknown>> {
    this.reads++;
    while (this.#events.length === 0) {
      if (this.isEnded || this.hasReturned) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const event = this.#events.shift();
    if (event instanceof Error) throw event;
    return { done: false, value: event };
  }

  async return(): Promise<IteratorResult<unknown>> {
    this.hasReturned = true;
    this.#wake();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const DAY_MS = 86_400_000;
const BUCKET = { algorithm: 'TOKEN_BUCKET', refillAmount: 1, refillPeriodMs: DAY_MS } as const;

async function serve({
  rules = [],
  capacity = 100,
  user = 'ann',
  ...options
}: { rules?: RuleInput[]; capacity?: number; user?: string } & Pick<
  Partial<TollgateOptions>,
  'mode' | 'cost' | 'redis'
> = {}) {
  const sources: Source[] = [];
  const decisions: DecisionRecord[] = [];
  const schema = makeExecutableSchema({
    typeDefs: /* GraphQL */ `
      type Query { item: Node }
      type Subscription { items(first: Int!): [Node!]!, count: Int, failing: Node }
      interface Node { id: ID }
      type Heavy implements Node { id: ID, weight: Int @cost(weight: "3") }
      type Light implements Node { id: ID, others: [Light!] @listSize(assumedSize: 2) }
      directive @cost(weight: String!) on FIELD_DEFINITION
      directive @listSize(assumedSize: Int) on FIELD_DEFINITION
    `,
    resolvers: {
      Node: { __resolveType: ({ type }: { type: string }) => type },
      Subscription: {
        items: { subscribe: newSource },
        count: { subscribe: newSource },
        failing: {
          subscribe: newSource,
          resolve() {
            throw new Error('no');
          },
        },
      },
    },
  });
  function newSource(): Source {
    const source = new Source();
    sources.push(source);
    return source;
  }
  const tollgate = await createTollgate<object>({
    schema,
    identify: () => ({ user }),
    tiers: [{ name: 'free', capacity, refillAmount: 1, refillPeriodMs: DAY_MS, isDefault: true }],
    rules,
    onDecision: (record) => decisions.push(record),
    logger: { info() {}, warn() {}, error() {} },
    ...options,
  });
  open.push(() => tollgate.close());

  async function listen(query: string, { throwsErrors = false } = {}) {
    const contextValue = {};
    const asked = await tollgate.protect({ query, contextValue });
    if (!asked.admitted) return { denial: asked.answer.body.errors?.[0]?.extensions };
    const result = await subscribe({ schema, document: asked.start(contextValue), contextValue });
    if (!(Symbol.asyncIterator in result)) throw new Error(`expected events, got ${JSON.stringify(result)}`);
    const events = asked.events(result, { throwsErrors });
    return { events, source: sources.at(-1)!, request: asked as AdmittedRequest };
  }
  const quota = async (rule = 'tier:free') => (await tollgate.quota({ user })).find((entry) => entry.rule === rule)!;
  return { tollgate, listen, decisions, sources, left: async (rule?: string) => (await quota(rule)).remaining, quota };
}

type Listened = Awaited<ReturnType<Awaited<ReturnType<typeof serve>>['listen']>>;

function accepted({ events, source, request }: Listened) {
  if (!events) throw new Error('it was denied');
  return { events, source: source!, request: request! };
}

const codeOf = ({ value }: IteratorResult<ExecutionResult>) => value?.errors?.[0]?.extensions?.['code'];

test('a subscription costs its estimate, and each event its actual cost with the types that it contains', async () => {
  const { listen, left } = await serve();
  const { events, source } = accepted(await listen('subscription { items(first: 10) { id ... on Heavy { weight } } }'));
  expect(await left()).toBe(60);
  source.send({
    items: [
      { type: 'Heavy', id: 1 },
      { type: 'Light', id: 2 },
    ],
  });
  const first = await events.next();
  expect(first.value).toMatchObject({
    data: { items: [{ id: '1', weight: null }, { id: '2' }] },
    extensions: { cost: { requestedQueryCost: 40 } },
  });
  expect(JSON.stringify(first.value)).not.toContain('__tollgate');
  expect(await left()).toBe(55);
  source.send({ items: [{ type: 'Light', id: 3 }] });
  const second = await events.next();
  expect(second.value).toEqual({ data: { items: [{ id: '3' }] } });
  expect(await left()).toBe(54);
});

test('an event costs at least the minimum cost of an operation', async () => {
  const { listen, left } = await serve({ cost: { minimumCost: 4 } });
  const { events, source } = accepted(await listen('subscription { count }'));
  expect(await left()).toBe(96);
  source.send({ count: 1 }, { count: 2 });
  await events.next();
  await events.next();
  expect(await left()).toBe(88);
});

test('an event whose fields failed costs the estimate of these fields', async () => {
  const { listen, left } = await serve();
  const { events, source } = accepted(await listen('subscription { failing { id } }'));
  expect(await left()).toBe(99);
  source.send({});
  expect((await events.next()).value?.errors?.[0]?.message).toBe('no');
  expect(await left()).toBe(98);
});

test('open subscriptions are limited, a denial names the limit, and queries do not count', async () => {
  const { listen, tollgate, quota } = await serve({
    rules: [
      {
        name: 'few-at-a-time',
        scope: 'USER',
        field: '*',
        measure: 'SUBSCRIPTIONS',
        limits: [{ algorithm: 'CONCURRENCY', capacity: 2, leaseMs: 60_000 }],
      },
    ],
  });
  const first = accepted(await listen('subscription { count }'));
  const second = accepted(await listen('subscription { items(first: 1) { id } }'));
  expect((await listen('subscription { count }')).denial).toMatchObject({
    code: 'THROTTLED',
    deniedBy: 'few-at-a-time',
    isConcurrency: true,
    unit: 'SUBSCRIPTIONS',
    limit: 2,
    remaining: 0,
  });
  expect(await tollgate.protect({ query: '{ item { id } }' })).toMatchObject({ admitted: true });
  const usedIs = (count: number) =>
    until(`${count} slots are used`, async () => (await quota('few-at-a-time')).used === count, PATIENT_MS);
  await first.events.return?.();
  await usedIs(1);
  expect(first.source.hasReturned).toBe(true);
  await first.events.return?.();
  await usedIs(1);
  second.source.isEnded = true;
  second.source.send();
  expect(await second.events.next()).toEqual({ done: true, value: undefined });
  await usedIs(0);
});

test('a limit on the subscriptions to a field does not count subscriptions to other fields', async () => {
  const { listen } = await serve({
    rules: [
      {
        name: 'one-count',
        scope: 'USER',
        field: 'Subscription.count',
        measure: 'SUBSCRIPTIONS',
        limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 60_000 }],
      },
    ],
  });
  accepted(await listen('subscription { count }'));
  expect((await listen('subscription { count }')).denial).toMatchObject({ deniedBy: 'one-count' });
  accepted(await listen('subscription { items(first: 1) { id } }'));
});

test('a subscription whose source fails frees its slot once and reports the failure', async () => {
  const { listen, quota } = await serve({
    rules: [
      {
        name: 'one',
        scope: 'USER',
        field: '*',
        measure: 'SUBSCRIPTIONS',
        limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 60_000 }],
      },
    ],
  });
  const { events, source } = accepted(await listen('subscription { count }'));
  source.send(new Error('the source broke off'));
  await expect(events.next()).rejects.toThrow('broke off');
  await until('the slot is free', async () => (await quota('one')).used === 0, PATIENT_MS);
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

test('the number of subscriptions per period counts their begin, and calls below count each event', async () => {
  const windowed = (name: string, field: string): RuleInput => ({
    name,
    scope: 'USER',
    field,
    measure: 'CALLS',
    limits: [{ algorithm: 'FIXED_WINDOW', amount: 20, windowMs: 400 * DAY_MS }],
  });
  const { listen, left } = await serve({
    rules: [windowed('begins', 'Subscription.*'), windowed('below', 'Light.others')],
  });
  const { events, source } = accepted(
    await listen('subscription { items(first: 2) { ... on Light { others { id } } } }'),
  );
  expect([await left('begins'), await left('below')]).toEqual([19, 18]);
  source.send({ items: [{ type: 'Light', others: [] }] }, { items: [{ type: 'Light', others: [] }] });
  await events.next();
  await events.next();
  expect([await left('begins'), await left('below')]).toEqual([19, 16]);
});

const perEvent = (more: Partial<RuleInput> = {}): RuleInput => ({
  name: 'tokens',
  scope: 'USER',
  field: '*',
  match: { operationTypes: ['SUBSCRIPTION'] },
  limits: [{ ...BUCKET, capacity: 3 }],
  ...more,
});

test('an event that the bucket of the tier denies ends the subscription with the error of the denial', async () => {
  const { listen, decisions } = await serve({ capacity: 2 });
  const { events, source } = accepted(await listen('subscription { count }'));
  source.send({ count: 1 }, { count: 2 }, { count: 3 });
  expect((await events.next()).value?.data).toEqual({ count: 1 });
  const last = await events.next();
  expect(codeOf(last)).toBe('THROTTLED');
  expect(last.value?.errors?.[0]?.extensions).toMatchObject({
    deniedBy: 'tier:free',
    retryAfterMs: expect.any(Number),
  });
  expect(last.value?.errors?.[0]?.extensions).not.toHaveProperty('http');
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(source.hasReturned).toBe(true);
  expect(decisions.map(({ denial, chargedCost }) => [denial, chargedCost])).toEqual([
    [undefined, 1],
    [undefined, 1],
    ['THROTTLED', 0],
  ]);
});

test('with throwsErrors, the error of a denied event is thrown', async () => {
  const { listen } = await serve({ capacity: 1 });
  const { events, source } = accepted(await listen('subscription { count }', { throwsErrors: true }));
  source.send({ count: 1 });
  await expect(events.next()).rejects.toMatchObject({ extensions: { code: 'THROTTLED' } });
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

test('with onEventDenied: DROP, a denied event is not sent and the subscription goes on', async () => {
  const { listen, left, tollgate } = await serve({ rules: [perEvent({ onEventDenied: 'DROP' })] });
  const { events, source } = accepted(await listen('subscription { items(first: 1) { id } }'));
  expect(await left('tokens')).toBe(2);
  const light = { type: 'Light', id: 1 };
  source.send({ items: [light, light, light] }, { items: [light] });
  expect((await events.next()).value?.data).toEqual({ items: [{ id: '1' }] });
  expect(await left('tokens')).toBe(1);
  // A denied event charges no limit.
  expect(await left()).toBe(98);
  await tollgate.close();
});

test('with onEventDenied: PAUSE, a subscription reads no further event until its tokens are refilled', async () => {
  const refilling = { algorithm: 'TOKEN_BUCKET', capacity: 2, refillAmount: 1, refillPeriodMs: 150 } as const;
  const { listen } = await serve({ rules: [perEvent({ onEventDenied: 'PAUSE', limits: [refilling] })] });
  const startedMs = performance.now();
  const { events, source } = accepted(await listen('subscription { count }'));
  source.send({ count: 1 }, { count: 2 }, { count: 3 });
  await events.next();
  const readBefore = source.reads;
  const paused = events.next();
  expect((await paused).value?.data).toEqual({ count: 2 });
  expect(source.reads).toBe(readBefore + 1);
  expect((await events.next()).value?.data).toEqual({ count: 3 });
  // The start and the events cost four tokens. The bucket had two, and refills one in 150 ms.
  expect(performance.now() - startedMs).toBeGreaterThan(290);
});

test('a pause of more than a minute ends the subscription, and so does an event that never fits', async () => {
  const { listen } = await serve({ rules: [perEvent({ onEventDenied: 'PAUSE' })] });
  const { events, source } = accepted(await listen('subscription { items(first: 1) { id } }'));
  const light = { type: 'Light', id: 1 };
  source.send({ items: [light, light, light, light] });
  expect(codeOf(await events.next())).toBe('MAX_COST_EXCEEDED');
  const slow = accepted(await listen('subscription { items(first: 1) { id } }'));
  slow.source.send({ items: [light, light] });
  expect(codeOf(await slow.events.next())).toBe('THROTTLED');
});

test('a client that leaves during a pause ends it at once', async () => {
  const refilling = { algorithm: 'TOKEN_BUCKET', capacity: 1, refillAmount: 1, refillPeriodMs: 50_000 } as const;
  const { listen } = await serve({ rules: [perEvent({ onEventDenied: 'PAUSE', limits: [refilling] })] });
  const { events, source } = accepted(await listen('subscription { count }'));
  source.send({ count: 1 });
  const paused = events.next();
  await until('the event was read', () => source.reads === 1);
  await events.return?.();
  expect(await paused).toEqual({ done: true, value: undefined });
});

test('in shadow mode, no event is denied', async () => {
  const { listen, decisions } = await serve({ capacity: 1, mode: 'SHADOW' });
  const { events, source } = accepted(await listen('subscription { count }'));
  source.send({ count: 1 }, { count: 2 });
  expect((await events.next()).value?.data).toEqual({ count: 1 });
  expect((await events.next()).value?.data).toEqual({ count: 2 });
  expect(decisions.map(({ wouldBeDeniedBy }) => wouldBeDeniedBy)).toEqual([[], ['tier:free'], ['tier:free']]);
});

test('when the server stops, open subscriptions end with an error and free their slots', async () => {
  const { listen, tollgate } = await serve();
  const waiting = accepted(await listen('subscription { count }'));
  const idle = accepted(await listen('subscription { count }'));
  const next = waiting.events.next();
  await tollgate.close();
  expect(codeOf(await next)).toBe('SUBSCRIPTION_ENDED');
  expect(codeOf(await idle.events.next())).toBe('SUBSCRIPTION_ENDED');
  expect(await idle.events.next()).toEqual({ done: true, value: undefined });
  expect([waiting.source.hasReturned, idle.source.hasReturned]).toEqual([true, true]);
});

test('events rejects an operation that is no subscription, or that has not started', async () => {
  const { tollgate } = await serve();
  const query = await tollgate.protect({ query: '{ item { id } }' });
  if (!query.admitted) throw new Error('it was denied');
  query.start();
  expect(() => query.events(new Source() as never)).toThrow('expected a subscription, got another operation');
  const subscription = await tollgate.protect({ query: 'subscription { count }' });
  if (!subscription.admitted) throw new Error('it was denied');
  expect(() => subscription.events(new Source() as never)).toThrow('expected a subscription that has started');
});

test('a server that stops refunds the start of its subscriptions, so that they start elsewhere for no more', async () => {
  const starts: RuleInput = {
    name: 'starts',
    scope: 'USER',
    field: 'Subscription.*',
    measure: 'CALLS',
    limits: [{ algorithm: 'FIXED_WINDOW', amount: 10, windowMs: 28 * DAY_MS }],
  };
  const open: RuleInput = {
    name: 'open',
    scope: 'USER',
    field: '*',
    measure: 'SUBSCRIPTIONS',
    limits: [{ algorithm: 'CONCURRENCY', capacity: 2, leaseMs: 60_000 }],
  };
  const shared = { redis: inject('redisUrl'), user: uniqueName('moving'), rules: [starts, open] };
  const [stopping, other] = [await serve(shared), await serve(shared)];
  const query = 'subscription { items(first: 10) { id ... on Heavy { weight } } }';
  const { events, source } = accepted(await stopping.listen(query));
  accepted(await stopping.listen('subscription { count }'));
  source.send({ items: [{ type: 'Heavy', id: 1 }] });
  await events.next();
  const left = async () => [await other.left(), await other.left('starts'), await other.left('open')];
  expect(await left()).toEqual([55, 8, 0]);
  await stopping.tollgate.close();
  expect(codeOf(await events.next())).toBe('SUBSCRIPTION_ENDED');
  // The event was sent, so its cost of 4 stays charged.
  await until('the starts are refunded', async () => (await left()).join() === '96,10,2');
  accepted(await other.listen(query));
  expect(await left()).toEqual([56, 9, 1]);
});

test('a subscription that ended before its server stops is not refunded', async () => {
  const shared = { redis: inject('redisUrl'), user: uniqueName('left') };
  const [stopping, other] = [await serve(shared), await serve(shared)];
  const { events } = accepted(await stopping.listen('subscription { items(first: 10) { id } }'));
  await events.return?.();
  await stopping.tollgate.close();
  expect(await other.left()).toBe(90);
});
