import { buildSchema, execute } from 'graphql';
import { expect, it } from 'vitest';
import { type BatchPlace, createBatch } from '../../src/index.js';
import { ReportedCost, withReported } from '../../src/protection/reported-cost.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

const schema = buildSchema('type Query { ask: Answer } type Answer { text: String }');

function report() {
  const unknown: string[] = [];
  return { unknown, cost: new ReportedCost(schema, (coordinate) => unknown.push(coordinate)) };
}

it.each([
  Number.NaN,
  -1,
  Number.NEGATIVE_INFINITY,
  '5',
  undefined,
  null,
])('a cost of %s is an error that names the argument, and changes nothing', (tokens) => {
  const { cost } = report();
  cost.addCost(3);
  expect(() => cost.addCost(tokens as number)).toThrow(/^addCost: tokens: expected a number from 0 to 2147483647, got/);
  expect(cost.take().total).toBe(3);
});

it('fractions are rounded up, and a huge cost is capped', () => {
  const { cost } = report();
  cost.addCost(0.2);
  cost.addCost(0);
  expect(cost.take().total).toBe(1);
  cost.addCost(Number.POSITIVE_INFINITY);
  cost.addCost(1e300);
  expect(cost.take().total).toBe(2 ** 31 - 2);
  cost.addCost(1);
  expect(cost.take().total).toBe(0);
});

it('a cost of an unknown field counts for the operation, and is reported', () => {
  const { cost, unknown } = report();
  for (const field of ['Query.ask', 'Answer.txt', 'Query', 'Nothing.ask', 'Query.ask.text', 'Query.toString']) {
    cost.addCost(1, { field });
  }
  cost.addCost(1, { field: 5 as never });
  expect(cost.take()).toEqual({ total: 7, byField: new Map([['Query.ask', 1]]) });
  expect(unknown).toEqual(['Answer.txt', 'Query', 'Nothing.ask', 'Query.ask.text', 'Query.toString', '5']);
});

it('the cost of a field is added to its sums for usage', () => {
  const fields = { coordinates: ['Query.ask'], calls: [1], costs: [2] };
  const byField = new Map([
    ['Query.ask', 5],
    ['Answer.text', 4],
  ]);
  const spent = withReported({ cost: 2, byLimit: {}, fields, response: undefined }, [], { total: 12, byField });
  expect(spent).toMatchObject({
    cost: 14,
    fields: { coordinates: ['Query.ask', 'Answer.text'], calls: [1, 0], costs: [7, 4] },
  });
  expect(fields.costs).toEqual([2]);
});

it('the operations of a batch are charged the maximum cost if their reported costs exceed it together', async () => {
  const errors: unknown[] = [];
  const tollgate = await createTollgate<{ batchPlace: BatchPlace }>({
    schema,
    identify: () => ({ user: 'ann' }),
    batchPlace: ({ batchPlace }) => batchPlace,
    logger: { info() {}, warn() {}, error: (...parts) => errors.push(parts) },
  });
  await Promise.all(
    createBatch(2).map(async (batchPlace) => {
      const contextValue = { batchPlace };
      const asked = await tollgate.protect({ query: '{ ask { text } }', contextValue });
      if (!asked.admitted) throw new Error('expected an admitted operation');
      await asked.run((document) => {
        asked.addCost(2 ** 31 - 1);
        return execute({ schema, document, contextValue });
      });
    }),
  );
  const used = async () => (await tollgate.quota({ user: 'ann' })).map((limit) => limit.remaining);
  await expect.poll(used).toEqual([0]);
  expect(errors).toEqual([]);
  await tollgate.close();
});
