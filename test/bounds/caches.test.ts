import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ApolloServer } from '@apollo/server';
import { buildSchema, type DocumentNode, parse } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createDocumentHashes } from '../../src/documents/create-document-hashes.js';
import { createDocumentStore } from '../../src/documents/document-store.js';
import { createSkimStore } from '../../src/gateway/upstream/create-skim-store.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import type { Db } from '../../src/postgres/db.js';
import { createChargeBinder, type MeasurablePlan } from '../../src/protection/charge-binder.js';
import { createRuleset } from '../../src/rules/matching/ruleset.js';
import { parsePolicy } from '../../src/rules/policy/parse-policy.js';
import { createTextCache } from '../../src/runtime/sized-cache.js';
import { keptName, storedText } from '../../src/runtime/stored-text.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { createNameNumbers } from '../../src/usage/record/create-name-numbers.js';
import { until } from '../helpers/until.js';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function usedBytes(): number {
  for (let round = 0; round < 4; round++) collect();
  return process.memoryUsage().heapUsed;
}

const MB = 2 ** 20;
const schema = buildSchema(
  'type Query { item(id: Int): Item items(first: Int): [Item!] } type Item { id: ID name: String item: Item }',
);
/** Returns a document of some 1,800 tokens. Its aliases occur in no other document. */
const largeText = (index: number) =>
  `{ ${Array.from({ length: 150 }, (_, i) => `a${index}_${i}: item(id: 1) { id name }`).join(' ')} }`;

describe('hashes of texts', () => {
  it('the hashes of short texts are cached up to a bound in bytes, and the hashes of all texts are correct', () => {
    const hashes = createDocumentHashes();
    const before = usedBytes();
    const textOf = (index: number, length: number) => `{ a${index} }`.padEnd(length);
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    for (const length of [10, 2000, 90_000]) {
      for (let index = 0; index < 3000; index++) {
        const text = textOf(index, length);
        const hash = hashes.of(text);
        if (index % 500 === 0) expect(hash).toBe(sha256(text));
        hashes.remember(text, hash);
        if (index % 500 === 0) expect(hashes.of(text)).toBe(hash);
      }
    }
    // Without the bounds, the cache would occupy about 500 MB.
    expect(usedBytes() - before).toBeLessThan(4 * MB);
    expect(hashes.of(textOf(0, 10))).toBe(sha256(textOf(0, 10)));
  });
});

describe('cost plans by the hash of their document', () => {
  it('cost plans are cached up to a bound in bytes, which includes the documents that they keep alive', () => {
    const analyzer = createCostAnalyzer(schema, { maxCachedPlanBytes: 8 * MB });
    const before = usedBytes();
    for (let index = 0; index < 200; index++) {
      analyzer
        .compile(parse(largeText(index)), null, `hash${index}`)
        .bind({})
        .estimate();
    }
    expect(analyzer.cachedPlans().bytes).toBeLessThanOrEqual(8 * MB);
    expect(analyzer.cachedPlans().bytes).toBeGreaterThan(6 * MB);
    // The size of a plan is an estimate. Without the bound the plans would take some 100 MB.
    expect(usedBytes() - before).toBeLessThan(12 * MB);
    const { built } = analyzer.plans;
    analyzer.compile(parse(largeText(199)), null, 'hash199');
    expect(analyzer.plans.built).toBe(built);
    analyzer.compile(parse(largeText(0)), null, 'hash0');
    expect(analyzer.plans.built).toBe(built + 1);
  });

  it('many small cost plans are cached, but a plan that is larger than the whole cache is not', () => {
    const analyzer = createCostAnalyzer(schema, { maxCachedPlanBytes: 200_000 });
    for (let index = 0; index < 15; index++) analyzer.compile(parse(`{ a${index}: item { id } }`), null, `h${index}`);
    expect(analyzer.cachedPlans().count).toBe(15);
    analyzer.compile(parse(largeText(1)), null, 'large');
    expect(analyzer.cachedPlans().count).toBe(15);
  });

  it('a cost plan caches the costs of few list sizes, and of fewer sizes the more fields it has', () => {
    const text = (fields: number) =>
      `query ($n: Int) { ${Array.from({ length: fields }, (_, i) => `a${i}: items(first: $n) { id }`).join(' ')} }`;
    const overlay = { 'Query.items': { listSize: { slicingArguments: ['first'], requireOneSlicingArgument: false } } };
    const wide = buildSchema(
      `type Query { ${Array.from({ length: 300 }, (_, i) => `f${i}(first: Int): [Int]`).join(' ')} }`,
    );
    const sizedBy = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [
        `Query.f${i}`,
        { listSize: { slicingArguments: ['first'], requireOneSlicingArgument: false } },
      ]),
    );
    const few = createCostAnalyzer(schema, { overlay }).compile(parse(text(1)));
    const fieldsOf = (plan: typeof few, n: number) => plan.estimate({ n }).fields;
    fieldsOf(few, 0);
    const kept = fieldsOf(few, 1);
    for (let n = 2; n < 60; n++) fieldsOf(few, n);
    expect(fieldsOf(few, 1)).toBe(kept);
    const manyText = `query ($n: Int) { ${Array.from({ length: 300 }, (_, i) => `f${i}(first: $n)`).join(' ')} }`;
    const many = createCostAnalyzer(wide, { overlay: sizedBy }).compile(parse(manyText));
    fieldsOf(many, 0);
    const first = fieldsOf(many, 1);
    expect(fieldsOf(many, 1)).toBe(first);
    for (let n = 2; n < 10; n++) fieldsOf(many, n);
    expect(fieldsOf(many, 1)).not.toBe(first);
  });
});

