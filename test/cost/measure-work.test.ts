import { buildSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { countCalls } from '../helpers/count-calls.js';

const FIELDS = Array.from({ length: 10 }, (_, at) => `f${at}`);
const USERS = 90;
const schema = buildSchema(
  `type Query { user(id: Int): User } type User { ${FIELDS.map((name) => `${name}: Int`).join(' ')} }`,
);
const document = parse(
  `{ ${Array.from({ length: USERS }, (_, at) => `a${at}: user(id: ${at}) { ${FIELDS.join(' ')} }`).join(' ')} }`,
);

// If a caller keeps sending new documents, Tollgate compiles the limits of every matching rule for
// each document. Therefore, this must take few steps.
it.each([
  ['a selected field', 'User.f3', USERS, 10],
  ['a field that is not selected', 'Other.field', 0, 2.5],
])('a limit on %s is compiled in few steps per field of an operation', async (_, limited, calls, mostSteps) => {
  const plan = createCostAnalyzer(schema).compile(document);
  const compile = () => plan.measure((coordinate) => coordinate === limited);
  expect(compile().estimate().calls).toBe(calls);
  const steps = await countCalls(async () => compile());
  expect(steps / (USERS * (FIELDS.length + 1))).toBeLessThan(mostSteps);
});
