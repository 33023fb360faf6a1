import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode, type ValueNode } from 'graphql';

/** A pair of fields without arguments and selections takes graphql-js a fiftieth of the time of a pair with them. */
const UNITS = 50;

/** The fields of one response name at one place. */
interface Group {
  count: number;
  /** What one more of them adds to each comparison with another, in units. */
  weight: number;
  selections: SelectionSetNode[];
}

/**
 * How many pairs of fields validation has to compare, because they have one response name at one place and have to fit
 * each other: the part of validation that grows with the square of a document. A pair with selections or arguments counts
 * as one, and as one more for each value in its arguments; a pair of plain fields as a fiftieth; and a fragment as one for each
 * place where it is merged with what else is there. Stops above `most`.
 *
 * Places are the same as for graphql-js: all selections that are merged there, through fragments too, whatever their type
 * conditions. A set of selections that is merged at many places is counted once, as graphql-js remembers it.
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
  // Not recursive: a cycle of fragments, which validation is yet to refuse, would be followed for as long as there are units.
  for (let merged = pending.pop(); merged !== undefined && units <= mostUnits; merged = pending.pop()) {
    if (!isNew(merged)) continue;
    const { groups, selections, spreads } = collect(merged, fragments, ++place);
    // Collecting is no comparison, but has to end too, however fragments lead to each other.
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
  /** The last place where it was met. */
  metAt: number;
}

/** The fields that are merged from selection sets, each fragment once. */
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

/** Documents are parsed by now: how deep values are nested has been limited before. */
function valuesIn(value: ValueNode): number {
  if (value.kind === Kind.LIST) return value.values.reduce((sum, one) => sum + valuesIn(one), 1);
  if (value.kind === Kind.OBJECT) return value.fields.reduce((sum, one) => sum + valuesIn(one.value), 1);
  return 1;
}

/** Says whether selection sets are merged with each other for the first time. */
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

/** Whether it was not there before. */
function addTo<Item>(set: Set<Item>, item: Item): boolean {
  const { size } = set;
  return set.add(item).size > size;
}
