import type { FieldNode, ValueNode } from 'graphql';
import { MAX_COST } from '../../model/limit-parameters.js';
import { sizingNumber, sizingValueAt } from '../annotations/size-form-of.js';
import type { FieldModel, SlicingPath } from '../schema/schema-model.js';
import { type ArgumentValue, argumentValue, isConstant, readArgument } from './argument-value.js';
import { indexOfVariable, type OperationVariables, type VariableValues } from './operation-variables.js';

/**
 * List size that depends on variables. Its value is computed once per request. Fields with the same
 * size usually share a slot.
 */
export interface ListSizeSlot {
  readonly index: number;
  readonly model: FieldModel;
  readonly sources: readonly SizeSource[];
  /** Set if the size depends on a single variable, which is the most common case. */
  readonly simple: SimpleSize | undefined;
  /** Size that a field above sets for this list; undefined if none does. */
  readonly above: number | ListSizeSlot | undefined;
  /**
   * Rule for combining the size from above with the list's own. Undefined if the list is not a page
   * list (`page-lists.ts`).
   */
  readonly page: PageRule | undefined;
  /** Set if the request decides which of two sizes the list has. */
  readonly choice: SizeChoice | undefined;
  /** Largest size that a caller may request; Infinity without a limit. */
  readonly maxSize: number;
}

/** Two sizes of one list: `given` applies if the request sets the size of `by`, else `absent`. */
export interface SizeChoice {
  readonly by: ListSizeSlot;
  readonly given: SizeOption;
  readonly absent: SizeOption;
}

export interface SizeOption {
  readonly size: number | ListSizeSlot;
  /** Whether the size exceeds the maximum for every value of the variables. */
  readonly isTooLarge: boolean;
}

/** Rule for the size of a page list: page arguments of a field above it may set this size. */
export interface PageRule {
  /**
   * Whether arguments of the list itself replace the size from above. Otherwise the larger of both
   * applies.
   */
  readonly ownReplaces: boolean;
  /** Lower bound for a size from above. */
  readonly least: number;
}

interface SimpleSize {
  readonly variable: number;
  /** Size if the variable is absent. */
  readonly whenAbsent: number;
  /** Size if the variable is null. */
  readonly whenNull: number;
  /**
   * Whether the schema has a default for an absent variable. `whenAbsent` does not show this,
   * because the default can be equal to the fallback size.
   */
  readonly hasDefault: boolean;
  /** Whether an absent, null or negative value violates the annotation. */
  readonly isRequired: boolean;
}

export interface SizeSource {
  readonly path: SlicingPath;
  readonly argument: ArgumentValue;
}

interface ListSizeReading {
  size: number;
  /** Whether there are more slicing arguments than allowed, or none although one is required. */
  violates: boolean;
  /** Source of the size; undefined for an assumed size or a fallback. */
  source: SizeSource | undefined;
}

export function readSizeSources(model: FieldModel, node: FieldNode, variables: OperationVariables): SizeSource[] {
  return model.slicing.map((path) => ({ path, argument: readArgument(path.argument, node.arguments, variables) }));
}

export function areConstant(sources: readonly SizeSource[]): boolean {
  return sources.every(({ argument }) => isConstant(argument));
}

/**
 * Returns the size of a list with a single slicing argument of type Int, if its value is a literal
 * or a variable that already has a slot. Most lists have such a size.
 * @returns undefined if this fast path does not apply
 */
export function quickSize(
  slots: readonly ListSizeSlot[],
  model: FieldModel,
  node: FieldNode,
  variables: OperationVariables,
): number | ListSizeSlot | undefined {
  const [path] = model.slicing;
  if (path === undefined || model.slicing.length > 1 || !path.isPlainInt) return undefined;
  const value = node.arguments?.find((each) => each.name.value === path.argument.name)?.value;
  if (value?.kind === 'IntValue') return toAmount(Number(value.value), 'number');
  if (value?.kind !== 'Variable') return undefined;
  const variable = indexOfVariable(variables, value.name.value);
  for (let i = 0; i < slots.length && i < MAX_COMPARED; i++) {
    const slot = slots[i]!;
    if (slot.model === model && slot.simple?.variable === variable) return slot;
  }
  return undefined;
}

