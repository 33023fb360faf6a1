import type { GraphQLCompositeType, SelectionSetNode } from 'graphql';
import type { TypeModel } from '../schema/schema-model.js';
import type { CollectedField, Contribution } from './collect-fields.js';
import { ALWAYS, type Condition, type Conditions, either } from './condition.js';

/** One selection, or several with the same response name, which execution merges. */
type MergedField = CollectedField | CollectedField[];

/** Number of fields up to which comparing each pair is faster than a map. */
const MAX_COMPARED = 8;

/**
 * Groups the fields of an object by response name, in the order in which the names first appear.
 */
export function mergeByName(collected: readonly CollectedField[]): readonly MergedField[] {
  if (collected.length <= MAX_COMPARED) return areDistinct(collected) ? collected : mergeFew(collected);
  const byName = new Map<string, MergedField>();
  for (const field of collected) {
    const known = byName.get(field.responseName);
    if (known === undefined) byName.set(field.responseName, field);
    else if (Array.isArray(known)) known.push(field);
    else byName.set(field.responseName, [known, field]);
  }
  return byName.size === collected.length ? collected : [...byName.values()];
}

function areDistinct(collected: readonly CollectedField[]): boolean {
  for (let i = 1; i < collected.length; i++) {
    const { responseName } = collected[i]!;
    for (let j = 0; j < i; j++) if (collected[j]!.responseName === responseName) return false;
  }
  return true;
}

function mergeFew(collected: readonly CollectedField[]): readonly MergedField[] {
  const all: MergedField[] = [];
  for (const field of collected) {
    let at = 0;
    while (at < all.length && firstOf(all[at]!).responseName !== field.responseName) at++;
    const known = all[at];
    if (known === undefined) all.push(field);
    else if (Array.isArray(known)) known.push(field);
    else all[at] = [known, field];
  }
  return all;
}
function firstOf(merged: MergedField): CollectedField {
  return Array.isArray(merged) ? merged[0]! : merged;
}

/**
 * Returns the coordinate of a selection: on the object type if only one is possible, or else on the
 * interface on which the field is selected.
 */
export function coordinateOf({
  field,
  types,
  selectedOn,
}: Pick<CollectedField, 'field' | 'types' | 'selectedOn'>): string {
  return types.types.length === 1 ? field.coordinate : `${selectedOn.name}.${field.name}`;
}

/**
 * Returns the coordinate of merged selections. A coordinate on an object type takes precedence, so
 * that the order of the selections does not affect the result.
 */
export function mergedCoordinate(entries: readonly CollectedField[]): string {
  const precise = entries.find((entry) => entry.types.types.length === 1);
  if (precise) return precise.field.coordinate;
  return entries.map(coordinateOf).reduce((a, b) => (a < b ? a : b));
}

/**
 * Returns the interfaces on which an operation selects a field. Returns undefined if all selections
 * are on the object type.
 */
export function interfacesOf(
  selectedOn: TypeModel,
  merged: readonly CollectedField[] | undefined,
): readonly GraphQLCompositeType[] | undefined {
  const all = merged === undefined ? [selectedOn] : merged.map((each) => each.selectedOn);
  const interfaces = all.filter(({ isAbstract }) => isAbstract).map(({ type }) => type);
  return interfaces.length === 0 ? undefined : interfaces;
}

/**
 * Returns the selection sets below a field. A condition that is equal to that of the field itself
 * becomes `ALWAYS`, because it is true whenever the field is in the response.
 */
export function contributionsOf(
  all: Conditions,
  entries: readonly CollectedField[],
  condition: Condition,
): Contribution[] {
  const conditions = new Map<SelectionSetNode, Condition>();
  for (const { node, condition: own } of entries) {
    if (node.selectionSet === undefined) continue;
    const known = conditions.get(node.selectionSet);
    conditions.set(node.selectionSet, known === undefined ? own : either(all, known, own));
  }
  return [...conditions].map(([selectionSet, own]) => ({ selectionSet, condition: own === condition ? ALWAYS : own }));
}
