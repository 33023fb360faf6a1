import type { FieldNode } from 'graphql';
import type { FieldModel, SchemaModel } from '../schema/schema-model.js';
import { type ArgumentValue, readArgument } from './argument-value.js';
import type { CollectedField } from './collect-fields.js';
import type { FieldRejection, PlanDirectives } from './compiled-operation.js';
import { ALWAYS } from './condition.js';
import { NO_VARIABLES, type OperationVariables } from './operation-variables.js';
import {
  areConstant,
  chosenSlotOf,
  givenSize,
  type ListSizeSlot,
  type PageRule,
  quickSize,
  readListSize,
  readSizeSources,
  type SizeOption,
  type SizeSource,
  sizeBelow,
  sizedSlotOf,
  sizeOfItself,
  slotOf,
} from './read-size-sources.js';
import { choiceFor, optionalSlotOf, type Sizing, sizingThrough } from './sizing.js';

/** Input for reading the arguments of fields, and results that are added while reading. */
export interface FieldContext {
  readonly model: SchemaModel;
  readonly variables: OperationVariables;
  readonly sizeSlots: ListSizeSlot[];
  /** Whether a field violates a rule (`FieldRejection`) for every value of the variables. */
  hasRejection: boolean;
}

/** Result of `readSize` for a field whose slicing arguments are never valid. */
export const VIOLATED = Symbol('violated');

/**
 * Returns the size of the list that a field returns. If the field has `sizedFields`, `given` is the
 * size of the lists below, and its own list has the default size.
 */
export function ownSize(model: FieldModel, given: number | ListSizeSlot): number | ListSizeSlot {
  if (model.listDepth === 0) return 1;
  return model.sizedFields === undefined ? given : model.defaultSize;
}

/**
 * Returns the size of a list for which a field above it sets the size.
 * @param own size of the list in requests for which no field above sets its size
 */
export function sizedSize(
  context: FieldContext,
  model: FieldModel,
  node: FieldNode,
  sizing: Sizing,
  own: number | ListSizeSlot,
): number | ListSizeSlot {
  const choice = choiceFor(sizing, model);
  if (choice === undefined) return sizeFrom(context, model, node, sizing);
  const option = (each: Sizing | undefined): SizeOption => ({
    size: each === undefined ? own : sizeFrom(context, model, node, each),
    isTooLarge: asksTooMuch(context, model, node, each),
  });
  const { by, given, absent } = choice;
  return chosenSlotOf(context.sizeSlots, model, { by, given: option(given), absent: option(absent) });
}

/** Returns the size of a list to which a sizing applies. */
function sizeFrom(context: FieldContext, model: FieldModel, node: FieldNode, sizing: Sizing): number | ListSizeSlot {
  const { size: above } = sizing;
  const page = pageRuleOf(model, sizing);
  if (typeof above === 'number' && page === undefined && model.pageSizeWins) return above;
  const sources = model.sizedFields === undefined ? readSizeSources(model, node, context.variables) : NO_SOURCES;
  if (areConstant(sources)) {
    const own = givenSize(model, sources, NO_VARIABLES);
    if (own !== undefined && page?.ownReplaces) return own;
    if (typeof above === 'number') return Math.max(above, own ?? 0, page?.least ?? 0);
    // Most lists of a page have no size arguments, and the same fallback size as the field above.
    // Such lists share the slot of that field.
    const fallsBackAlike =
      above.model.fallbackSource === 'assumedSize' || above.model.fallbackSize === sizeOfItself(model);
    const isLeast = page === undefined || page.least === 0;
    if (own === undefined && fallsBackAlike && isLeast && model.maxSize === undefined) return above;
  }
  return sizedSlotOf(context.sizeSlots, model, sources, above, page);
}

/**
 * Returns the rule for a page list (`page-lists.ts`). Returns undefined if an annotation names the
 * list in `sizedFields`. The size from above then applies, or the size of the list itself if it is
 * larger and `pageSizeWins` is false.
 */
function pageRuleOf(model: FieldModel, { fields, exactLevels }: Sizing): PageRule | undefined {
  if (fields.level === undefined) return undefined;
  return { ownReplaces: model.exactLevels >= 0, least: fields.level > exactLevels ? model.defaultSize : 0 };
}

const NO_SOURCES: readonly SizeSource[] = [];

