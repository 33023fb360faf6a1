import type { SelectionSetNode } from 'graphql';
import type { FieldModel, GroupTypes, TypeModel, TypeSet } from '../schema/schema-model.js';
import { type Budget, MAX_DEPTH, spend, tooDeep } from './budget.js';
import type { CollectedField } from './collect-fields.js';
import { ALWAYS, both, type Condition, type Conditions, either, readSelectionCondition } from './condition.js';
import { dominatingFields } from './dominating-fields.js';
import { isSized, type Sizing, sizingKey } from './field-arguments.js';
import type { Fragment, Fragments } from './fragments.js';
import { coordinateOf } from './merge-by-name.js';
import type { PlanField, PlanGroup, PlanPart } from './plan-tree.js';

interface UpperBoundContext extends Budget {
  readonly model: { composite(name: string): TypeModel | undefined };
  readonly fragments: Fragments;
  readonly conditions: Conditions;
}

/** A selection of a field, with one of the models that stand for it. */
interface UpperBoundSelection extends Pick<CollectedField, 'node' | 'condition' | 'selectedOn'> {
  readonly model: FieldModel;
  readonly coordinate: string;
}

export type UpperBoundGroups = (
  type: TypeModel,
  selectionSet: SelectionSetNode,
  sizing: Sizing | undefined,
) => readonly PlanGroup[];

type Selection = Pick<CollectedField, 'node' | 'condition' | 'types' | 'selectedOn'>;

/** What is written in one selection set, down to its fields and the fragments that it spreads. */
interface Written {
  /** By the object type that they are for; undefined: for several. */
  readonly selections: Map<TypeModel | undefined, Selection[]>;
  readonly spreads: readonly Spread[];
}

interface Spread {
  readonly fragment: Fragment;
  readonly only: TypeModel | undefined;
  condition: Condition;
}

/**
 * The groups of positions of an operation that takes too many steps to be compiled exactly: never cheaper than those, and
 * found in time about in proportion to the document. Three things cost time there and are left undone here. Selections of one name are
 * not merged: each is priced as if it were the only one. What is selected on interfaces is taken for all types that a
 * position can hold. And the prices that a field has on different types are one, the highest.
 */