/**
 * Maximum number of existing slots to compare a new size with, in order to share one slot between
 * equal sizes.
 */
const MAX_COMPARED = 16;

/**
 * Returns the slot of a size that depends on variables: an existing slot that is equivalent, or a
 * new one.
 */
export function slotOf(slots: ListSizeSlot[], model: FieldModel, sources: readonly SizeSource[]): ListSizeSlot {
  const simple = simpleSize(model, sources);
  if (simple !== undefined) {
    for (let i = 0; i < slots.length && i < MAX_COMPARED; i++) {
      const other = slots[i]!;
      if (other.simple && isAlike(simple, other.simple) && isMeantAlike(model, other.model)) return other;
    }
  }
  const slot = {
    index: slots.length,
    model,
    sources,
    simple,
    above: undefined,
    page: undefined,
    choice: undefined,
    maxSize: maxSizeOf(model),
  };
  slots.push(slot);
  return slot;
}

/** Returns a new slot for a list whose size a field above it sets. */
export function sizedSlotOf(
  slots: ListSizeSlot[],
  model: FieldModel,
  sources: readonly SizeSource[],
  above: number | ListSizeSlot,
  page?: PageRule,
): ListSizeSlot {
  const maxSize = maxSizeOf(model);
  const slot = { index: slots.length, model, sources, simple: undefined, above, page, choice: undefined, maxSize };
  slots.push(slot);
  return slot;
}

/** Returns a new slot for a list that has one of two sizes, depending on the request. */
export function chosenSlotOf(slots: ListSizeSlot[], model: FieldModel, choice: SizeChoice): ListSizeSlot {
  const slot = {
    index: slots.length,
    model,
    sources: [],
    simple: undefined,
    above: undefined,
    page: undefined,
    choice,
    maxSize: maxSizeOf(model),
  };
  slots.push(slot);
  return slot;
}

function simpleSize(model: FieldModel, sources: readonly SizeSource[]): SimpleSize | undefined {
  let source: SizeSource | undefined;
  if (model.exactLevels < 0) return undefined;
  for (const each of sources) {
    if (each.path.below.length > 0) return undefined;
    if (each.argument.variable !== -1) {
      if (source) return undefined;
      source = each;
    } else if (each.argument.isMixed || (each.argument.constant ?? null) !== null) {
      return undefined;
    }
  }
  if (source === undefined) return undefined;
  const whenNull = model.fallbackSize;
  const byDefault = toAmount(source.argument.input.defaultValue, source.path.form);
  const isRequired = model.rejectsNone && !sources.some(({ path }) => path.hasDefault);
  return {
    variable: source.argument.variable,
    whenAbsent: byDefault ?? whenNull,
    whenNull,
    hasDefault: byDefault !== undefined,
    isRequired,
  };
}

function isAlike(a: SimpleSize, b: SimpleSize): boolean {
  return (
    a.variable === b.variable &&
    a.whenAbsent === b.whenAbsent &&
    a.whenNull === b.whenNull &&
    a.hasDefault === b.hasDefault &&
    a.isRequired === b.isRequired
  );
}

function isMeantAlike(a: FieldModel, b: FieldModel): boolean {
  return a.fallbackSource === b.fallbackSource && a.maxSize === b.maxSize;
}

function maxSizeOf({ maxSize }: FieldModel): number {
  return maxSize ?? Number.POSITIVE_INFINITY;
}

