import type { FieldNode } from 'graphql';
import type { FieldModel, SchemaModel, SizedLists } from '../schema/schema-model.js';
import { type ArgumentValue, readArgument } from './argument-value.js';
import type { CollectedField } from './collect-fields.js';
import type { FieldRefusal, PlanDirectives } from './compiled-operation.js';
import { ALWAYS } from './condition.js';
import { NO_VARIABLES, type OperationVariables } from './operation-variables.js';
import {
  areConstant,
  givenSize,
  type ListSizeSlot,
  type PageRule,
  quickSize,
  readListSize,
  readSizeSources,
  type SizeSource,
  sizeBelow,
  sizedSlotOf,
  sizeOfItself,
  slotOf,
} from './read-size-sources.js';

/** What reading the arguments of fields needs and adds to. */
export interface FieldContext {
  readonly model: SchemaModel;
  readonly variables: OperationVariables;
  readonly sizeSlots: ListSizeSlot[];
  /** Some field is refused whatever the variables are. */
  hasRefusal: boolean;
}

export const VIOLATED = Symbol('violated');

/** With `sizedFields` the size belongs to the lists below instead, and a list of such objects has the default one. */
export function ownSize(model: FieldModel, given: number | ListSizeSlot): number | ListSizeSlot {
  if (model.listDepth === 0) return 1;
  return model.sizedFields === undefined ? given : model.defaultSize;
}

/** Returns the size of a list that a field above it sizes. */
export function sizedSize(
  context: FieldContext,
  model: FieldModel,
  node: FieldNode,
  sizing: Sizing,
): number | ListSizeSlot {
  const { size: above } = sizing;
  const page = pageRuleOf(model, sizing);
  if (typeof above === 'number' && page === undefined && model.pageSizeWins) return above;
  const sources = model.sizedFields === undefined ? readSizeSources(model, node, context.variables) : NO_SOURCES;
  if (areConstant(sources)) {
    const own = givenSize(model, sources, NO_VARIABLES);
    if (own !== undefined && page?.ownReplaces) return own;
    if (typeof above === 'number') return Math.max(above, own ?? 0, page?.least ?? 0);
    // Most lists of a page say nothing of themselves: where it has no size, they fall back to what it falls back to.
    const fallsBackAlike =
      above.model.fallbackSource === 'assumedSize' || above.model.fallbackSize === sizeOfItself(model);
    const isLeast = page === undefined || page.least === 0;
    if (own === undefined && fallsBackAlike && isLeast && model.maxSize === undefined) return above;
  }
  return sizedSlotOf(context.sizeSlots, model, sources, above, page);
}

/** Undefined: an annotation names the list, and the larger of both sizes counts. */
function pageRuleOf(model: FieldModel, { fields, exactLevels }: Sizing): PageRule | undefined {
  if (fields.level === undefined) return undefined;
  return { ownReplaces: model.exactLevels >= 0, least: fields.level > exactLevels ? model.defaultSize : 0 };
}

const NO_SOURCES: readonly SizeSource[] = [];

/**
 * The size that a field gives to the `sizedFields` below it; undefined: it has none, whatever the variables are.
 * @param given what was read of it
 */
function givenBelow(
  context: FieldContext,
  model: FieldModel,
  node: FieldNode,
  given: number | ListSizeSlot,
): number | ListSizeSlot | undefined {
  if (typeof given !== 'number' || model.fallbackSource === 'assumedSize') return given;
  return sizeBelow(model, readSizeSources(model, node, context.variables), NO_VARIABLES);
}

/** `VIOLATED`: not exactly one slicing argument, where exactly one is wanted. */
export function readSize(
  context: FieldContext,
  model: FieldModel,
  node: FieldNode,
): number | ListSizeSlot | typeof VIOLATED {
  if (model.slicing.length === 0) return model.fallbackSize;
  const quick = quickSize(context.sizeSlots, model, node, context.variables);
  if (quick !== undefined) return quick;
  const sources = readSizeSources(model, node, context.variables);
  if (areConstant(sources)) {
    const { size, violates } = readListSize(model, sources, NO_VARIABLES);
    if (!violates) return size;
    return VIOLATED;
  }
  return slotOf(context.sizeSlots, model, sources);
}

