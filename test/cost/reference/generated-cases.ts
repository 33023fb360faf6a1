import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type DocumentNode,
  type GraphQLSchema,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type CostAnalyzer, createCostAnalyzer } from '../../../src/cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../../src/cost/settings/cost-analyzer-options.js';
import { CostError } from '../../../src/cost/values/cost-error.js';
import { createRandom, type Random } from './random.js';
import { randomOperation } from './random-operation.js';
import { randomSchema } from './random-schema.js';
import { SlicingArgumentError } from './reference-cost.js';

const directives = readFileSync(new URL('../../../schema/directives.graphql', import.meta.url), 'utf8');

/** To repeat a run, set COST_SEED to the seed that the run printed. */
const seed = Number(process.env['COST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
process.stdout.write(`generated operations: COST_SEED=${seed}\n`);

/**
 * Factor for the number of cases. Each run has different cases. CASES=10 is for a thorough check of
 * a change.
 */
const CASES = Number(process.env['CASES'] ?? 1);

export const DEFAULT_LIST_SIZE = 3;
const CASES_PER_SCHEMA = 60;

/** Fragments and variables that a generated operation happens not to use are harmless. */
const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule && rule !== NoUnusedVariablesRule);

export interface GeneratedCase {
  schema: GraphQLSchema;
  document: DocumentNode;
  variables: Record<string, unknown>;
  random: Random;
  /** Returns the analyzer for these options. It is created once for a schema, as on a server. */
  analyzer(options: CostAnalyzerOptions): CostAnalyzer;
  /** Description of the case for failure messages. */
  context: string;
}

/**
 * Removes `@listSize` from fields where it contradicts the schema. With such annotations,
 * `createTollgate` fails.
 */
export function withoutContradictions(sdl: string): string {
  const analyzer = createCostAnalyzer(buildSchema(`${directives}\n${sdl}`));
  const wrong = new Set(
    analyzer.check().flatMap(({ severity, coordinate }) => (severity === 'error' ? [coordinate] : [])),
  );
  if (wrong.size === 0) return sdl;
  let type = '';
  const lines = sdl.split('\n').map((line) => {
    type = /^(?:type|interface) (\w+)/.exec(line)?.[1] ?? type;
    const field = /^\s*(\w+)/.exec(line)?.[1];
    return wrong.has(`${type}.${field}`) ? line.replace(/ @listSize\([^)]*\)/, '') : line;
  });
  const rest = lines.join('\n');
  if (rest === sdl) throw new Error(`no @listSize to remove from ${[...wrong]}`);
  // Without the annotation, a field may inherit another one that contradicts too.
  return withoutContradictions(rest);
}

export function isValid(schema: GraphQLSchema, document: DocumentNode): boolean {
  return validate(schema, document, rules, { maxErrors: 1 }).length === 0;
}

/**
 * Returns whether an operation obeys the only validation rule that generated operations break.
 * Checking all other rules would double the duration of the tests.
 */
export function canBeMerged(schema: GraphQLSchema, document: DocumentNode): boolean {
  return validate(schema, document, [OverlappingFieldsCanBeMergedRule], { maxErrors: 1 }).length === 0;
}

/**
 * Runs `check` on valid generated operations of this number of schemas. Returns the number of
 * operations.
 */
export function forEachCase(
  schemas: number,
  check: (each: GeneratedCase) => void,
  rewriteSdl = (sdl: string): string => sdl,
): number {
  let cases = 0;
  for (let s = 0; s < schemas * CASES; s++) {
    const random = createRandom(seed + s);
    const sdl = rewriteSdl(randomSchema(random));
    const schema = buildSchema(`${directives}\n${sdl}`);
    const analyzers = new Map<string, CostAnalyzer>();
    const analyzer = (options: CostAnalyzerOptions): CostAnalyzer => {
      const key = JSON.stringify(options);
      const found = analyzers.get(key) ?? createCostAnalyzer(schema, options);
      analyzers.set(key, found);
      return found;
    };
    for (let made = 0, tries = 0; made < CASES_PER_SCHEMA && tries < CASES_PER_SCHEMA * 5; tries++) {
      const { text, variables } = randomOperation(random, schema);
      const document = parse(text);
      if (!canBeMerged(schema, document)) continue;
      made++;
      cases++;
      check({
        schema,
        document,
        variables,
        random,
        analyzer,
        context: `${text}\n${JSON.stringify(variables)}\n${sdl}`,
      });
    }
  }
  return cases;
}

/** Returns a price, or the code with which the operation is rejected. */
export function outcome<T>(price: () => T): T | string {
  try {
    return price();
  } catch (error) {
    if (error instanceof SlicingArgumentError) return 'COST_SLICING_ARGUMENT';
    if (error instanceof CostError) return error.code;
    throw error;
  }
}
