import type { ArgumentNode, ValueNode } from 'graphql';
import type { InputModel } from '../schema/input-model.js';
import { literalOf } from '../values/coerce-input.js';
import { indexOfVariable, type OperationVariables, type VariableValues } from './operation-variables.js';

/**
 * Value of an argument: a value known at compile time, a variable, or a literal that contains
 * variables.
 */
export interface ArgumentValue {
  readonly input: InputModel;
  /** Value in the operation. Undefined if the operation does not set the argument. */
  readonly node: ValueNode | undefined;
  /**
   * Value known at compile time: that in the operation, or else the schema's default. Undefined if
   * there is none, or if the value depends on variables.
   */
  readonly constant: unknown;
  /** Index of the variable among the operation's definitions; -1 if the value is not a variable. */
  readonly variable: number;
  /** Whether the value is a literal that contains variables. */
  readonly isMixed: boolean;
}

export function readArgument(
  input: InputModel,
  nodes: readonly ArgumentNode[] | undefined,
  variables: OperationVariables,
): ArgumentValue {
  const node = nodes?.find((each) => each.name.value === input.name);
  if (node === undefined) return known(input, undefined, input.defaultValue);
  const { value } = node;
  switch (value.kind) {
    case 'Variable': {
      const variable = indexOfVariable(variables, value.name.value);
      if (variable === -1) return known(input, undefined, input.defaultValue);
      return { input, node: value, constant: undefined, variable, isMixed: false };
    }
    case 'NullValue':
      return known(input, value, null);
    case 'ListValue':
    case 'ObjectValue':
      if (hasVariable(value)) return { input, node: value, constant: undefined, variable: -1, isMixed: true };
  }
  return known(input, value, literalValue(value, input));
}

function known(input: InputModel, node: ValueNode | undefined, constant: unknown): ArgumentValue {
  return { input, node, constant, variable: -1, isMixed: false };
}

/** Returns whether the value is known at compile time. It may be known to be absent. */
export function isConstant(argument: ArgumentValue): boolean {
  return argument.variable === -1 && !argument.isMixed;
}

/**
 * Returns the value that the resolver would receive; undefined if it is absent. If the variable of
 * the argument is absent, the value is the schema's default.
 */
export function argumentValue(argument: ArgumentValue, variables: VariableValues): unknown {
  if (argument.variable !== -1) {
    const value = variables.values[argument.variable];
    return value === undefined ? argument.input.defaultValue : value;
  }
  return argument.isMixed && argument.node
    ? literalValue(argument.node, argument.input, variables.byName())
    : argument.constant;
}

/**
 * Returns the value of a literal. A literal that does not match its type counts as absent. Its
 * operation is rejected by validation or execution anyway.
 */
function literalValue(node: ValueNode, input: InputModel, variables?: Record<string, unknown>): unknown {
  try {
    return literalOf(node, input.type, variables);
  } catch {
    // The parser of a custom scalar can throw.
    return undefined;
  }
}

function hasVariable(node: ValueNode): boolean {
  switch (node.kind) {
    case 'Variable':
      return true;
    case 'ListValue':
      return node.values.some(hasVariable);
    case 'ObjectValue':
      return node.fields.some((field) => hasVariable(field.value));
    default:
      return false;
  }
}