/** Whether more is asked for than a caller may, whatever the variables are. */
function asksTooMuch(context: FieldContext, model: FieldModel, node: FieldNode, above: Sizing | undefined): boolean {
  if (model.maxSize === undefined) return false;
  const sources = readSizeSources(model, node, context.variables);
  const isConstant = areConstant(sources);
  const own = isConstant ? givenSize(model, sources, NO_VARIABLES) : undefined;
  const ownReplaces = above !== undefined && pageRuleOf(model, above)?.ownReplaces;
  // Variables decide whether the list has a size of its own, which would replace the one from above: its slot tells.
  if (ownReplaces && (own !== undefined || !isConstant)) return (own ?? 0) > model.maxSize;
  const sized = above?.isAsked && typeof above.size === 'number' ? above.size : 0;
  return Math.max(own ?? 0, sized) > model.maxSize;
}

export function refusalOf(
  context: FieldContext,
  model: FieldModel,
  node: FieldNode,
  given: number | ListSizeSlot | typeof VIOLATED,
  above: Sizing | undefined,
): FieldRefusal | undefined {
  const isTooLarge = model.maxSize !== undefined && asksTooMuch(context, model, node, above);
  const refusal = given === VIOLATED ? 'slicing' : isTooLarge ? 'size' : undefined;
  if (refusal !== undefined) context.hasRefusal = true;
  return refusal;
}

export function readArguments(
  context: FieldContext,
  inputs: FieldModel['pricedArguments'],
  node: Pick<FieldNode, 'arguments'>,
): ArgumentValue[] | undefined {
  const present = inputs
    .map((input) => readArgument(input, node.arguments, context.variables))
    .filter((argument) => argument.constant !== undefined || argument.variable !== -1 || argument.isMixed);
  return present.length === 0 ? undefined : present;
}

export function readDirectives(
  context: FieldContext,
  node: FieldNode,
  merged: readonly CollectedField[] | undefined,
): PlanDirectives[] | undefined {
  if (merged === undefined && (node.directives === undefined || node.directives.length === 0)) return undefined;
  let isPriced = false;
  const entries = merged ?? [{ node, condition: ALWAYS }];
  const all = entries.map(({ node: { directives = [] }, condition }): PlanDirectives => {
    const priced: ArgumentValue[] = [];
    for (const directive of directives) {
      const inputs = context.model.directiveArguments(directive.name.value);
      if (inputs.length > 0) priced.push(...(readArguments(context, inputs, directive) ?? []));
    }
    if (priced.length > 0) isPriced = true;
    return { condition, priced };
  });
  return isPriced ? all : undefined;
}

/** The size that a field gives to the `sizedFields` below it; there is none where it has no size. */
export interface Sizing {
  readonly fields: SizedLists;
  readonly size: number | ListSizeSlot;
  /** Whether the operation asks for it, be it by a default of the schema; not where it is assumed. */
  readonly isAsked: boolean;
  /** Of the field: see `FieldModel.exactLevels`. */
  readonly exactLevels: number;
}

export function sameSizing(a: Sizing | undefined, b: Sizing | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return a.fields === b.fields && a.size === b.size && a.isAsked === b.isAsked && a.exactLevels === b.exactLevels;
}

/** Whether the price of a field depends on it, be it by what is below. */
export function isSized({ fields }: Sizing, field: FieldModel): boolean {
  return fields.sizes(field) || fields.through(field) !== undefined;
}

export function sizingKey(sizing: Sizing | undefined): string {
  if (sizing === undefined) return '';
  const size = typeof sizing.size === 'number' ? `${sizing.size}` : `#${sizing.size.index}`;
  return `${size}${sizing.isAsked ? '' : '?'}:${sizing.exactLevels}:${sizing.fields.key}`;
}

/** What is sized below a field: by itself, or, where it does not do that, by one above whose paths lead through it. */
export function sizingBelow(
  context: FieldContext,
  model: FieldModel,
  node: FieldNode,
  given: number | ListSizeSlot,
  above: Sizing | undefined,
): Sizing | undefined {
  const { sizedFields, exactLevels, isSizeInferred } = model;
  const through = above?.fields.through(model);
  // An annotation above that names what is below this field is more certain than the names of its arguments.
  if (sizedFields !== undefined && !(isSizeInferred && through !== undefined)) {
    const size = givenBelow(context, model, node, given);
    if (size === undefined) return undefined;
    return { fields: sizedFields, size, isAsked: isAsked(context, model, node, size), exactLevels };
  }
  return through && above && { ...above, fields: through };
}

/** Slots tell by themselves. */
function isAsked(context: FieldContext, model: FieldModel, node: FieldNode, size: number | ListSizeSlot): boolean {
  if (typeof size !== 'number' || model.fallbackSource !== 'assumedSize') return true;
  return givenSize(model, readSizeSources(model, node, context.variables), NO_VARIABLES) !== undefined;
}
