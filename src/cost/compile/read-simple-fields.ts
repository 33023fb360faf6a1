import type { FieldNode, SelectionNode } from 'graphql';
import type { FieldModel, TypeModel } from '../schema/schema-model.js';

let lastMark = 0;

/**
 * Writes the field of each selection to `models`, from index `at` on. Returns false if the
 * selections are not all distinct fields without directives. Most selection sets are of this form,
 * and do not need the slower `collectFields`.
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

/** Number of fields up to which comparing each pair is faster than a set. */
const MAX_COMPARED = 8;

/** Returns whether no two fields have the same response name. */
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

/** Returns whether the cost of the selection depends only on the field model. */
export function isPlainSelection(model: FieldModel, node: FieldNode): boolean {
  return (
    (model.child === undefined || model.isFree) &&
    isPlainNode(node) &&
    model.slicing.length === 0 &&
    model.complexity === undefined
  );
}

/**
 * Returns whether the field has no alias, no arguments and no directives. It may have selections.
 */
export function isPlainNode(node: FieldNode): boolean {
  return (
    node.alias === undefined &&
    (node.arguments === undefined || node.arguments.length === 0) &&
    (node.directives === undefined || node.directives.length === 0)
  );
}
