import { ApolloServer } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { context, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTollgate } from '../src/create-tollgate.js';
import { AsyncLocalStorageContextManager } from './helpers/async-context.js';

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

/** Runs an operation of a caller with ten tokens, below a span of its own where one is asked for. */
async function run(query: string, { inSpan = true } = {}) {
  const schema = makeExecutableSchema({
    typeDefs: `
      directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
      type Query { items(first: Int!, secret: String): [Item!]! @listSize(slicingArguments: ["first"]) }
      type Item { name: String }`,
    resolvers: { Query: { items: (_: unknown, { first }: { first: number }) => Array(first / 2).fill({}) } },
  });
  const tollgate = await createTollgate({
    schema,
    identify: () => ({ user: 'canary-user' }),
    tiers: [{ name: 'free', capacity: 10, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    logger: { info() {}, warn() {}, error() {} },
  });
  const server = new ApolloServer({ schema, plugins: [tollgate.plugin()] });
  const execute = () => server.executeOperation({ query });
  if (inSpan) {
    await trace.getTracer('test').startActiveSpan('POST /graphql', async (span) => {
      await execute();
      span.end();
    });
  } else await execute();
  await server.stop();
  await tollgate.close();
  return exporter.getFinishedSpans();
}

it('shows a decision as a span below the request, and what was paid as an event of the request', async () => {
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

it('names the rule that denied', async () => {
  const spans = await run('{ a: items(first: 10) { name } b: items(first: 10) { name } }');
  const decision = spans.find(({ name }) => name === 'tollgate.decide');
  expect(decision?.attributes).toMatchObject({ 'tollgate.result': 'max_cost_exceeded', 'tollgate.rule': 'tier:free' });
});

it('makes no span where none is recording', async () => {
  expect(await run('{ items(first: 2) { name } }', { inSpan: false })).toEqual([]);
});