describe('document store', () => {
  it('documents are kept up to a bound in bytes, and the most recently used ones stay', async () => {
    const store = createDocumentStore({ maxBytes: 4 * MB });
    const before = usedBytes();
    await store.set('first', parse(largeText(-1 + 1000)));
    for (let index = 0; index < 100; index++) {
      await store.set(`key${index}`, parse(largeText(index)));
      expect(await store.get('first')).toBeDefined();
      expect(store.bytes).toBeLessThanOrEqual(4 * MB);
    }
    expect(await store.get('key0')).toBeUndefined();
    expect(await store.get('key99')).toBeDefined();
    expect(usedBytes() - before).toBeLessThan(6 * MB);
  });

  it('documents are removed on request, and one that is larger than the store evicts no other', async () => {
    const store = createDocumentStore({ maxBytes: 50_000 });
    const small = parse('{ item { id } }');
    await store.set('small', small);
    await store.set('large', parse(largeText(1)));
    expect([store.count, await store.get('large')]).toEqual([1, undefined]);
    store.forget(small);
    store.forget(parse('{ item { id } }'));
    expect([store.count, store.bytes, await store.get('small')]).toEqual([0, 0, undefined]);
  });

  it.each([
    -1,
    1.5,
    Number.NaN,
  ])('the document store accepts only a whole number as its bound, and not %s', (maxBytes) => {
    expect(() => createDocumentStore({ maxBytes })).toThrow(/^maxBytes: expected a whole number/);
  });
});

it('texts of persisted queries are kept up to a bound in bytes', async () => {
  const cache = createTextCache(MB);
  for (let index = 0; index < 100; index++) await cache.set(`apq:${index}`, `${index}`.padEnd(60_000, 'x'));
  expect(cache.bytes).toBeLessThanOrEqual(MB);
  expect(cache.count).toBe(8);
  expect(await cache.get('apq:99')).toBeDefined();
  expect(await cache.get('apq:0')).toBeUndefined();
});

