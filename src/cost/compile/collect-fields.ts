import type { FieldNode, SelectionSetNode } from 'graphql';
import type { FieldClass, FieldModel, SchemaModel, TypeModel, TypeSet } from '../schema/schema-model.js';
import { type Budget, MAX_DEPTH, spend, tooDeep } from './budget.js';
import { both, type Condition, type Conditions, either, readSelectionCondition } from './condition.js';
import type { Fragment, Fragments } from './fragments.js';
import type { SelectionShapes } from './selection-shapes.js';

/**
 * A selection set at one position of the plan (`PlanPosition`), with the condition under which it
 * is included. A position can have several selection sets, which execution merges.
 */
export interface Contribution {
  readonly selectionSet: SelectionSetNode;
  readonly condition: Condition;
}

/** A selection of a field, for the set of object types that it applies to. */
export interface CollectedField {
  readonly responseName: string;
  /**
   * Response names of further selections that differ from this one only in their response name. No
   * other selection at this position uses these names.
   */
  readonly alsoNamed: readonly string[] | undefined;
  readonly node: FieldNode;
  readonly field: FieldModel;
  readonly types: TypeSet;
  /** Type on which the client selects the field. It may be an interface. */
  readonly selectedOn: TypeModel;
  readonly condition: Condition;
  /** Whether another path through the document may lead to the same selection. */
  readonly isShared: boolean;
}

export interface CollectContext extends Budget {
  readonly model: SchemaModel;
  readonly fragments: Fragments;
  readonly conditions: Conditions;
  readonly shapes: SelectionShapes;
}

/**
 * Fields that apply to one set of object types, in the order in which they are found in the
 * document.
 */
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
  /**
   * Number that identifies the current call of `collectFields`. A type set that stores this number
   * already has an entry in `sets`.
   */
  readonly mark: number;
  /** Number of selections whose field has different costs on different types of the set. */
  dividedCount: number;
  /**
   * Those divided selections that `addDivided` adds to the sets at the end. Undefined while
   * `dividedCount` is at most `FEW`.
   */
  divided: DividedSelection[] | undefined;
}

/** A selection of a field that has different costs on different types. */
interface DividedSelection extends Omit<CollectedField, 'field' | 'alsoNamed'> {
  readonly classes: readonly FieldClass[];
}

/**
 * Maximum number of divided selections that are compiled without merging equal ones. Comparing so
 * few takes longer than compiling each of them.
 */
const FEW = 8;

let lastMark = 0;

/**
 * Returns the fields selected at one position, including those in fragments, grouped by the object
 * types that they apply to. Each named fragment is visited once per set of types. Its condition is
 * the disjunction of the conditions of all its spreads.
 */
export function collectFields(
  context: CollectContext,
  type: TypeModel,
  contributions: readonly Contribution[],
  isShared: boolean,
): FieldsOfSet[] {
  const found: Found = { sets: [], mark: ++lastMark, dividedCount: 0, divided: undefined };
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
  if (found.divided !== undefined) addDivided(context, found, found.divided);
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
    // Execution skips fields that do not exist, so pricing skips them too.
    const field = only.field(node.name.value);
    if (field) {
      addTo(found, { responseName, alsoNamed: undefined, node, field, types, selectedOn, condition, isShared });
    }
    return;
  }
  const classes = types.classesOf(node.name.value);
  const selection = { responseName, node, types, selectedOn, condition, isShared, classes };
  if (classes.length > 1 && ++found.dividedCount > FEW) {
    found.divided ??= [];
    found.divided.push(selection);
  } else {
    addToClasses(context, found, selection, undefined);
  }
}

function addToClasses(
  context: CollectContext,
  found: Found,
  { responseName, node, selectedOn, condition, isShared, classes }: Omit<DividedSelection, 'types'>,
  alsoNamed: readonly string[] | undefined,
): void {
  spend(context, classes.length);
  const shared = isShared || classes.length > 1;
  for (const { field, types } of classes) {
    addTo(found, { responseName, alsoNamed, node, field, types, selectedOn, condition, isShared: shared });
  }
}

/** Selections that differ only in their response names, by response name. */
type Alike = Map<string, DividedSelection>;

/**
 * Adds the divided selections to the sets. Selections that differ only in their response names
 * become one field with several names. Otherwise, hundreds of aliases on an interface with hundreds
 * of types would result in hundreds of fields for each type.
 *
 * A selection whose response name also occurs elsewhere at this position stays separate, because
 * execution merges all selections with the same response name.
 */
function addDivided(context: CollectContext, found: Found, divided: readonly DividedSelection[]): void {
  spend(context, divided.length);
  const groups = groupAlike(context, divided);
  const owners = new Map<string, Alike | undefined>();
  const own = (name: string, owner: Alike | undefined): void => {
    owners.set(name, owners.has(name) ? undefined : owner);
  };
  for (const alike of groups) for (const name of alike.keys()) own(name, alike);
  for (const { fields } of found.sets) for (const { responseName } of fields) own(responseName, undefined);
  for (const alike of groups) {
    const alone: DividedSelection[] = [];
    for (const [name, selection] of alike) {
      if (owners.get(name) === alike) alone.push(selection);
      else addToClasses(context, found, selection, undefined);
    }
    const [first, ...others] = alone;
    const alsoNamed = others.length === 0 ? undefined : others.map(({ responseName }) => responseName);
    if (first) addToClasses(context, found, first, alsoNamed);
  }
}

function groupAlike({ shapes }: CollectContext, divided: readonly DividedSelection[]): readonly Alike[] {
  const groups = new Map<string, Alike>();
  const ids = new Map<TypeSet, number>();
  for (const selection of divided) {
    const { node, types, selectedOn, condition, isShared, responseName } = selection;
    const typesId = ids.get(types) ?? ids.size;
    ids.set(types, typesId);
    const key = `${shapes.ofField(node)},${condition.id},${typesId},${selectedOn.id},${isShared}`;
    const alike = groups.get(key) ?? new Map();
    groups.set(key, alike);
    // Two equal selections with the same response name appear once in the response.
    if (!alike.has(responseName)) alike.set(responseName, selection);
  }
  return [...groups.values()];
}

/**
 * Adds a field to the entry of its type set. The index of the entry is stored in the type set
 * itself. This is faster than a map, which would have to be filled again for each position.
 */
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

/**
 * Adds a fragment to the stack, which is sorted by `order`: the next fragment to visit is at the
 * end. A fragment that is already on the stack with the same types gets the disjunction of both
 * conditions.
 */
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
