import type { SelectionSetNode } from 'graphql';
import type { TypeModel, TypeSet } from '../schema/schema-model.js';
import { type Budget, MAX_DEPTH, spend, tooDeep } from './budget.js';
import type { CollectedField } from './collect-fields.js';
import { ALWAYS, both, type Condition, type Conditions, readSelectionCondition } from './condition.js';
import type { Fragment, Fragments } from './fragments.js';

/** Input for `readWrittenSelections`. */
export interface SelectionContext extends Budget {
  readonly model: { composite(name: string): TypeModel | undefined };
  readonly fragments: Fragments;
  readonly conditions: Conditions;
}

export type WrittenSelection = Pick<CollectedField, 'node' | 'condition' | 'types' | 'selectedOn'>;

/**
 * Fields and fragment spreads of one selection set, including those in inline fragments, before any
 * merging.
 */
export interface WrittenSelections {
  /**
   * Selections by the single object type that they apply to. The key is undefined if they apply to
   * several types.
   */
  readonly selections: Map<TypeModel | undefined, WrittenSelection[]>;
  readonly spreads: readonly WrittenSpread[];
}

export interface WrittenSpread {
  readonly fragment: Fragment;
  /** Object type to which the spread is limited. Undefined if it is not limited to a single one. */
  readonly only: TypeModel | undefined;
  condition: Condition;
}

/**
 * Reads the fields and fragment spreads of a selection set, including those in inline fragments.
 */
export function readWrittenSelections(
  context: SelectionContext,
  selectionSet: SelectionSetNode,
  all: TypeSet,
  type: TypeModel,
): WrittenSelections {
  const selections = new Map<TypeModel | undefined, WrittenSelection[]>();
  const spreads: WrittenSpread[] = [];
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
