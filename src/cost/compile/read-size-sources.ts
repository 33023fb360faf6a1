import type { FieldNode, ValueNode } from 'graphql';
import { MAX_COST } from '../../model/limit-parameters.js';
import { sizingNumber, sizingValueAt } from '../annotations/size-form-of.js';
import type { FieldModel, SlicingPath } from '../schema/schema-model.js';
import { type ArgumentValue, argumentValue, isConstant, readArgument } from './argument-value.js';
import { indexOfVariable, type OperationVariables, type VariableValues } from './operation-variables.js';

/** The size of a list that depends on variables: read once per request, however many places use it. */
export interface ListSizeSlot {
  readonly index: number;
  readonly model: FieldModel;
  readonly sources: readonly SizeSource[];
  /** The common case, one variable and nothing else: read without further ado. */
  readonly simple: SimpleSize | undefined;
  /** Size that a field above gives to this list; undefined: none does. */
  readonly above: number | ListSizeSlot | undefined;
  /** How the size from above counts, where the list belongs to a page. */
  readonly page: PageRule | undefined;
  /** The largest size that a caller may ask for; Infinity: nothing is said of it. */
  readonly maxSize: number;
}

/** How a page takes its size from a field above it. */
export interface PageRule {
  /** Whether arguments of the list itself replace the size from above; else the larger of both counts. */
  readonly ownReplaces: boolean;
  /** Size that a size from above does not fall below. */
  readonly least: number;
}

interface SimpleSize {
  readonly variable: number;
  /** The sizes when it is absent, and when it is null. */
  readonly whenAbsent: number;
  readonly whenNull: number;
  /** Whether the schema has a value for it when it is absent; one may be as large as what is fallen back to. */
  readonly hasDefault: boolean;
  /** Whether it violates the annotation then. */
  readonly isRequired: boolean;
}

export interface SizeSource {
  readonly path: SlicingPath;
  readonly argument: ArgumentValue;
}

interface ListSizeReading {
  size: number;
  /** Not exactly one slicing argument, where exactly one is wanted. */
  violates: boolean;
  /** Where the size came from; undefined: assumed or fallen back to. */
  source: SizeSource | undefined;
}

export function readSizeSources(model: FieldModel, node: FieldNode, variables: OperationVariables): SizeSource[] {
  return model.slicing.map((path) => ({ path, argument: readArgument(path.argument, node.arguments, variables) }));
}

export function areConstant(sources: readonly SizeSource[]): boolean {
  return sources.every(({ argument }) => isConstant(argument));
}

/**
 * The size where one Int argument decides it, as a literal or as a variable that was met before: what most lists are.
 * Undefined: it has to be worked out.
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

/** Slots of one operation that are always alike are one; this many are looked at to find out. */
const MAX_COMPARED = 16;

/** The slot of a size that depends on variables: one that is there already, or a new one. */
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
    maxSize: maxSizeOf(model),
  };
  slots.push(slot);
  return slot;
}

/** Returns a new slot for a list that a field above it sizes. */
export function sizedSlotOf(
  slots: ListSizeSlot[],
  model: FieldModel,
  sources: readonly SizeSource[],
  above: number | ListSizeSlot,
  page?: PageRule,
): ListSizeSlot {
  const slot = { index: slots.length, model, sources, simple: undefined, above, page, maxSize: maxSizeOf(model) };
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
  const isRequired = model.refusesNone && !sources.some(({ path }) => path.hasDefault);
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

/** The slots, by index, that are refused with the variables of a request. */
export interface RefusedSlots {
  /** Not exactly one slicing argument, where exactly one is wanted. */
  unsliced: number[] | undefined;
  /** More is asked for than a caller may. */
  tooLarge: number[] | undefined;
}

/**
 * The sizes of all slots, by index.
 * @param refused takes those that break a rule
 */
export function readSizes(slots: readonly ListSizeSlot[], variables: VariableValues, refused: RefusedSlots): number[] {
  // Grown by `push` it would have room for 17.
  const sizes = new Array<number>(slots.length);
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    const { index, model, sources, simple, maxSize } = slot;
    const value = simple && variables.values[simple.variable];
    let size: number;
    let isAsked: boolean;
    if (simple && typeof value === 'number') {
      // A negative number counts as not given.
      size = toAmount(value, 'number') ?? simple.whenAbsent;
      isAsked = value >= 0 || simple.hasDefault;
      if (value < 0 && simple.isRequired) note(refused, 'unsliced', index);
    } else if (simple && (value === undefined || value === null)) {
      size = value === undefined ? simple.whenAbsent : simple.whenNull;
      isAsked = value === undefined && simple.hasDefault;
      if (simple.isRequired) note(refused, 'unsliced', index);
    } else if (slot.above !== undefined) {
      // What it has to say of slicing is said by the slot of the field's own size.
      size = readSizedList(slot, slot.above, variables);
      isAsked = askedOfSlot(slot, variables) > maxSize;
    } else {
      const { size: read, violates, source } = readListSize(model, sources, variables);
      size = read;
      isAsked = source !== undefined;
      if (violates) note(refused, 'unsliced', index);
    }
    sizes[i] = size;
    if (isAsked && size > maxSize) note(refused, 'tooLarge', index);
  }
  return sizes;
}

