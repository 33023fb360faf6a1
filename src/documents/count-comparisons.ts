import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode, type ValueNode } from 'graphql';

/**
 * Number of units of one comparison. Two fields without arguments and selections count as one unit,
 * because graphql-js compares them in a fiftieth of the time of other pairs.
 */
const UNITS = 50;

/** Fields with the same response name at the same place. */
interface Group {
  count: number;
  /**
   * Sum of the additional units of the fields, for their arguments and selections. A comparison of
   * two fields adds half of the additional units of each.
   */
  weight: number;
  selections: SelectionSetNode[];
}

/**
 * Returns the number of pairs of fields that validation has to compare, because they have the same
 * response name at the same place. The time of this part of validation grows with the square of the
 * document size. A pair with selections or arguments counts as one, plus a half for each value in
 * the arguments of its two fields. A pair of fields with neither counts as a fiftieth. A fragment
 * counts as one for each place that contains it. Counting stops above `most`.
 *
 * As in graphql-js, a place is a set of selection sets that are merged, including those in
 * fragments, regardless of type conditions. The same set at several places counts once, because
 * graphql-js caches the result.
 */
export function countComparisons(document: DocumentNode, most: number): number {
  const fragments = new Map<string, Fragment>();
  const pending: SelectionSetNode[][] = [];
  for (const definition of document.definitions) {
    if (!('selectionSet' in definition)) continue;
    const { selectionSet } = definition;
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, { selectionSet, metAt: 0 });
    pending.push([selectionSet]);
  }
  const isNew = createMemory();
  const mostUnits = most * UNITS;
  let units = 0;
  let place = 0;
  // This is a loop and not a recursion, so that no document can overflow the stack. A cycle of
  // fragments, for example, is followed until the maximum is exceeded.
  for (let merged = pending.pop(); merged !== undefined && units <= mostUnits; merged = pending.pop()) {
    if (!isNew(merged)) continue;
    const { groups, selections, spreads } = collect(merged, fragments, ++place);
    // Collecting selections counts too, although it compares nothing. Otherwise the loop could take
    // very long for fragments that spread each other many times.
    units += selections + spreads * UNITS;
    for (const { count, weight, selections } of groups.values()) {
      if (count > 1) units += (count * (count - 1)) / 2 + ((count - 1) * weight) / 2;
      if (selections.length > 0) pending.push(selections);
    }
  }
  return units / UNITS;
}

interface Fragment {
  readonly selectionSet: SelectionSetNode;
  /** Last place that contained the fragment. */
  metAt: number;
}

/**
 * Collects the fields of merged selection sets, by response name. Each fragment is collected once.
 */
function collect(merged: readonly SelectionSetNode[], fragments: ReadonlyMap<string, Fragment>, place: number) {
  const groups = new Map<string, Group>();
  const open = [...merged];
  let selections = 0;
  let spreads = 0;
  for (let set = open.pop(); set !== undefined; set = open.pop()) {
    selections += set.selections.length;
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) open.push(selection.selectionSet);
      else if (selection.kind === Kind.FIELD) add(groups, selection);
      else {
        const fragment = fragments.get(selection.name.value);
        if (fragment === undefined || fragment.metAt === place) continue;
        fragment.metAt = place;
        spreads++;
        open.push(fragment.selectionSet);
      }
    }
  }
  return { groups, selections, spreads };
}

function add(groups: Map<string, Group>, field: FieldNode): void {
  const name = (field.alias ?? field.name).value;
  let group = groups.get(name);
  if (!group) {
    group = { count: 0, weight: 0, selections: [] };
    groups.set(name, group);
  }
  group.count++;
  group.weight += weightOf(field);
  if (field.selectionSet) group.selections.push(field.selectionSet);
}

function weightOf({ selectionSet, arguments: given = [] }: FieldNode): number {
  if (given.length === 0) return selectionSet ? UNITS : 0;
  return UNITS * given.reduce((sum, { value }) => sum + valuesIn(value), 1);
}

/**
 * Counts a value and all values nested in it. The recursion is safe, because `measureDocument` has
 * limited the nesting before parsing.
 */
function valuesIn(value: ValueNode): number {
  if (value.kind === Kind.LIST) return value.values.reduce((sum, one) => sum + valuesIn(one), 1);
  if (value.kind === Kind.OBJECT) return value.fields.reduce((sum, one) => sum + valuesIn(one.value), 1);
  return 1;
}

/**
 * Creates a function that returns whether it is called with these selection sets for the first
 * time.
 */
function createMemory(): (merged: readonly SelectionSetNode[]) => boolean {
  const alone = new Set<SelectionSetNode>();
  const numbers = new Map<SelectionSetNode, number>();
  const together = new Set<string>();
  const numberOf = (set: SelectionSetNode): number => {
    let number = numbers.get(set);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(set, number);
    }
    return number;
  };
  return (merged) => {
    if (merged.length === 1) return addTo(alone, merged[0]!);
    return addTo(together, merged.map(numberOf).sort(ascending).join(' '));
  };
}

const ascending = (one: number, other: number): number => one - other;

/** Adds an item to a set. Returns whether it was new. */
function addTo<Item>(set: Set<Item>, item: Item): boolean {
  const { size } = set;
  return set.add(item).size > size;
}
