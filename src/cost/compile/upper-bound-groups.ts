import type { SelectionSetNode } from 'graphql';
import type { GroupTypes, TypeModel, TypeSet } from '../schema/schema-model.js';
import { spend } from './budget.js';
import type { PlanField, PlanGroup, PlanPart } from './compiled-operation.js';
import { ALWAYS, both, type Condition, either } from './condition.js';
import { createPartWriter, type UpperBoundSelection } from './create-part-writer.js';
import type { Fragment } from './fragments.js';
import type { Sizing } from './sizing.js';
import {
  readWrittenSelections,
  type SelectionContext,
  type WrittenSelections,
  type WrittenSpread,
} from './written-selections.js';

/** Function that returns the groups of the position that a selection set on `type` creates. */
export type UpperBoundGroups = (
  type: TypeModel,
  selectionSet: SelectionSetNode,
  sizing: Sizing | undefined,
) => readonly PlanGroup[];

/**
 * Creates the groups of an operation that takes too many steps to compile exactly. Their price is
 * never below that of the exact groups. The time is about proportional to the length of the
 * document, because of three simplifications:
 * - Selections with the same response name are not merged. Each is priced as if it were the only
 *   one.
 * - Selections on interfaces count for all types that are possible at a position.
 * - If the price of a field differs between types, the highest price counts.
 */
export function createUpperBoundGroups(
  context: SelectionContext,
  writeField: (selection: UpperBoundSelection, sizing: Sizing | undefined) => PlanField,
): UpperBoundGroups {
  const ofFragments = new Map<Fragment, WrittenSelections>();
  const partsOf = createPartWriter(context, writeField);

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

  /**
   * Collects the parts of a selection set. Each named fragment is visited once for each object type
   * to which its spreads are limited. Its condition is then the disjunction of the conditions of
   * these spreads.
   */
  function collect(all: TypeSet, type: TypeModel, selectionSet: SelectionSetNode, sizing: Sizing | undefined) {
    const found = new Map<TypeModel | undefined, PlanPart[]>();
    const pending: WrittenSpread[] = [];
    const add = (
      { selections, spreads }: WrittenSelections,
      outer: TypeModel | undefined,
      condition: Condition,
    ): void => {
      for (const [inner, own] of selections) {
        // Skip selections on an object type inside a fragment on another object type. They are
        // never in the response, so they must not cause a rejection.
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
    add(readWrittenSelections(context, selectionSet, all, type), undefined, ALWAYS);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      add(ofFragment(next.fragment), next.only, next.condition);
    }
    return found;
  }

  function addSpread(pending: WrittenSpread[], added: WrittenSpread): void {
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

  function ofFragment(fragment: Fragment): WrittenSelections {
    let written = ofFragments.get(fragment);
    if (written === undefined) {
      const on = fragment.condition!;
      written = readWrittenSelections(context, fragment.node.selectionSet, on.possible, on);
      ofFragments.set(fragment, written);
    }
    return written;
  }

  return groupsOf;
}

function isAnother(inner: TypeModel | undefined, outer: TypeModel | undefined): boolean {
  return inner !== undefined && outer !== undefined && inner !== outer;
}

function othersOf(all: TypeSet, named: ReadonlyMap<TypeModel, unknown>): GroupTypes {
  const members = all.types.filter((type) => !named.has(type));
  return { weights: [...new Set(members.map((type) => type.weight))], base: all, members, without: undefined };
}

/**
 * Replaces negative weights with 0. Selections are not merged here, so a negative weight would
 * reduce the price several times.
 */
function notNegative(types: GroupTypes): GroupTypes {
  if (types.weights.every((weight) => weight === undefined || weight >= 0)) return types;
  return { ...types, weights: types.weights.map((weight) => weight && Math.max(0, weight)) };
}
