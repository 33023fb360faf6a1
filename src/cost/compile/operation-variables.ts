import {
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  getVariableValues,
  isInputType,
  isNonNullType,
  isScalarType,
  specifiedScalarTypes,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { coerceInput, literalOf } from '../values/coerce-input.js';
import { CostError } from '../values/cost-error.js';

/** The values of an operation's variables: by place, and by name as graphql-js wants them. */
export interface VariableValues {
  readonly values: readonly unknown[];
  byName(): Record<string, unknown>;
  /** As the caller sent it, or the operation's own default; undefined: absent. */
  raw(name: string): unknown;
}

/** The variables that an operation defines, made ready to be coerced quickly. */
export interface OperationVariables {
  readonly schema: GraphQLSchema;
  readonly definitions: readonly VariableDefinitionNode[];
  /** In the order of the definitions; undefined for one whose type does not exist. */
  readonly all: readonly (Variable | undefined)[];
  /** Built when first needed. */
  index: Map<string, number> | undefined;
}

interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly isRequired: boolean;
  /** Whether a plain look-up would find something on every object, such as `constructor`. */
  readonly isOnPrototype: boolean;
  readonly defaultValue: unknown;
  /** One of the five scalars of the specification, or undefined for what graphql-js has to coerce. */
  readonly scalar: string | undefined;
}

/** Without any variable: for what must be known beforehand. */
export const NO_VARIABLES: VariableValues = { values: [], byName: () => ({}), raw: () => undefined };

export function readOperationVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): OperationVariables {
  return { schema, definitions, all: definitions.map((each) => readVariable(schema, each)), index: undefined };
}

/** The place of a variable among the definitions; -1: not defined. */
export function indexOfVariable(variables: OperationVariables, name: string): number {
  variables.index ??= new Map(variables.definitions.map((each, at) => [each.variable.name.value, at]));
  return variables.index.get(name) ?? -1;
}

/**
 * Values as execution would see them; undefined for what is absent.
 * @throws CostError BAD_USER_INPUT for values that their types refuse
 */
export function coerceVariables(
  variables: OperationVariables,
  given: Readonly<Record<string, unknown>>,
): VariableValues {
  const { all } = variables;
  // Grown by `push` it would have room for 17.
  const values = new Array<unknown>(all.length);
  for (let i = 0; i < all.length; i++) {
    const variable = all[i];
    if (variable === undefined) throw refused(variables, given);
    const { name } = variable;
    const value = variable.isOnPrototype && !Object.hasOwn(given, name) ? undefined : given[name];
    let coerced: unknown;
    if (value === undefined || value === null) {
      coerced = value === undefined ? variable.defaultValue : null;
      if (variable.isRequired && (coerced === undefined || coerced === null)) throw refused(variables, given);
    } else {
      coerced = coerceValue(variable, value);
    }
    values[i] = coerced;
  }
  return new CoercedVariables(variables, values, given);
}

/** In the words of graphql-js, which the caller would meet anyway. */
function refused({ schema, definitions }: OperationVariables, given: Readonly<Record<string, unknown>>): CostError {
  const { errors = [] } = getVariableValues(schema, definitions, given, { maxErrors: 5 });
  const detail = errors.map((error) => error.message).join(' ') || 'they cannot be coerced to their types';
  return new CostError('BAD_USER_INPUT', detail, { nodes: errors[0]?.nodes, cause: errors[0] });
}

function readVariable(schema: GraphQLSchema, definition: VariableDefinitionNode): Variable | undefined {
  const type = typeFromAST(schema, definition.type);
  if (!isInputType(type)) return undefined;
  const name = definition.variable.name.value;
  const nullable = getNullableType(type);
  const isSpecified = isScalarType(nullable) && specifiedScalarTypes.includes(nullable);
  return {
    name,
    type,
    isRequired: isNonNullType(type),
    isOnPrototype: name in Object.prototype,
    defaultValue: definition.defaultValue && literalOf(definition.defaultValue, type),
    scalar: isSpecified ? nullable.name : undefined,
  };
}

/** The common cases by hand, as every request passes here; anything else as graphql-js does it. */
function coerceValue(variable: Variable, value: unknown): unknown {
  switch (variable.scalar) {
    case 'Int':
      if (typeof value === 'number' && (value | 0) === value) return value;
      break;
    case 'String':
    case 'ID':
      if (typeof value === 'string') return value;
      break;
    case 'Boolean':
      if (typeof value === 'boolean') return value;
      break;
    case 'Float':
      if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  try {
    return coerceInput(value, variable.type, (path, invalid, error) => {
      // The first mistake is the last: each is an error with a stack, and a list of 30,000 of them takes half a second.
      throw invalidValue(variable, path, invalid, error);
    });
  } catch (error) {
    if (error instanceof CostError) throw error;
    // A value nested so deeply that coercing it overflows the stack, or a custom scalar's parser that throws.
    throw invalidValue(variable, [], value, error);
  }
}

/** In the words of graphql-js, whose own function would coerce everything up to the mistake a second time. */
function invalidValue(
  { name }: Variable,
  path: readonly (string | number)[],
  value: unknown,
  cause: unknown,
): CostError {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  const at = place === '' ? '' : ` at "${name}${place}"`;
  const why = cause instanceof GraphQLError ? cause.message : 'it cannot be coerced to its type';
  const detail = `Variable "$${name}" got invalid value ${textOf(value)}${at}; ${why}`;
  return new CostError('BAD_USER_INPUT', detail, { cause });
}

const MAX_TEXT_LENGTH = 100;

function textOf(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    return 'that cannot be shown';
  }
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}...` : text;
}

/** A class, as one is made for every request and most requests call none of its methods. */
class CoercedVariables implements VariableValues {
  readonly #variables: OperationVariables;
  readonly values: readonly unknown[];
  readonly #given: Readonly<Record<string, unknown>>;

  constructor(variables: OperationVariables, values: readonly unknown[], given: Readonly<Record<string, unknown>>) {
    this.#variables = variables;
    this.values = values;
    this.#given = given;
  }

  byName(): Record<string, unknown> {
    const result: Record<string, unknown> = Object.create(null);
    for (const [index, variable] of this.#variables.all.entries()) {
      if (variable && this.values[index] !== undefined) result[variable.name] = this.values[index];
    }
    return result;
  }

  raw(name: string): unknown {
    if (Object.hasOwn(this.#given, name) && this.#given[name] !== undefined) return this.#given[name];
    return this.values[indexOfVariable(this.#variables, name)];
  }
}
