import type { FieldNode, SelectionNode } from 'graphql';
import type { FieldModel, TypeModel } from '../schema/schema-model.js';

let lastMark = 0;

/**
 * Writes the field of each selection to `models`, from `at` on, and answers true, where the selections are fields
 * alone, all of them different and without directives. Most selections are like that, and need not be collected.
 */
export function readSimpleFields(
  models: FieldModel[],
  at: number,
  type: TypeModel,
  selections: readonly SelectionNode[],
): boolean {
  const mark = ++lastMark;
  let hasAlias = false;
  for (let i = 0; i < selections.length; i++) {
    const selection = selections[i]!;
    if (selection.kind !== 'Field') return false;
    if (selection.directives !== undefined && selection.directives.length > 0) return false;
    const model = type.field(selection.name.value);
    if (model === undefined) return false;
    models[at + i] = model;
    if (selection.alias !== undefined) {
      hasAlias = true;
      continue;
    }
    if (model.compiled.mark === mark) return false;
    model.compiled.mark = mark;
  }
  return !hasAlias || areDistinct(selections as readonly FieldNode[]);
}

/** Up to here, comparing each with each is faster than a set. */
const MAX_COMPARED = 8;

/** Whether the response names are. */
function areDistinct(fields: readonly FieldNode[]): boolean {
  if (fields.length > MAX_COMPARED) return new Set(fields.map(responseNameOf)).size === fields.length;
  for (let i = 1; i < fields.length; i++) {
    const name = responseNameOf(fields[i]!);
    for (let j = 0; j < i; j++) if (responseNameOf(fields[j]!) === name) return false;
  }
  return true;
}

function responseNameOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

/** Whether nothing but the field itself decides what the selection costs. */
export function isPlainSelection(model: FieldModel, node: FieldNode): boolean {
  return (
    (model.child === undefined || model.isFree) &&
    isPlainNode(node) &&
    model.slicing.length === 0 &&
    model.complexity === undefined
  );
}

/** Whether it is written as its name alone, or with selections below it. */
export function isPlainNode(node: FieldNode): boolean {
  return (
    node.alias === undefined &&
    (node.arguments === undefined || node.arguments.length === 0) &&
    (node.directives === undefined || node.directives.length === 0)
  );
}