describe('operations that do not run', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function serve() {
    const tollgate = await createTollgate<{ tier: string }>({
      schema,
      identify: ({ contextValue: { tier } }) => ({ user: `a-${tier}`, tier }),
      tiers: [
        {
          name: 'small',
          capacity: 50,
          refillAmount: 1,
          refillPeriodMs: 86_400_000,
          maxCostPerOperation: 3,
          isDefault: true,
        },
        { name: 'large', capacity: 1000, refillAmount: 1, refillPeriodMs: 86_400_000 },
      ],
      logger: { info() {}, warn() {}, error() {} },
    });
    const { documentStore } = tollgate;
    const server = new ApolloServer<{ tier: string }>({ schema, documentStore, plugins: [tollgate.plugin()] });
    await server.start();
    closing.push(
      () => server.stop(),
      () => tollgate.close(),
    );
    const send = async (query: string, tier: string, more: object = {}) => {
      const { body } = await server.executeOperation({ query, ...more }, { contextValue: { tier } });
      return body.kind === 'single' ? body.singleResult.errors?.[0]?.extensions?.['code'] : undefined;
    };
    return { documentStore, analyzer: tollgate.analyzer, send, protect: tollgate.protect };
  }
  const expensive = (index: number) =>
    `query A { ${Array.from({ length: 4 }, (_, i) => `a${index}${i}: item { id }`).join(' ')} }`;

  it.each([
    ['for a cost above a ceiling', expensive, {}, 'MAX_COST_EXCEEDED'],
    [
      'for its variables',
      (index: number) => `query ($n: Int!) { a${index}: item(id: $n) { id } }`,
      {},
      'BAD_USER_INPUT',
    ],
    ['for its operation name', expensive, { operationName: 'B' }, 'OPERATION_RESOLUTION_FAILURE'],
    [
      'for its validation errors',
      (index: number) => `{ a${index}: item { nothing } }`,
      {},
      'GRAPHQL_VALIDATION_FAILED',
    ],
  ])('an operation rejected %s is cached neither as a document nor as a plan, behind Apollo Server or any other server', async (_, make, more, code) => {
    const { documentStore, analyzer, send, protect } = await serve();
    for (let index = 0; index < 20; index++) expect(await send(make(index), 'small', more)).toBe(code);
    expect(documentStore.count).toBe(0);
    expect(analyzer.cachedPlans().count).toBe(0);
    for (let index = 0; index < 20; index++) {
      const contextValue = { tier: 'small' };
      const asked = await protect({ query: make(index), contextValue, ...more });
      expect(asked.admitted || asked.answer.body.errors?.[0]?.extensions?.['code']).toBe(code);
    }
    expect(analyzer.cachedPlans().count).toBe(0);
  });

  it('an operation that an empty bucket denies is cached neither as a document nor as a plan', async () => {
    const { documentStore, analyzer, send } = await serve();
    for (let index = 0; index < 60; index++) await send(`{ a${index}: item { id } }`, 'small');
    expect(documentStore.count).toBe(50);
    expect(analyzer.cachedPlans().count).toBe(50);
  });

  it('a rejection for one caller evicts no operation that another caller may run', async () => {
    const { documentStore, analyzer, send } = await serve();
    expect(await send(expensive(1), 'large')).toBeUndefined();
    for (const more of [{}, { operationName: 'B' }]) await send(expensive(1), 'small', more);
    expect(documentStore.count).toBe(1);
    expect(analyzer.cachedPlans().count).toBe(1);
    const { built } = analyzer.plans;
    expect(await send(expensive(1), 'large')).toBeUndefined();
    expect(analyzer.plans.built).toBe(built);
  });
});

describe('names in memory', () => {
  it('the numbers that stand for operation names are kept up to a bound in bytes, however long the names are', async () => {
    const asked: number[] = [];
    const query = async (_sql: string, [types, names]: unknown[][]) => {
      asked.push(names!.length);
      return names!.map((name, index) => ({ id: index + 1, type: types![index], name }));
    };
    const numbers = createNameNumbers({ query } as unknown as Db, () => 0);
    const learn = (names: string[]) =>
      numbers.learn({
        subjects: [],
        coordinates: [],
        rules: [],
        operations: names.map((name) => ({ type: 'QUERY' as const, name })),
      });
    const long = (index: number) => `${index}`.padEnd(60_000, 'x');
    await learn(['short']);
    for (let index = 0; index < 200; index++) await learn([long(index)]);
    asked.length = 0;
    await learn([long(199)]);
    expect(asked).toEqual([]);
    // The 200 long names count as 24 MB, so the first names were evicted.
    await learn([long(0), 'short']);
    expect(asked).toEqual([2]);
  });

  it('a kept name is a copy of bounded length, and is stored like the whole name', () => {
    for (const name of ['Short', 'AnOperationWithALongName', 'x'.repeat(60_000), `${'é'.repeat(120)}`]) {
      const kept = keptName(name);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(200);
      expect(storedText(kept, 200)).toBe(storedText(name, 200));
    }
  });

  it('a kept name does not keep alive the text that it was read from', () => {
    const before = usedBytes();
    const names: string[] = [];
    for (let index = 0; index < 300; index++) {
      const text = `query AnOperationWithALongName${index} { item } #${String(index).padEnd(60_000, 'x')}`;
      const document: DocumentNode = parse(text);
      const [operation] = document.definitions;
      if (operation?.kind === 'OperationDefinition') names.push(keptName(operation.name!.value));
    }
    expect(usedBytes() - before).toBeLessThan(2 * MB);
    expect(names).toHaveLength(300);
  });
});

it('counters in memory do not keep long ids completely, and callers with different long ids share no counter', async () => {
  const limiter = createLimiter();
  const limits = [
    { id: 'l', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 5, windowMs: 3_600_000, cost: 1 },
  ] as const;
  const before = usedBytes();
  const user = (index: number) => `${'x'.repeat(500_000)}${index}`;
  for (let index = 0; index < 100; index++)
    await limiter.charge({ subject: { user: user(index) }, limits: [...limits] });
  expect(usedBytes() - before).toBeLessThan(5 * MB);
  for (let index = 0; index < 100; index++) {
    const [state] = await limiter.peek({ subject: { user: user(index) }, limits: [...limits] });
    expect(state!.used).toBe(1);
  }
  await limiter.close();
});

