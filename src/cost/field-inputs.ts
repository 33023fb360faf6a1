import type { FieldNode } from 'graphql';
import { type ArgumentValue, readArgument } from './argument-value.js';
import type { CollectedField } from './collect.js';
import { ALWAYS } from './guard.js';
import { areConstant, type ListSizeSlot, quickSize, readListSize, readSizeSources, slotOf } from './list-size.js';
import { NO_VARIABLES, type OperationVariables } from './operation-variables.js';
import type { PlanDirectives } from './plan-tree.js';
import type { FieldModel, SchemaModel } from './schema-model.js';

/** What reading the arguments of fields needs and adds to. */
export interface FieldContext {
  readonly model: SchemaModel;
  readonly variables: OperationVariables;
  readonly sizeSlots: ListSizeSlot[];
  /** Some field breaks `requireOneSlicingArgument` whatever the variables are. */
  hasViolation: boolean;
}

export const VIOLATED = Symbol('violated');

/** With `sizedFields` the size belongs to the lists below instead, and a list of such objects has the default one. */
export function ownSize(model: FieldModel, given: number | ListSizeSlot): number | ListSizeSlot {
  if (model.listDepth === 0) return 1;
  return model.sizedFields === undefined ? given : model.defaultSize;
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
    context.hasViolation = true;
    return VIOLATED;
  }
  return slotOf(context.sizeSlots, model, sources);
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
  const entries = merged ?? [{ node, guard: ALWAYS }];
  const all = entries.map(({ node: { directives = [] }, guard }): PlanDirectives => {
    const priced: ArgumentValue[] = [];
    for (const directive of directives) {
      const inputs = context.model.directiveArguments(directive.name.value);
      if (inputs.length > 0) priced.push(...(readArguments(context, inputs, directive) ?? []));
    }
    if (priced.length > 0) isPriced = true;
    return { guard, priced };
  });
  return isPriced ? all : undefined;
}
