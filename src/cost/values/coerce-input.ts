import * as graphql from 'graphql';
import {
  coerceInputValue,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLError,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getArgumentValues,
  type ValueNode,
  valueFromAST,
} from 'graphql';

// graphql 17 has other coercion functions than graphql 16, and does not coerce default values in
// advance. This module uses the new functions if they exist. In graphql 17, the functions with the
// old names ignore these defaults and reject no value.

type ByName = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** Variable values in the form of graphql 17. */
interface VariableValues17 {
  readonly sources: ByName;
  readonly coerced: ByName;
}

interface Functions17 {
  coerceInputLiteral(node: ValueNode, type: GraphQLInputType, variables?: VariableValues17): unknown;
  coerceInputValue(value: unknown, type: GraphQLInputType): unknown;
  validateInputValue(value: unknown, type: GraphQLInputType, onError: (error: GraphQLError, path: Path) => void): void;
  getArgumentValues(
    definition: GraphQLField<unknown, unknown>,
    node: FieldNode,
    variables: VariableValues17,
  ): Record<string, unknown>;
}

const in17 = 'validateInputValue' in graphql ? (graphql as unknown as Functions17) : undefined;

/** Returns the coerced default of an argument or input field, or undefined if it has none. */
export function defaultValueOf(input: GraphQLArgument | GraphQLInputField): unknown {
  if (in17 === undefined || input.defaultValue !== undefined) return input.defaultValue;
  const { default: written } = input as { default?: { literal?: ValueNode; value?: unknown } };
  if (written === undefined) return undefined;
  return written.literal === undefined
    ? in17.coerceInputValue(written.value, input.type)
    : in17.coerceInputLiteral(written.literal, input.type);
}

/**
 * Coerces an input value to its type.
 * @param onError receives one mistake at a time, and throws
 */
export function coerceInput(
  value: unknown,
  type: GraphQLInputType,
  onError: (path: Path, invalid: unknown, error: GraphQLError) => never,
): unknown {
  if (in17 === undefined) return coerceInputValue(value, type, onError);
  const coerced = in17.coerceInputValue(value, type);
  if (coerced !== undefined) return coerced;
  in17.validateInputValue(value, type, (error, path) => onError(path, valueAt(value, path), error));
  // Coercion rejected the value, but the validation found no mistake.
  return onError([], value, new graphql.GraphQLError('it cannot be coerced to its type'));
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | null)?.[key], value);
}

/** Returns the value of a literal, or undefined if its type rejects it. */
export function literalOf(node: ValueNode, type: GraphQLInputType, variables?: Record<string, unknown>): unknown {
  if (in17 === undefined) return valueFromAST(node, type, variables);
  return in17.coerceInputLiteral(node, type, variables && { sources: {}, coerced: variables });
}

/**
 * Returns the argument values of a field.
 * @throws GraphQLError for arguments that execution rejects
 */
export function argumentValuesOf(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Record<string, unknown>,
): Record<string, unknown> {
  if (in17 === undefined) return getArgumentValues(definition, node, variables);
  return in17.getArgumentValues(definition, node, { sources: variables, coerced: variables });
}
