import { refuseMistakes } from '../../model/options/check-options.js';
import type { OperationType } from '../../model/rule.js';
import { type FieldPattern, parseFieldPattern } from './field-pattern.js';
import type { OperationFacts } from './rule-index.js';

/** Which operations a pool takes: those that one of these matches. */
export interface PoolPatterns {
  /** `QUERY`, `MUTATION`, `SUBSCRIPTION`. */
  operationTypes?: readonly OperationType[];
  /** Names of operations; `*` stands for any number of characters. Clients choose these names. */
  operationNames?: readonly string[];
  /** `Type.field`, `Type.*`, `*.field` or `*`, as in rules. */
  fields?: readonly string[];
}

export interface NamedPatterns extends PoolPatterns {
  name: string;
}

/** The pool of an operation. */
export interface MatchedPool {
  readonly name: string;
  /** Its place among the pools: the first one that matches takes an operation, or a batch. */
  readonly order: number;
}

/** Undefined: it is in none, and the default Redis decides. */
export type PoolOf = (operation: OperationFacts) => MatchedPool | undefined;

const OPERATION_TYPES: readonly string[] = ['QUERY', 'MUTATION', 'SUBSCRIPTION'] satisfies OperationType[];
const NAME_GLOB = /^[_0-9A-Za-z*]{1,200}$/;

/** What is wrong with the patterns of a pool: one line each. */
export function findPatternProblems({ operationTypes = [], operationNames = [], fields = [] }: PoolPatterns): string[] {
  const problems: string[] = [];
  const refuse = (what: string, expected: string, got: string) =>
    problems.push(`${what}: expected ${expected}, got ${JSON.stringify(got)}`);
  for (const type of operationTypes) {
    if (!OPERATION_TYPES.includes(type)) refuse('operation type', `one of ${OPERATION_TYPES.join(', ')}`, type);
  }
  for (const name of operationNames) {
    if (!NAME_GLOB.test(name)) refuse('operation name', 'a name, in which * stands for any characters', name);
  }
  for (const field of fields) {
    if (!parseFieldPattern(field)) refuse('field', 'Type.field, Type.*, *.field or *', field);
  }
  if (operationTypes.length + operationNames.length + fields.length === 0) {
    problems.push('expected a pattern: the type, the name or a field of operations. Got none');
  }
  return problems;
}

/**
 * Finds the pool of an operation: the first of them, in their order, that one of its patterns matches. To be asked once
 * for each compiled operation.
 *
 * @throws TypeError that lists every mistake in the patterns
 */
export function createPoolFinder(pools: readonly NamedPatterns[]): PoolOf {
  refuseMistakes('pools', findPoolMistakes(pools));
  const prepared = pools.map(({ name, operationTypes = [], operationNames = [], fields = [] }, order) => ({
    pool: { name, order },
    operationTypes,
    operationNames,
    fields: fields.map((field) => parseFieldPattern(field) as FieldPattern),
  }));
  return ({ type, name, coordinates }) =>
    prepared.find(
      ({ operationTypes, operationNames, fields }) =>
        operationTypes.includes(type) ||
        (name !== undefined && operationNames.some((glob) => matchesGlob(glob, name))) ||
        fields.some((field) => field.wholeOperation || coordinates.some(field.matches)),
    )?.pool;
}

/** What is wrong with the patterns of pools, and with their names side by side: one line each. */
export function findPoolMistakes(pools: readonly NamedPatterns[]): string[] {
  const names = pools.map(({ name }) => name);
  const several = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [
    ...pools.flatMap((pool) => findPatternProblems(pool).map((problem) => `pools.${pool.name}: ${problem}`)),
    ...[...several].map((name) => `pools.${name}: expected once, got it several times`),
  ];
}

/** No regular expression: each piece between stars is looked for once, from left to right. */
export function matchesGlob(glob: string, text: string): boolean {
  const [head = '', ...rest] = glob.split('*');
  const tail = rest.pop();
  if (tail === undefined) return glob === text;
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  const end = text.length - tail.length;
  let at = head.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