it('the charges of limits are cached up to a maximum number, however many limits and amounts there are', () => {
  const names = Array.from({ length: 1000 }, (_, i) => `Query.f${i}`);
  const policy = parsePolicy({
    tiers: [{ name: 'free', capacity: 10, refillAmount: 1, refillPeriodMs: 1000, isDefault: true }],
    rules: names.map((name) => ({
      name,
      scope: 'USER' as const,
      field: name,
      measure: 'CALLS' as const,
      limits: [{ algorithm: 'FIXED_WINDOW' as const, amount: 50, windowMs: 1000 }],
    })),
  });
  if (policy.problems) throw new Error(policy.problems.join());
  const ruleset = createRuleset({ ...policy, version: 1 });
  const binder = createChargeBinder<string>({ mode: 'ENFORCE' });
  const plans = names.map((name): MeasurablePlan<string> => {
    return { measure: (matches) => (matches !== 'OPERATION' && matches(name) ? name : '') };
  });
  const request = { subject: { user: 'ann', tenant: undefined, apiKey: undefined, ip: undefined }, root: 'ann' };
  function bindAll(calls: number): void {
    const priced = { measure: () => ({ cost: 0, calls }) } as never;
    const operation = { type: 'QUERY', name: undefined } as const;
    for (const plan of plans)
      binder.bind(plan, priced, calls, ruleset, ruleset.tier('free'), operation, request as never);
  }
  bindAll(1);
  const before = usedBytes();
  for (let calls = 2; calls < 70; calls++) bindAll(calls);
  for (let calls = 2; calls < 60; calls++) bindAll(calls);
  // Without the bound, the cache would occupy about 20 MB.
  expect(usedBytes() - before).toBeLessThan(4 * MB);
  expect(plans).toHaveLength(names.length);
});

it('compiled limits are cached up to a maximum number', async () => {
  const limiter = createLimiter();
  const charge = (index: number) =>
    limiter.charge({
      subject: { user: `u${index % 100}` },
      limits: [
        { id: `limit-${index}`, scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 5, windowMs: 1000 + index, cost: 1 },
      ],
    });
  for (let index = 0; index < 20_000; index++) await charge(index);
  const before = usedBytes();
  for (let index = 20_000; index < 80_000; index++) await charge(index);
  expect(usedBytes() - before).toBeLessThan(8 * MB);
  await limiter.close();
});

describe('names in the responses that the gateway has counted', () => {
  /** Returns a response with `names` names that no other response has. */
  const answer = (index: number, names: number) =>
    Buffer.from(
      JSON.stringify({ data: Object.fromEntries(Array.from({ length: names }, (_, i) => [`a${index}_${i}`, i])) }),
    );

  it('names in responses are kept up to a bound in bytes, however many documents use them', () => {
    const store = createSkimStore(2 * MB);
    const documents = Array.from({ length: 300 }, (_, index) => parse(`{ a${index} }`));
    const before = usedBytes();
    for (const [index, document] of documents.entries()) {
      expect(store.read(document, answer(index, 400))).toBeDefined();
    }
    expect(store.knownBytes).toBeLessThanOrEqual(2 * MB);
    expect(store.knownBytes).toBeGreaterThan(MB);
    // The size is an estimate. Without the bound the names would take some 60 MB.
    expect(usedBytes() - before).toBeLessThan(4 * MB);
    expect(documents.length).toBe(300);
  });

  it('names in responses are discarded with their document', async () => {
    const store = createSkimStore(2 * MB);
    const document = parse('{ a }');
    store.read(document, answer(0, 5));
    const ofOne = store.knownBytes;
    for (let index = 1; index < 10; index++) store.read(parse(`{ a${index} }`), answer(index, 5));
    expect(store.knownBytes).toBeGreaterThan(5 * ofOne);
    await until('the other documents are collected', () => {
      collect();
      return store.knownBytes === ofOne;
    });
    expect(store.read(document, answer(0, 5))).toBeDefined();
  });

  it('names in responses are cached again after they were evicted', () => {
    const store = createSkimStore(MB);
    const document = parse('{ a }');
    const twice = () => [store.read(document, answer(0, 5)), store.read(document, answer(0, 5))];
    const first = twice();
    for (let index = 1; index < 100; index++) store.read(parse(`{ a${index} }`), answer(index, 400));
    expect(twice()).toEqual(first);
    expect(store.knownBytes).toBeLessThanOrEqual(MB);
  });
});