function note(refused: RefusedSlots, why: keyof RefusedSlots, index: number): void {
  refused[why] ??= [];
  refused[why].push(index);
}

/**
 * What a caller asks for, where that depends on variables. What a field above gives whatever they are was looked at when the
 * operation was compiled, as some of it is assumed and not asked for.
 */
export function askedOfSlot({ model, sources, above, page, maxSize }: ListSizeSlot, variables: VariableValues): number {
  if (maxSize === Number.POSITIVE_INFINITY) return 0;
  const own = givenSize(model, sources, variables);
  if (above === undefined || typeof above === 'number') return own ?? 0;
  if (own !== undefined && page?.ownReplaces) return own;
  return Math.max(own ?? 0, givenSize(above.model, above.sources, variables) ?? 0);
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
  const isMissing = model.refusesNone && sources.length > 0 && given === 0 && !hasDefault;
  const violates = isMissing || (model.refusesSeveral && given > 1);
  if (size === -1 || (model.exactLevels < 0 && size < model.fallbackSize)) size = model.fallbackSize;
  return { size, violates, source };
}

/**
 * A field above that has a size sets it; where an argument of the list itself is present too, the larger counts. One
 * without a size leaves the list its own: else asking for no page would be a way to ask for a long list for little.
 */
function readSizedList(
  { model, sources, page }: Pick<ListSizeSlot, 'model' | 'sources' | 'page'>,
  above: number | ListSizeSlot,
  variables: VariableValues,
): number {
  const own = givenSize(model, sources, variables);
  if (own !== undefined && page?.ownReplaces) return own;
  const size = typeof above === 'number' ? above : sizeBelow(above.model, above.sources, variables);
  if (size === undefined) return own ?? sizeOfItself(model);
  if (model.pageSizeWins && page === undefined) return size;
  return Math.max(size, own ?? 0, page?.least ?? 0);
}

/** What a field has for the `sizedFields` below it; undefined: no size. */
export function sizeBelow(
  model: FieldModel,
  sources: readonly SizeSource[],
  variables: VariableValues,
): number | undefined {
  const given = givenSize(model, sources, variables);
  return given ?? (model.fallbackSource === 'assumedSize' ? model.fallbackSize : undefined);
}

/** The largest of the slicing arguments present. */
export function givenSize(
  model: FieldModel,
  sources: readonly SizeSource[],
  variables: VariableValues,
): number | undefined {
  if (sources.length === 0) return undefined;
  const { size, source } = readListSize(model, sources, variables);
  return source && size;
}

/** How long a list is that no argument sizes. What is annotated beside `sizedFields` is meant for the lists below. */
export function sizeOfItself(model: FieldModel): number {
  return model.sizedFields === undefined ? model.fallbackSize : model.defaultSize;
}

/** Whether the value came from the operation or its variables, and not from a default of the schema. */
function isGivenByOperation({ path, argument }: SizeSource, variables: VariableValues): boolean {
  if (argument.variable !== -1 && variables.values[argument.variable] === undefined) return false;
  return argument.node !== undefined && (path.below.length === 0 || isWritten(argument.node, path.below, variables));
}

/** Whether a path is spelled out: coerced input objects no longer tell a value that was given from a default. */
function isWritten(node: ValueNode, path: readonly string[], variables: VariableValues): boolean {
  if (node.kind === 'Variable') return sizingValueAt(variables.raw(node.name.value), path) !== undefined;
  const [name, ...below] = path;
  if (name === undefined) return true;
  const field = node.kind === 'ObjectValue' ? node.fields.find((each) => each.name.value === name) : undefined;
  return field !== undefined && isWritten(field.value, below, variables);
}

/** Returns the size that a value, or one that is in it, gives; undefined: none. */
export function amountAt(value: unknown, { below, form }: Pick<SlicingPath, 'below' | 'form'>): number | undefined {
  return toAmount(sizingValueAt(value, below), form);
}

/** Returns the size of a value at the end of a path, or of the default that stands in for a negative one. */
export function sizeAt(value: unknown, { below, form, valueWhenNegative }: SlicingPath): number | undefined {
  const found = sizingValueAt(value, below);
  return toAmount(isBelowZero(found, form) ? valueWhenNegative : found, form);
}

/** Returns the size that a value gives; undefined: none. Many APIs mean "no limit" by a negative number: it gives none. */
export function toAmount(value: unknown, form: SlicingPath['form']): number | undefined {
  const number = sizingNumber(value, form);
  return number === undefined || number < 0 ? undefined : Math.min(Math.ceil(number), MAX_COST);
}

/** Tells whether a value is a negative number, or the text of one. */
function isBelowZero(value: unknown, form: SlicingPath['form']): boolean {
  return (sizingNumber(value, form) ?? 0) < 0;
}
