import type { ArgumentNode, ValueNode } from 'graphql';
import type { InputModel } from '../schema/input-model.js';
import { literalOf } from '../values/coerce-input.js';
import { indexOfVariable, type OperationVariables, type VariableValues } from './operation-variables.js';

/** What an argument holds: a value known when the operation is compiled, a variable, or a literal with variables in it. */
export interface ArgumentValue {
  readonly input: InputModel;
  /** As the operation gives it; undefined: it has the schema's default, or is absent. */
  readonly node: ValueNode | undefined;
  /** Known beforehand; undefined: absent, or not known beforehand. */
  readonly constant: unknown;
  /** The variable it is, by place among the operation's definitions; -1: none. */
  readonly variable: number;
  /** Whether it is a literal that has variables in it. */
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

export function isConstant(argument: ArgumentValue): boolean {
  return argument.variable === -1 && !argument.isMixed;
}

/** The value as execution would see it; undefined: absent. A variable that is absent leaves the schema's default. */
export function argumentValue(argument: ArgumentValue, variables: VariableValues): unknown {
  if (argument.variable !== -1) {
    const value = variables.values[argument.variable];
    return value === undefined ? argument.input.defaultValue : value;
  }
  return argument.isMixed && argument.node
    ? literalValue(argument.node, argument.input, variables.byName())
    : argument.constant;
}

/** A literal that its type refuses counts as absent: validation and execution refuse it themselves. */
function literalValue(node: ValueNode, input: InputModel, variables?: Record<string, unknown>): unknown {
  try {
    return literalOf(node, input.type, variables);
  } catch {
    // A custom scalar's own parser.
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