/**
 * Returns the size that a field sets for the `sizedFields` below it. Returns undefined if it sets
 * none for any values of the variables.
 * @param given result of `readSize` for the field
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

/**
 * Returns the size that the arguments of a field set, or its fallback size. Returns `VIOLATED` if
 * there are more slicing arguments than allowed, or none although one is required.
 */
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

/** Returns whether the requested size exceeds the maximum for every value of the variables. */
function asksTooMuch(context: FieldContext, model: FieldModel, node: FieldNode, above: Sizing | undefined): boolean {
  if (model.maxSize === undefined) return false;
  const sources = readSizeSources(model, node, context.variables);
  const isConstant = areConstant(sources);
  const own = isConstant ? givenSize(model, sources, NO_VARIABLES) : undefined;
  const ownReplaces = above !== undefined && pageRuleOf(model, above)?.ownReplaces;
  // If the size depends on variables, the slot checks for each request whether the list's own size
  // replaces the one from above.
  if (ownReplaces && (own !== undefined || !isConstant)) return (own ?? 0) > model.maxSize;
  const sized = above?.isAsked && typeof above.size === 'number' ? above.size : 0;
  return Math.max(own ?? 0, sized) > model.maxSize;
}

/**
 * Returns the rule that the field violates for every value of the variables: `slicing` (the number
 * of slicing arguments) or `size` (the maximum size). Returns undefined if there is none.
 * @param given result of `readSize` for the field
 */
export function rejectionOf(
  context: FieldContext,
  model: FieldModel,
  node: FieldNode,
  given: number | ListSizeSlot | typeof VIOLATED,
  above: Sizing | undefined,
): FieldRejection | undefined {
  const choice = above && choiceFor(above, model);
  const sizings = choice === undefined ? [above] : [choice.given, choice.absent];
  const isTooLarge = sizings.every((sizing) => asksTooMuch(context, model, node, sizing));
  const rejection = given === VIOLATED ? 'slicing' : isTooLarge ? 'size' : undefined;
  if (rejection !== undefined) context.hasRejection = true;
  return rejection;
}

/**
 * Returns the values of those arguments in `inputs` that a node or a default sets. Returns
 * undefined if there are none.
 */
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

/**
 * Returns the priced directive arguments of a field, with one entry per selection that was merged
 * into it. Returns undefined if no directive has a priced argument.
 */
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

/**
 * Returns the sizing of the lists below a field. Either the field itself sizes them, or a field
 * above does so by paths that lead through this field.
 */
export function sizingBelow(
  context: FieldContext,
  model: FieldModel,
  node: FieldNode,
  given: number | ListSizeSlot,
  above: Sizing | undefined,
): Sizing | undefined {
  const through = sizingThrough(above, model);
  if (model.sizedFields === undefined) return through;
  // An annotation on a field above takes precedence over a size inferred from the argument names of
  // this field.
  if (!model.isSizeInferred || through === undefined) return ownSizing(context, model, node, given);
  // If the annotation always took precedence, a caller could omit its argument, and request a long
  // page at the cost of the default size.
  const slot = optionalSlotOf(through);
  const own = slot && ownSizing(context, model, node, given);
  return own === undefined ? through : { ...through, orElse: { ...own, unless: slot } };
}

/** Returns the sizing of the lists in `sizedFields` of a field; undefined if it sets no size. */
function ownSizing(
  context: FieldContext,
  model: FieldModel,
  node: FieldNode,
  given: number | ListSizeSlot,
): Sizing | undefined {
  const { sizedFields, exactLevels } = model;
  const size = givenBelow(context, model, node, given);
  if (sizedFields === undefined || size === undefined) return undefined;
  const asked = isAsked(context, model, node, size);
  return { fields: sizedFields, size, isAsked: asked, exactLevels, unless: undefined, orElse: undefined };
}

/**
 * Returns whether the operation requests the size. Returns true if the size depends on variables,
 * because its slot checks this for each request.
 */
function isAsked(context: FieldContext, model: FieldModel, node: FieldNode, size: number | ListSizeSlot): boolean {
  if (typeof size !== 'number' || model.fallbackSource !== 'assumedSize') return true;
  return givenSize(model, readSizeSources(model, node, context.variables), NO_VARIABLES) !== undefined;
}