/**
 * Returns the largest size of the slicing arguments that are present. If there are none, returns
 * the `assumedSize` of the schema, or else the default size. If `exactLevels` is negative, the
 * result is at least the size without arguments.
 */
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
    const value = sizingValueAt(argumentValue(argument, variables), path.below);
    const isNegative = isBelowZero(value, path.form);
    const amount = toAmount(isNegative ? path.valueWhenNegative : value, path.form);
    if (path.hasDefault) hasDefault = true;
    if (amount === undefined) continue;
    if (!isNegative && isGivenByOperation(each, variables)) given++;
    if (amount > size) {
      size = amount;
      source = each;
    }
  }
  const isMissing = model.rejectsNone && sources.length > 0 && given === 0 && !hasDefault;
  const violates = isMissing || (model.rejectsSeveral && given > 1);
  if (size === -1 || (model.exactLevels < 0 && size < model.fallbackSize)) size = model.fallbackSize;
  return { size, violates, source };
}

/** Returns the size that a field sets for the `sizedFields` below it; undefined if it sets none. */
export function sizeBelow(
  model: FieldModel,
  sources: readonly SizeSource[],
  variables: VariableValues,
): number | undefined {
  const given = givenSize(model, sources, variables);
  return given ?? (model.fallbackSource === 'assumedSize' ? model.fallbackSize : undefined);
}

/**
 * Returns the largest size of the slicing arguments that are present; undefined if there are none.
 */
export function givenSize(
  model: FieldModel,
  sources: readonly SizeSource[],
  variables: VariableValues,
): number | undefined {
  if (sources.length === 0) return undefined;
  const { size, source } = readListSize(model, sources, variables);
  return source && size;
}

/**
 * Returns the size of a list for which no argument sets the size. If the field has `sizedFields`,
 * its annotated size applies to the lists below and not to this one.
 */
export function sizeOfItself(model: FieldModel): number {
  return model.sizedFields === undefined ? model.fallbackSize : model.defaultSize;
}

/**
 * Returns whether the value is from the operation or its variables, and not a default of the
 * schema.
 */
function isGivenByOperation({ path, argument }: SizeSource, variables: VariableValues): boolean {
  if (argument.variable !== -1 && variables.values[argument.variable] === undefined) return false;
  return argument.node !== undefined && (path.below.length === 0 || isWritten(argument.node, path.below, variables));
}

/**
 * Returns whether the caller set a value at the path. It reads the values before coercion, because
 * coercion adds defaults.
 */
function isWritten(node: ValueNode, path: readonly string[], variables: VariableValues): boolean {
  if (node.kind === 'Variable') return sizingValueAt(variables.raw(node.name.value), path) !== undefined;
  const [name, ...below] = path;
  if (name === undefined) return true;
  const field = node.kind === 'ObjectValue' ? node.fields.find((each) => each.name.value === name) : undefined;
  return field !== undefined && isWritten(field.value, below, variables);
}

/**
 * Returns the size that a value, or a value nested in it, requests; undefined if it requests none.
 */
export function amountAt(value: unknown, { below, form }: Pick<SlicingPath, 'below' | 'form'>): number | undefined {
  return toAmount(sizingValueAt(value, below), form);
}

/**
 * Returns the size that the value at the end of a path requests. If the value is negative, the
 * default of the schema applies instead.
 */
export function sizeAt(value: unknown, { below, form, valueWhenNegative }: SlicingPath): number | undefined {
  const found = sizingValueAt(value, below);
  return toAmount(isBelowZero(found, form) ? valueWhenNegative : found, form);
}

/**
 * Returns the size that a value requests; undefined if it requests none. A negative number requests
 * no size, because many APIs use it for "no limit".
 */
export function toAmount(value: unknown, form: SlicingPath['form']): number | undefined {
  const number = sizingNumber(value, form);
  return number === undefined || number < 0 ? undefined : Math.min(Math.ceil(number), MAX_COST);
}

/** Returns whether a value is a negative number, or a string that contains one. */
function isBelowZero(value: unknown, form: SlicingPath['form']): boolean {
  return (sizingNumber(value, form) ?? 0) < 0;
}
