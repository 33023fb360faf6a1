import type { FieldNode, ValueNode } from 'graphql';
import { MAX_AMOUNT } from './annotations.js';
import { type ArgumentValue, argumentValue, isConstant, readArgument, type VariableValues } from './argument-value.js';
import type { FieldModel, SlicingPath } from './schema-model.js';

/** The size of a list that depends on variables: read once per request, however many places use it. */
export interface ListSizeSlot {
  readonly index: number;
  readonly model: FieldModel;
  readonly sources: readonly SizeSource[];
}

export interface SizeSource {
  readonly path: SlicingPath;
  readonly argument: ArgumentValue;
}

export interface ListSizeReading {
  size: number;
  /** Not exactly one slicing argument, where exactly one is wanted. */
  violates: boolean;
  /** Where the size came from; undefined: assumed or fallen back to. */
  source: SizeSource | undefined;
}

export function readSizeSources(
  model: FieldModel,
  node: FieldNode,
  variableIndex: (name: string) => number,
): SizeSource[] {
  return model.slicing.map((path) => ({ path, argument: readArgument(path.argument, node.arguments, variableIndex) }));
}

export function areConstant(sources: readonly SizeSource[]): boolean {
  return sources.every(({ argument }) => isConstant(argument));
}

/** The largest of the slicing arguments present; else what the schema assumes; else the default. */
export function readListSize(
  model: FieldModel,
  sources: readonly SizeSource[],
  variables: VariableValues,
): ListSizeReading {
  let size = -1;
  let source: SizeSource | undefined;
  let given = 0;
  let hasDefault = false;
  for (const each of sources) {
    const { path, argument } = each;
    const value = argumentValue(argument, variables);
    const amount = toAmount(path.below.length === 0 ? value : valueAt(value, path.below));
    if (path.hasDefault) hasDefault = true;
    if (amount === undefined) continue;
    if (isGivenByOperation(each, variables)) given++;
    if (amount > size) {
      size = amount;
      source = each;
    }
  }
  const violates = model.requireOneSlicingArgument && sources.length > 0 && (given > 1 || (given === 0 && !hasDefault));
  return { size: size === -1 ? model.fallbackSize : size, violates, source };
}

/** Whether the value came from the operation or its variables, and not from a default of the schema. */
function isGivenByOperation({ path, argument }: SizeSource, variables: VariableValues): boolean {
  if (argument.variable !== -1 && variables.values[argument.variable] === undefined) return false;
  return argument.node !== undefined && (path.below.length === 0 || isWritten(argument.node, path.below, variables));
}

/** Whether a path is spelled out: coerced input objects no longer tell a value that was given from a default. */
function isWritten(node: ValueNode, path: readonly string[], variables: VariableValues): boolean {
  if (node.kind === 'Variable') return valueAt(variables.raw(node.name.value), path) !== undefined;
  const [name, ...below] = path;
  if (name === undefined) return true;
  const field = node.kind === 'ObjectValue' ? node.fields.find((each) => each.name.value === name) : undefined;
  return field !== undefined && isWritten(field.value, below, variables);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as Record<string, unknown>)[name];
  }
  return current;
}

/** A number, or the length of a list; custom scalars may hold a number as text. Undefined: null, absent or neither. */
function toAmount(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : clamp(Math.ceil(value));
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'bigint') return clamp(Number(value));
  if (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)))
    return clamp(Math.ceil(Number(value)));
  return undefined;
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), MAX_AMOUNT);
}
