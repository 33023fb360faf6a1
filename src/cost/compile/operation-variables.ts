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

/**
 * Values of an operation's variables. They are available by index, and by name for functions of
 * graphql-js.
 */
export interface VariableValues {
  readonly values: readonly unknown[];
  byName(): Record<string, unknown>;
  /**
   * Returns the value as the caller sent it, before coercion. If the caller sent none, returns the
   * default in the operation, or undefined if there is none.
   */
  raw(name: string): unknown;
}

/** Variables that an operation defines, prepared for fast coercion. */
export interface OperationVariables {
  readonly schema: GraphQLSchema;
  readonly definitions: readonly VariableDefinitionNode[];
  /**
   * Variables in the order of the definitions. Undefined for a variable whose type does not exist.
   */
  readonly all: readonly (Variable | undefined)[];
  /** Index of each variable by name, built on first use. */
  index: Map<string, number> | undefined;
}

interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly isRequired: boolean;
  /**
   * Whether `Object.prototype` has a property of this name, such as `constructor`. A look-up must
   * then check that the property belongs to the object itself.
   */
  readonly isOnPrototype: boolean;
  readonly defaultValue: unknown;
  /**
   * Name of the type if it is one of the five scalars of the GraphQL specification. Undefined for
   * all other types.
   */
  readonly scalar: string | undefined;
}

/** Empty variables, for computing values that do not depend on variables. */
export const NO_VARIABLES: VariableValues = { values: [], byName: () => ({}), raw: () => undefined };

export function readOperationVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): OperationVariables {
  return { schema, definitions, all: definitions.map((each) => readVariable(schema, each)), index: undefined };
}

/** Returns the index of a variable among the definitions; -1 if it is not defined. */
export function indexOfVariable(variables: OperationVariables, name: string): number {
  variables.index ??= new Map(variables.definitions.map((each, at) => [each.variable.name.value, at]));
  return variables.index.get(name) ?? -1;
}

/**
 * Returns the coerced values, as execution would use them. An absent variable without a default has
 * the value undefined.
 * @throws CostError BAD_USER_INPUT for values that their types reject
 */
export function coerceVariables(
  variables: OperationVariables,
  given: Readonly<Record<string, unknown>>,
): VariableValues {
  const { all } = variables;
  // Allocate the array with its final length. An array that grows by `push` reserves memory for 17
  // elements.
  const values = new Array<unknown>(all.length);
  for (let i = 0; i < all.length; i++) {
    const variable = all[i];
    if (variable === undefined) throw rejectionOf(variables, given);
    const { name } = variable;
    const value = variable.isOnPrototype && !Object.hasOwn(given, name) ? undefined : given[name];
    let coerced: unknown;
    if (value === undefined || value === null) {
      coerced = value === undefined ? variable.defaultValue : null;
      if (variable.isRequired && (coerced === undefined || coerced === null)) throw rejectionOf(variables, given);
    } else {
      coerced = coerceValue(variable, value);
    }
    values[i] = coerced;
  }
  return new CoercedVariables(variables, values, given);
}

/**
 * Creates an error with the messages of graphql-js. The caller would receive the same messages from
 * execution.
 */
function rejectionOf({ schema, definitions }: OperationVariables, given: Readonly<Record<string, unknown>>): CostError {
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

/**
 * Coerces a value by the rules of graphql-js. Valid values of the specified scalars take a fast
 * path, because this function is called for every variable of every request.
 */
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
      // Stop at the first mistake. Each further mistake would create an error with a stack trace,
      // and 30,000 of them take half a second.
      throw invalidValue(variable, path, invalid, error);
    });
  } catch (error) {
    if (error instanceof CostError) throw error;
    // The value is nested so deeply that coercion overflows the stack, or the parser of a custom
    // scalar throws.
    throw invalidValue(variable, [], value, error);
  }
}

/**
 * Creates an error with the same wording as graphql-js. Calling graphql-js to create it would
 * coerce all values up to the mistake a second time.
 */
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
    return 'a value that cannot be printed';
  }
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}...` : text;
}

/**
 * Values of the variables of one request. It is a class because most requests call none of its
 * methods. Closures would take memory for each method and request.
 */
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
