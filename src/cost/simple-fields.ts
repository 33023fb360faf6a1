import type { FieldNode, SelectionNode } from 'graphql';
import type { FieldModel, TypeModel } from './schema-model.js';

let lastMark = 0;

/**
 * Pushes the field of each selection, and answers true, where the selections are fields alone, all of them different
 * and without directives. Most selections are like that, and need not be collected.
 * @param aliases empty; the caller empties it again
 */
export function readSimpleFields(
  models: FieldModel[],
  aliases: Set<string>,
  type: TypeModel,
  selections: readonly SelectionNode[],
): boolean {
  const mark = ++lastMark;
  for (const selection of selections) {
    if (selection.kind !== 'Field') return false;
    if (selection.directives !== undefined && selection.directives.length > 0) return false;
    const model = type.field(selection.name.value);
    if (model === undefined) return false;
    models.push(model);
    if (selection.alias === undefined) {
      if (model.compiled.mark === mark) return false;
      model.compiled.mark = mark;
    } else {
      const alias = selection.alias.value;
      if (aliases.has(alias)) return false;
      aliases.add(alias);
    }
  }
  if (aliases.size === 0 || aliases.size === selections.length) return true;
  return selections.every(
    (each) => (each as FieldNode).alias !== undefined || !aliases.has((each as FieldNode).name.value),
  );
}

/** Whether nothing but the field itself decides what the selection costs. */
export function isPlainSelection(model: FieldModel, node: FieldNode): boolean {
  return (
    (model.child === undefined || model.isFree) &&
    node.alias === undefined &&
    (node.arguments === undefined || node.arguments.length === 0) &&
    (node.directives === undefined || node.directives.length === 0) &&
    model.slicing.length === 0 &&
    model.complexity === undefined
  );
}
