import { context, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { AsyncLocalStorageContextManager } from '../helpers/async-context.js';
import { protectedApi } from '../helpers/testkit.js';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

beforeAll(() => {
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
});
afterAll(() => {
  trace.disable();
  context.disable();
});
beforeEach(() => exporter.reset());

/** Runs an operation of a caller with ten tokens, optionally inside a span of the request. */
async function run(query: string, { inSpan = true } = {}) {
  const { server, close } = await protectedApi({
    schema: `type Query { items(first: Int!, secret: String): [Item!]! @listSize(slicingArguments: ["first"]) }
      type Item { name: String }`,
    resolvers: { Query: { items: (_, { first }) => Array(first / 2).fill({}) } },
    identify: () => ({ user: 'canary-user' }),
    tier: { capacity: 10 },
  });
  // Executes the operation directly, so that it keeps the asynchronous context of the span. A
  // request over HTTP would lose it.
  const execute = () =>
    server!.executeOperation({ query }, { contextValue: { subject: {}, clientGone: new AbortController().signal } });
  if (inSpan) {
    await trace.getTracer('test').startActiveSpan('POST /graphql', async (span) => {
      await execute();
      span.end();
    });
  } else await execute();
  await close();
  return exporter.getFinishedSpans();
}

it('a decision is a child span of the request, and the actual cost is an event of the request span', async () => {
  const spans = await run('{ items(first: 8, secret: "canary") { name } }');
  const [decision, request] = [spans.find(({ name }) => name === 'tollgate.decide'), spans.at(-1)];
  expect(decision?.attributes).toEqual({
    'graphql.operation.type': 'query',
    'tollgate.result': 'admitted',
    'tollgate.cost.requested': 8,
    'tollgate.cost.charged': 8,
    'tollgate.tier': 'free',
    'tollgate.mode': 'enforce',
    'tollgate.degraded': false,
  });
  expect(decision?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  expect(request?.events).toMatchObject([{ name: 'tollgate.settled', attributes: { 'tollgate.cost.actual': 4 } }]);
  expect(JSON.stringify(spans.map(({ attributes, events }) => ({ attributes, events })))).not.toContain('canary');
});

it('the span of a denial names the rule that denied', async () => {
  const spans = await run('{ a: items(first: 10) { name } b: items(first: 10) { name } }');
  const decision = spans.find(({ name }) => name === 'tollgate.decide');
  expect(decision?.attributes).toMatchObject({ 'tollgate.result': 'max_cost_exceeded', 'tollgate.rule': 'tier:free' });
});

it('no span is created outside a recorded span', async () => {
  expect(await run('{ items(first: 2) { name } }', { inSpan: false })).toEqual([]);
});
