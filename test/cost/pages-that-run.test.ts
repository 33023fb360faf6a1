import { type ExecutionResult, execute, parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { objectsIn } from './reference/objects-in.js';
import { createRandom } from './reference/random.js';
import { type PageApi, randomPageApi } from './reference/random-page-api.js';

/**
 * To repeat a run, set COST_SEED to the seed that the run printed. CASES=50 executes 20,000
 * operations.
 */
const seed = Number(process.env['COST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
const EXECUTIONS = 400 * Number(process.env['CASES'] ?? 1);
const DEFAULT_LIST_SIZE = 10;
const MUTATION = 10;

function forEachExecution(
  isGenerous: boolean,
  check: (numbers: { estimate: number; actual: number; ran: number }, api: PageApi, context: string) => void,
): void {
  process.stdout.write(`executed pages: COST_SEED=${seed}\n`);
  for (let at = 0; at < EXECUTIONS / 2; at++) {
    const random = createRandom(seed + at);
    const api = randomPageApi({ random, defaultListSize: DEFAULT_LIST_SIZE, isGenerous });
    const { schema, variables, query, sdl, isMutation } = api;
    const context = `${query}\n${JSON.stringify(variables)}\n${sdl}`;
    const document = parse(query);
    expect(validate(schema, document), context).toEqual([]);
    const plan = createCostAnalyzer(schema, { minimumCost: 0 }).compile(document);
    const result = execute({
      schema,
      document,
      variableValues: variables,
      rootValue: {},
      fieldResolver: api.resolve,
    }) as ExecutionResult;
    expect(result.errors, context).toBeUndefined();
    const data = JSON.parse(JSON.stringify(result.data)) as Record<string, unknown>;
    const ran = objectsIn(data) - 1 + (isMutation ? MUTATION : 0);
    check({ estimate: plan.estimate(variables).cost, actual: plan.actual(variables, data).cost, ran }, api, context);
  }
}

it('the estimate of a page or payload is at least the executed cost, and the actual cost equals the executed cost', () => {
  forEachExecution(false, ({ estimate, actual, ran }, _, context) => {
    expect(estimate, context).toBeGreaterThanOrEqual(ran);
    expect(actual, context).toBe(ran);
  });
}, 600_000);

it('the estimate of a page equals the executed cost if the server returns all requested items', () => {
  let compared = 0;
  forEachExecution(true, ({ estimate, ran }, { asked, isMutation }, context) => {
    expect(estimate, context).toBeGreaterThanOrEqual(ran);
    // In some APIs, a list of inputs is a filter. Therefore a short list of inputs never makes the
    // estimated size of a list smaller than the default, and the estimate exceeds the executed
    // cost.
    if (isMutation && (asked ?? 0) < DEFAULT_LIST_SIZE) return;
    expect(estimate, context).toBe(ran);
    compared++;
  });
  expect(compared).toBeGreaterThan(50);
}, 600_000);
