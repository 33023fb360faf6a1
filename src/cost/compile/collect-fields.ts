import type { FieldNode, SelectionSetNode } from 'graphql';
import { CostError } from '../cost-error.js';
import type { FieldModel, SchemaModel, TypeModel, TypeSet } from '../schema/schema-model.js';
import { both, type Condition, type Conditions, either, readSelectionCondition } from './condition.js';
import type { Fragment, Fragments } from './fragments.js';

/** Selections that together make up the selection of one position, each with the condition of its inclusion. */
export interface Contribution {
  readonly selectionSet: SelectionSetNode;
  readonly condition: Condition;
}

/** One field selection, as it applies to a set of object types. */
export interface CollectedField {
  readonly responseName: string;
  readonly node: FieldNode;
  readonly field: FieldModel;
  readonly types: TypeSet;
  /** The type that the field was selected on, as the client wrote it. */
  readonly selectedOn: TypeModel;
  readonly condition: Condition;
  /** Whether the same selection may also be met on another way through the document. */
  readonly isShared: boolean;
}

export interface CollectContext {
  readonly model: SchemaModel;
  readonly fragments: Fragments;
  readonly conditions: Conditions;
  /** Of the compile, so far, and past which the operation is refused. */
  steps: number;
  readonly maxSteps: number;
}

/** The fields that apply to one set of object types, as they were met. */
export interface FieldsOfSet {
  readonly types: TypeSet;
  readonly fields: CollectedField[];
}

interface Pending {
  readonly fragment: Fragment;
  readonly types: TypeSet;
  condition: Condition;
}

interface Found {
  readonly sets: FieldsOfSet[];
  /** That of this level, in the sets of types that have fields. */
  readonly mark: number;
}

/** Deeper nesting than this is refused: nobody asks for it, and each level costs stack. */
export const MAX_DEPTH = 400;

let lastMark = 0;

/**
 * The fields of one level by the object types that they apply to, through inline fragments and spreads: every fragment
 * once per set of types, under the disjunction of the conditions that lead to it.
 */
export function collectFields(
  context: CollectContext,
  type: TypeModel,
  contributions: readonly Contribution[],
  isShared: boolean,
): FieldsOfSet[] {
  const found: Found = { sets: [], mark: ++lastMark };
  const pending: Pending[] = [];
  for (const { selectionSet, condition } of contributions) {
    visit(context, found, pending, selectionSet, type.possible, type, condition, isShared, 0);
  }
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { fragment, types, condition } = next;
    const { node, condition: selectedOn } = fragment;
    if (selectedOn === undefined) continue;
    visit(context, found, pending, node.selectionSet, types, selectedOn, condition, isShared || fragment.isShared, 0);
  }
  return found.sets;
}

function visit(
  context: CollectContext,
  found: Found,
  pending: Pending[],
  selectionSet: SelectionSetNode,
  types: TypeSet,
  selectedOn: TypeModel,
  condition: Condition,
  isShared: boolean,
  depth: number,
): void {
  if (depth > MAX_DEPTH) throw tooDeep();
  spend(context, selectionSet.selections.length);
  for (const selection of selectionSet.selections) {
    let own = condition;
    if (selection.directives !== undefined && selection.directives.length > 0) {
      const further = readSelectionCondition(context.conditions, selection.directives);
      if (further === undefined) continue;
      own = both(context.conditions, condition, further);
    }
    switch (selection.kind) {
      case 'Field':
        addField(context, found, selection, types, selectedOn, own, isShared);
        break;
      case 'InlineFragment': {
        const typeCondition = selection.typeCondition && context.model.composite(selection.typeCondition.name.value);
        if (selection.typeCondition && typeCondition === undefined) break;
        const narrowed = typeCondition === undefined ? types : types.narrow(typeCondition);
        if (narrowed === undefined) break;
        const on = typeCondition ?? selectedOn;
        visit(context, found, pending, selection.selectionSet, narrowed, on, own, isShared, depth + 1);
        break;
      }
      case 'FragmentSpread': {
        const fragment = context.fragments.get(selection.name.value);
        if (fragment?.condition === undefined) break;
        const narrowed = types.narrow(fragment.condition);
        if (narrowed !== undefined) addPending(context, pending, { fragment, types: narrowed, condition: own });
      }
    }
  }
}

function addField(
  context: CollectContext,
  found: Found,
  node: FieldNode,
  types: TypeSet,
  selectedOn: TypeModel,
  condition: Condition,
  isShared: boolean,
): void {
  const responseName = (node.alias ?? node.name).value;
  const { only } = types;
  if (only !== undefined) {
    // Fields that do not exist are skipped, as execution skips them.
    const field = only.field(node.name.value);
    if (field) addTo(found, { responseName, node, field, types, selectedOn, condition, isShared });
    return;
  }
  const classes = types.classesOf(node.name.value);
  spend(context, classes.length);
  for (const each of classes) {
    const shared = isShared || classes.length > 1;
    addTo(found, { responseName, node, field: each.field, types: each.types, selectedOn, condition, isShared: shared });
  }
}

/** A mark in the set says where it is: a map would have to be filled anew for each position. */
function addTo({ sets, mark }: Found, field: CollectedField): void {
  const { collected } = field.types;
  if (collected.mark === mark) {
    sets[collected.place]!.fields.push(field);
    return;
  }
  collected.mark = mark;
  collected.place = sets.length;
  sets.push({ types: field.types, fields: [field] });
}

/** Kept with the fragment whose turn is next at the end. */
function addPending(context: CollectContext, pending: Pending[], added: Pending): void {
  let at = pending.length;
  while (at > 0 && pending[at - 1]!.fragment.order < added.fragment.order) at--;
  for (let same = at; same > 0 && pending[same - 1]!.fragment === added.fragment; same--) {
    const other = pending[same - 1]!;
    if (other.types !== added.types) continue;
    other.condition = either(context.conditions, other.condition, added.condition);
    return;
  }
  pending.splice(at, 0, added);
}

/** Counts steps of work. @throws CostError OPERATION_TOO_COMPLEX when the budget is spent */
export function spend(context: CollectContext, steps: number): void {
  context.steps += steps;
  if (context.steps <= context.maxSteps) return;
  const detail = `pricing it takes more than ${context.maxSteps} steps; select fewer fields or spread fewer fragments`;
  throw new CostError('OPERATION_TOO_COMPLEX', detail);
}

export function tooDeep(): CostError {
  return new CostError('OPERATION_TOO_COMPLEX', `selections are nested more than ${MAX_DEPTH} levels deep`);
}
