import {
  coerceInputValue,
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
  valueFromAST,
} from 'graphql';
import type { VariableValues } from './argument-value.js';
import { CostError } from './cost-error.js';

/** The variables that an operation defines, made ready to be coerced quickly. */
export interface OperationVariables {
  readonly names: readonly string[];
  /** The place of a variable among the definitions; -1: not defined. */
  indexOf(name: string): number;
  /**
   * Values as execution would see them; undefined for what is absent.
   * @throws CostError BAD_USER_INPUT for values that their types refuse
   */
  coerce(variables: Readonly<Record<string, unknown>>): VariableValues;
  /** Without any variable: for what must be known beforehand. */
  readonly none: VariableValues;
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

const INVALID = Symbol('invalid');
const NO_VARIABLES: VariableValues = { values: [], byName: () => ({}), raw: () => undefined };

export function readOperationVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): OperationVariables {
  if (definitions.length === 0) {
    return { names: [], indexOf: () => -1, coerce: () => NO_VARIABLES, none: NO_VARIABLES };
  }
  const variables = definitions.map((definition) => readVariable(schema, definition));
  const names = definitions.map((definition) => definition.variable.name.value);

  function refuse(given: Readonly<Record<string, unknown>>): never {
    const { errors = [] } = getVariableValues(schema, definitions, given, { maxErrors: 5 });
    const detail = errors.map((error) => error.message).join(' ') || 'they cannot be coerced to their types';
    throw new CostError('BAD_USER_INPUT', detail, { nodes: errors[0]?.nodes, cause: errors[0] });
  }

  function coerce(given: Readonly<Record<string, unknown>>): VariableValues {
    const values: unknown[] = [];
    for (const variable of variables) {
      if (variable === undefined) refuse(given);
      const { name } = variable;
      const value = variable.isOnPrototype && !Object.hasOwn(given, name) ? undefined : given[name];
      let coerced: unknown;
      if (value === undefined || value === null) {
        coerced = value === undefined ? variable.defaultValue : null;
        if (variable.isRequired && (coerced === undefined || coerced === null)) refuse(given);
      } else {
        coerced = coerceValue(variable, value);
        if (coerced === INVALID) refuse(given);
      }
      values.push(coerced);
    }
    return createVariableValues(names, values, given);
  }

  const index = new Map(names.map((name, at) => [name, at]));
  return {
    names,
    indexOf: (name) => index.get(name) ?? -1,
    coerce,
    none: createVariableValues(names, [], {}),
  };
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
    defaultValue: definition.defaultValue && valueFromAST(definition.defaultValue, type),
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
  let isValid = true;
  try {
    const coerced = coerceInputValue(value, variable.type, () => {
      isValid = false;
    });
    return isValid ? coerced : INVALID;
  } catch {
    // A value nested so deeply that coercing it overflows the stack, or a custom scalar's parser that throws.
    return INVALID;
  }
}

function createVariableValues(
  names: readonly string[],
  values: readonly unknown[],
  given: Readonly<Record<string, unknown>>,
): VariableValues {
  return new CoercedVariables(names, values, given);
}

/** A class, as one is made for every request and most requests call none of its methods. */
class CoercedVariables implements VariableValues {
  readonly #names: readonly string[];
  readonly values: readonly unknown[];
  readonly #given: Readonly<Record<string, unknown>>;

  constructor(names: readonly string[], values: readonly unknown[], given: Readonly<Record<string, unknown>>) {
    this.#names = names;
    this.values = values;
    this.#given = given;
  }

  byName(): Record<string, unknown> {
    const result: Record<string, unknown> = Object.create(null);
    for (const [index, name] of this.#names.entries()) {
      if (this.values[index] !== undefined) result[name] = this.values[index];
    }
    return result;
  }

  raw(name: string): unknown {
    if (Object.hasOwn(this.#given, name) && this.#given[name] !== undefined) return this.#given[name];
    return this.values[this.#names.indexOf(name)];
  }
}
