import type { FieldModel, TypeSet } from '../schema/schema-model.js';
import { type Budget, spend } from './budget.js';
import type { CollectedField } from './collect-fields.js';
import type { PlanField, PlanPart } from './compiled-operation.js';
import { both, type Condition, type Conditions } from './condition.js';
import { dominatingFields } from './dominating-fields.js';
import { coordinateOf } from './merge-by-name.js';
import { listsKey, type Sizing, sizesList, sizingKey, sizingThrough } from './sizing.js';
import type { WrittenSelection } from './written-selections.js';

/** Selection of a field, with one of the models that determine the upper bound of its price. */
export interface UpperBoundSelection extends Pick<CollectedField, 'node' | 'condition' | 'selectedOn'> {
  readonly model: FieldModel;
  readonly coordinate: string;
}

/**
 * Function that returns the plan parts of a list of selections. `condition` is the condition of the
 * fragment spread that leads to them.
 */
type PartWriter = (selections: WrittenSelection[], condition: Condition, sizing: Sizing | undefined) => PlanPart[];

/**
 * Creates a function that compiles each list of selections once for each combination of condition
 * and size.
 */
export function createPartWriter(
  context: Budget & { readonly conditions: Conditions },
  writeField: (selection: UpperBoundSelection, sizing: Sizing | undefined) => PlanField,
): PartWriter {
  const parts = new Map<WrittenSelection[], Map<string, PlanPart>>();

  /**
   * Returns the parts of a list of selections. Fields that get a size from a field above are
   * compiled once per condition and size. The others are compiled once per condition and set of
   * sized lists.
   */
  function partsOf(selections: WrittenSelection[], condition: Condition, sizing: Sizing | undefined): PlanPart[] {
    const sized = sizing && selections.filter(({ node, types }) => isSizedOn(types, node.name.value, sizing));
    if (sizing === undefined || sized === undefined || sized.length === 0) return [partOf(selections, condition)];
    const others = selections.filter((each) => !sized.includes(each));
    const all = known(selections);
    const key = `${condition.id}|${sizingKey(sizing)}`;
    const otherKey = `${condition.id}-${listsKey(sizing)}`;
    const part = all.get(key) ?? write(sized, condition, sizing);
    const rest = all.get(otherKey) ?? write(others, condition, undefined);
    all.set(key, part).set(otherKey, rest);
    return [part, rest];
  }

  function partOf(selections: WrittenSelection[], condition: Condition): PlanPart {
    const all = known(selections);
    const part = all.get(`${condition.id}`) ?? write(selections, condition, undefined);
    all.set(`${condition.id}`, part);
    return part;
  }

  function known(selections: WrittenSelection[]): Map<string, PlanPart> {
    const all = parts.get(selections) ?? new Map<string, PlanPart>();
    parts.set(selections, all);
    return all;
  }

  function write(selections: readonly WrittenSelection[], outer: Condition, sizing: Sizing | undefined): PlanPart {
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

  return partsOf;
}

function isSizedOn(types: TypeSet, name: string, sizing: Sizing): boolean {
  return types.classesOf(name).some(({ field }) => sizesList(sizing, field) || sizingThrough(sizing, field));
}