export function createUpperBoundGroups(
  context: UpperBoundContext,
  writeField: (selection: UpperBoundSelection, sizing: Sizing | undefined) => PlanField,
): UpperBoundGroups {
  const ofFragments = new Map<Fragment, Written>();
  const parts = new Map<Selection[], Map<string, PlanPart>>();

  function groupsOf(type: TypeModel, selectionSet: SelectionSetNode, sizing: Sizing | undefined): readonly PlanGroup[] {
    const all = type.possible;
    const shared: PlanPart[] = [];
    const byType = new Map<TypeModel, PlanPart[]>();
    for (const [only, found] of collect(all, type, selectionSet, sizing)) {
      if (only === undefined || only === all.only) shared.push(...found);
      else if (all.has(only)) byType.set(only, found);
    }
    const groups = [...byType].map(([only, own]): PlanGroup => {
      spend(context, shared.length + own.length);
      return { types: notNegative(only.possible.whole), fields: [], parts: [...shared, ...own] };
    });
    if (byType.size === all.types.length) return groups;
    const types = byType.size === 0 ? all.whole : othersOf(all, byType);
    return [...groups, { types: notNegative(types), fields: [], parts: shared }];
  }

  /** Every fragment once for each object type that leads to it, under the disjunction of the conditions that do. */
  function collect(all: TypeSet, type: TypeModel, selectionSet: SelectionSetNode, sizing: Sizing | undefined) {
    const found = new Map<TypeModel | undefined, PlanPart[]>();
    const pending: Spread[] = [];
    const add = ({ selections, spreads }: Written, outer: TypeModel | undefined, condition: Condition): void => {
      for (const [inner, own] of selections) {
        // No object is of two types: what is selected on another one never comes, nor is it refused.
        if (isAnother(inner, outer)) continue;
        const only = outer ?? inner;
        const known = found.get(only) ?? [];
        known.push(...partsOf(own, condition, sizing));
        found.set(only, known);
      }
      for (const spread of spreads) {
        if (isAnother(spread.only, outer)) continue;
        const own = both(context.conditions, condition, spread.condition);
        addSpread(pending, { ...spread, only: outer ?? spread.only, condition: own });
      }
    };
    add(read(selectionSet, all, type), undefined, ALWAYS);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      add(ofFragment(next.fragment), next.only, next.condition);
    }
    return found;
  }

  function addSpread(pending: Spread[], added: Spread): void {
    spend(context, 1);
    const { condition } = added.fragment;
    if (condition === undefined) return;
    if (added.only !== undefined && !condition.possible.has(added.only)) return;
    let at = pending.length;
    while (at > 0 && pending[at - 1]!.fragment.order < added.fragment.order) at--;
    for (let same = at; same > 0 && pending[same - 1]!.fragment === added.fragment; same--) {
      const other = pending[same - 1]!;
      if (other.only !== added.only) continue;
      other.condition = either(context.conditions, other.condition, added.condition);
      return;
    }
    pending.splice(at, 0, added);
  }

  function ofFragment(fragment: Fragment): Written {
    let written = ofFragments.get(fragment);
    if (written === undefined) {
      const on = fragment.condition!;
      written = read(fragment.node.selectionSet, on.possible, on);
      ofFragments.set(fragment, written);
    }
    return written;
  }

  function read(selectionSet: SelectionSetNode, all: TypeSet, type: TypeModel): Written {
    const selections = new Map<TypeModel | undefined, Selection[]>();
    const spreads: Spread[] = [];
    const visit = (
      set: SelectionSetNode,
      types: TypeSet,
      selectedOn: TypeModel,
      outer: Condition,
      depth: number,
    ): void => {
      if (depth > MAX_DEPTH) throw tooDeep();
      spend(context, set.selections.length);
      for (const selection of set.selections) {
        const own = readSelectionCondition(context.conditions, selection.directives ?? []);
        if (own === undefined) continue;
        const condition = both(context.conditions, outer, own);
        if (selection.kind === 'Field') {
          const known = selections.get(types.only) ?? [];
          known.push({ node: selection, condition, types, selectedOn });
          selections.set(types.only, known);
        } else if (selection.kind === 'FragmentSpread') {
          const fragment = context.fragments.get(selection.name.value);
          if (fragment) spreads.push({ fragment, only: types.only, condition });
        } else {
          const name = selection.typeCondition?.name.value;
          const on = name === undefined ? selectedOn : context.model.composite(name);
          const narrowed = on && (name === undefined ? types : types.narrow(on));
          if (on && narrowed) visit(selection.selectionSet, narrowed, on, condition, depth + 1);
        }
      }
    };
    visit(selectionSet, all, type, ALWAYS, 0);
    return { selections, spreads };
  }

  /** Fields that take a size from above are written for each size, all others once. */
  function partsOf(selections: Selection[], condition: Condition, sizing: Sizing | undefined): PlanPart[] {
    const sized = sizing && selections.filter(({ node, types }) => isSizedOn(types, node.name.value, sizing));
    if (sizing === undefined || sized === undefined || sized.length === 0) return [partOf(selections, condition)];
    const others = selections.filter((each) => !sized.includes(each));
    const all = known(selections);
    const key = `${condition.id}|${sizingKey(sizing)}`;
    const otherKey = `${condition.id}-${sizing.fields.key}`;
    const part = all.get(key) ?? write(sized, condition, sizing);
    const rest = all.get(otherKey) ?? write(others, condition, undefined);
    all.set(key, part).set(otherKey, rest);
    return [part, rest];
  }

  function partOf(selections: Selection[], condition: Condition): PlanPart {
    const all = known(selections);
    const part = all.get(`${condition.id}`) ?? write(selections, condition, undefined);
    all.set(`${condition.id}`, part);
    return part;
  }

  function known(selections: Selection[]): Map<string, PlanPart> {
    const all = parts.get(selections) ?? new Map<string, PlanPart>();
    parts.set(selections, all);
    return all;
  }

  function write(selections: readonly Selection[], outer: Condition, sizing: Sizing | undefined): PlanPart {
    const fields = selections.flatMap((selection) => {
      const { node, selectedOn } = selection;
      const models = dominatingFields(selection.types, selectedOn, node.name.value);
      spend(context, models.length);
      const condition = both(context.conditions, outer, selection.condition);
      return models.map((model) => {
        const coordinate = coordinateOf({ types: selection.types, field: model, selectedOn });
        return writeField({ node, condition, model, coordinate, selectedOn }, sizing);
      });
    });
    return { fields };
  }

  return groupsOf;
}

function isSizedOn(types: TypeSet, name: string, sizing: Sizing): boolean {
  return types.classesOf(name).some(({ field }) => isSized(sizing, field));
}

function isAnother(inner: TypeModel | undefined, outer: TypeModel | undefined): boolean {
  return inner !== undefined && outer !== undefined && inner !== outer;
}

function othersOf(all: TypeSet, named: ReadonlyMap<TypeModel, unknown>): GroupTypes {
  const members = all.types.filter((type) => !named.has(type));
  return { weights: [...new Set(members.map((type) => type.weight))], base: all, members, without: undefined };
}

/** Where selections are not merged, an object that takes something off the price would do so for each of them. */
function notNegative(types: GroupTypes): GroupTypes {
  if (types.weights.every((weight) => weight === undefined || weight >= 0)) return types;
  return { ...types, weights: types.weights.map((weight) => weight && Math.max(0, weight)) };
}
