import {
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type TypeNode,
  typeFromAST,
  validate,
} from 'graphql';
import type { CostAnalyzer } from '../cost/create-cost-analyzer.js';

/** Price of a registered document on a schema. */
export interface DocumentPrice {
  /** Reasons why the document is invalid on the schema; empty if it is valid. */
  readonly errors: readonly string[];
  /**
   * Largest cost of any request with the document, in tokens. With more than `MAX_FLAGS` Boolean
   * variables, a combination that is not priced may cost more. Null if the document is invalid, or
   * if a variable without a maximum sizes a list.
   */
  readonly worstCase: number | null;
  /** Names of the variables without a maximum that size lists. */
  readonly unbounded: readonly string[];
}

const MAX_ERRORS = 3;
const LARGEST_INT = 2_147_483_647;
/** Length of a list that is longer than every maximum of a schema. */
const LONG_LIST = 10_000;
/** Maximum number of Boolean variables whose combinations are all priced. */
const MAX_FLAGS = 4;

/** Checks and prices a document. Never throws. */
export function priceDocument(text: string, schema: GraphQLSchema, analyzer: CostAnalyzer): DocumentPrice {
  let document: DocumentNode;
  try {
    document = parse(text);
  } catch (error) {
    return invalid([messageOf(error)]);
  }
  const errors = validate(schema, document, undefined, { maxErrors: MAX_ERRORS, hideSuggestions: true });
  if (errors.length > 0) return invalid(errors.slice(0, MAX_ERRORS).map(messageOf));
  let worstCase: number | null = 0;
  const unbounded = new Set<string>();
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
    try {
      const priced = priceOperation(document, operation, schema, analyzer);
      for (const name of priced.unbounded) unbounded.add(name);
      worstCase = worstCase === null || priced.worstCase === null ? null : Math.max(worstCase, priced.worstCase);
    } catch (error) {
      return invalid([messageOf(error)]);
    }
  }
  return { errors: [], worstCase, unbounded: [...unbounded] };
}

function invalid(errors: readonly string[]): DocumentPrice {
  return { errors, worstCase: null, unbounded: [] };
}

function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof GraphQLError ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

type Values = Record<string, unknown>;

function priceOperation(
  document: DocumentNode,
  { name, variableDefinitions = [] }: OperationDefinitionNode,
  schema: GraphQLSchema,
  analyzer: CostAnalyzer,
): { worstCase: number | null; unbounded: string[] } {
  const plan = analyzer.compile(document, name?.value ?? null);
  const costOf = (values: Values) => plan.estimate(values).cost;
  const values: Values = {};
  const flags: string[] = [];
  for (const { variable, type } of variableDefinitions) {
    const inputType = typeFromAST(schema, type as TypeNode & { kind: Kind.NAMED_TYPE }) as GraphQLInputType;
    values[variable.name.value] = placeholderOf(inputType);
    if (String(inputType).replace('!', '') === 'Boolean') flags.push(variable.name.value);
  }
  const unbounded: string[] = [];
  for (const { variable, type } of variableDefinitions) {
    const name = variable.name.value;
    const inputType = typeFromAST(schema, type as TypeNode & { kind: Kind.NAMED_TYPE }) as GraphQLInputType;
    const large = largeValueOf(inputType);
    if (large === undefined) continue;
    const small = costOf(values);
    const bound = boundOf(() => costOf({ ...values, [name]: large }), small);
    if (bound === 'UNBOUNDED') unbounded.push(name);
    else if (bound !== 'NO_SIZE') values[name] = Array.isArray(large) ? large.slice(0, bound) : bound;
  }
  if (unbounded.length > 0) return { worstCase: null, unbounded };
  return { worstCase: Math.max(...combinationsOf(flags).map((given) => costOf({ ...values, ...given }))), unbounded };
}

/** Returns the largest allowed size of a list, from the error of a size that is too large. */
function boundOf(cost: () => number, small: number): number | 'UNBOUNDED' | 'NO_SIZE' {
  try {
    return cost() === small ? 'NO_SIZE' : 'UNBOUNDED';
  } catch (error) {
    const { extensions } = error as { extensions?: { code?: unknown; maximumSize?: unknown } };
    if (extensions?.code === 'MAX_LIST_SIZE_EXCEEDED' && typeof extensions.maximumSize === 'number')
      return extensions.maximumSize;
    throw error;
  }
}

/** Returns a value that sizes a list to the largest size; undefined if the type sizes no list. */
function largeValueOf(type: GraphQLInputType): unknown {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isScalarType(inner) && inner.name === 'Int') return LARGEST_INT;
  if (isListType(inner)) return new Array(LONG_LIST).fill(placeholderOf(inner.ofType as GraphQLInputType));
  return undefined;
}

/** Returns a value that the type accepts, and that sizes a list to one object. */
function placeholderOf(type: GraphQLInputType): unknown {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner)) return [placeholderOf(inner.ofType as GraphQLInputType)];
  if (isEnumType(inner)) return inner.getValues()[0]?.name;
  if (isInputObjectType(inner)) {
    const required = Object.values(inner.getFields()).filter(
      (field) => isNonNullType(field.type) && field.defaultValue === undefined,
    );
    const given = required.length === 0 && inner.isOneOf ? Object.values(inner.getFields()).slice(0, 1) : required;
    return Object.fromEntries(given.map((field) => [field.name, placeholderOf(field.type)]));
  }
  const { name } = inner as { name: string };
  if (name === 'Int') return 1;
  if (name === 'Float') return 1;
  if (name === 'Boolean') return true;
  return '1';
}

/** Returns the values of Boolean variables to price: all combinations, if there are few. */
function combinationsOf(flags: readonly string[]): Values[] {
  const all = (value: boolean) => Object.fromEntries(flags.map((name) => [name, value]));
  if (flags.length > MAX_FLAGS) return [all(true), all(false)];
  return flags.reduce<Values[]>(
    (combinations, name) =>
      combinations.flatMap((one) => [
        { ...one, [name]: true },
        { ...one, [name]: false },
      ]),
    [{}],
  );
}
