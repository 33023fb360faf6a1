import { distinctWeights } from '../schema/create-type-sets.js';
import type { GroupTypes, TypeModel, TypeSet } from '../schema/schema-model.js';
import { spend } from './budget.js';
import type { CollectContext, CollectedField, FieldsOfSet } from './collect-fields.js';

/** Object types of a position for which the operation selects the same fields. */
interface TypeSplit {
  readonly types: GroupTypes;
  /** Fields that have not been merged by response name yet. */
  readonly fields: readonly CollectedField[];
  /** Whether some of these fields may be in other groups too. */
  readonly isMixed: boolean;
  /**
   * Further fields, in arrays that groups share. No other set has their response names, so they are
   * not merged with fields of other sets.
   */
  readonly parts: readonly (readonly CollectedField[])[];
}

const NO_FIELDS: readonly CollectedField[] = [];
const NO_PARTS: readonly (readonly CollectedField[])[] = [];

let lastMark = 0;

/**
 * Divides the object types of an abstract position into groups with the same fields. The time is
 * proportional to the total size of the sets, so it is short even for hundreds of fragments on
 * single types.
 */
export function splitByType(context: CollectContext, all: TypeSet, sets: readonly FieldsOfSet[]): TypeSplit[] {
  const everywhere = sets.find((set) => set.types === all);
  const others = everywhere === undefined ? sets : sets.filter((set) => set !== everywhere);
  const mark = ++lastMark;
  return markIfDisjoint(others, mark)
    ? splitDisjoint(context, all, everywhere, others, mark)
    : splitOverlapping(context, all, sets);
}

/** Marks the types of the sets. Returns false at the first type that is in two sets. */
function markIfDisjoint(sets: readonly FieldsOfSet[], mark: number): boolean {
  for (const { types } of sets) {
    for (const type of types.types) {
      if (type.divisionMark === mark) return false;
      type.divisionMark = mark;
    }
  }
  return true;
}

/**
 * Splits disjoint sets: each set becomes a group. In most operations the sets are disjoint, because
 * their fragments are on different object types. A set of all types is allowed in addition.
 */
function splitDisjoint(
  context: CollectContext,
  all: TypeSet,
  everywhere: FieldsOfSet | undefined,
  sets: readonly FieldsOfSet[],
  mark: number,
): TypeSplit[] {
  let mixed = NO_FIELDS;
  let parts = NO_PARTS;
  if (everywhere !== undefined) {
    const namesElsewhere = new Set<string>();
    for (const { fields } of sets) for (const { responseName } of fields) namesElsewhere.add(responseName);
    const own = everywhere.fields.filter((field) => !namesElsewhere.has(field.responseName));
    if (own.length > 0) parts = [own];
    if (own.length < everywhere.fields.length) {
      mixed = everywhere.fields.filter((field) => namesElsewhere.has(field.responseName));
    }
  }
  const isMixed = mixed.length > 0;
  let left = all.types.length;
  const splits = sets.map(({ types, fields }): TypeSplit => {
    left -= types.types.length;
    spend(context, types.types.length + 1 + mixed.length);
    return { types: types.whole, fields: isMixed ? mixed.concat(fields) : fields, isMixed, parts };
  });
  if (left > 0) splits.push({ types: unmarked(all, sets, mark), fields: mixed, isMixed, parts });
  return splits;
}

/** Returns the types that are in no set. The types in sets must have been marked. */
function unmarked(all: TypeSet, sets: readonly FieldsOfSet[], mark: number): GroupTypes {
  const rest = all.types.filter((type) => type.divisionMark !== mark);
  return { weights: distinctWeights(rest), base: all, members: undefined, without: sets.map((set) => set.types) };
}

/**
 * Fields of one set. `mixed` contains the fields whose response name also occurs in another set.
 * `own` contains the rest.
 */
interface DividedFields {
  readonly set: FieldsOfSet;
  readonly own: readonly CollectedField[];
  readonly mixed: readonly CollectedField[];
}

/** Types that are in the same sets. */
interface Atom {
  readonly sets: readonly DividedFields[];
  readonly members: TypeModel[];
}

function splitOverlapping(context: CollectContext, all: TypeSet, sets: readonly FieldsOfSet[]): TypeSplit[] {
  const divided = divideFields(sets);
  const everywhere = divided.find(({ set }) => set.types === all);
  const atomOf = divideTypes(context, all, divided);
  const atoms = new Set<Atom>();
  for (const [type, atom] of atomOf) {
    atom.members.push(type);
    atoms.add(atom);
  }
  const splits: TypeSplit[] = [];
  const addSplit = (types: GroupTypes, own: readonly DividedFields[]): void => {
    const inside = everywhere === undefined ? own : [everywhere, ...own];
    const mixed = inside.flatMap((each) => each.mixed);
    spend(context, inside.length + mixed.length);
    // A set of a single type belongs to one group only, so a part for it could not be shared and
    // would only use memory.
    const single = own.find((each) => each.set.types.only !== undefined);
    const shared = inside.filter((each) => each !== single && each.own.length > 0);
    splits.push({
      types,
      fields: single === undefined ? mixed : mixed.concat(single.own),
      isMixed: mixed.length > 0,
      parts: shared.length === 0 ? NO_PARTS : shared.map((each) => each.own),
    });
  };
  for (const { sets: own, members } of atoms) addSplit(typesOfAtom(all, members), own);
  if (atomOf.size < all.types.length) addSplit(unnamed(all, sets, atomOf), []);
  return splits;
}

const SEVERAL = Symbol('several');

function divideFields(sets: readonly FieldsOfSet[]): DividedFields[] {
  const setOfName = new Map<string, FieldsOfSet | typeof SEVERAL>();
  for (const set of sets) {
    for (const { responseName } of set.fields) {
      const known = setOfName.get(responseName);
      if (known === undefined) setOfName.set(responseName, set);
      else if (known !== set) setOfName.set(responseName, SEVERAL);
    }
  }
  return sets.map((set) => ({
    set,
    own: set.fields.filter((field) => setOfName.get(field.responseName) !== SEVERAL),
    mixed: set.fields.filter((field) => setOfName.get(field.responseName) === SEVERAL),
  }));
}

/**
 * Returns the sets that contain each type. The set of all types is ignored, and a type without
 * another set is absent from the result.
 */
function divideTypes(context: CollectContext, all: TypeSet, divided: readonly DividedFields[]): Map<TypeModel, Atom> {
  const atomOf = new Map<TypeModel, Atom>();
  for (const each of divided) {
    const { types, only } = each.set.types;
    if (each.set.types === all) continue;
    spend(context, types.length);
    if (only !== undefined) {
      atomOf.set(only, { sets: [...(atomOf.get(only)?.sets ?? []), each], members: [] });
      continue;
    }
    const moved = new Map<Atom | undefined, Atom>();
    for (const type of types) {
      const from = atomOf.get(type);
      let to = moved.get(from);
      if (to === undefined) {
        to = { sets: from === undefined ? [each] : [...from.sets, each], members: [] };
        moved.set(from, to);
        spend(context, to.sets.length);
      }
      atomOf.set(type, to);
    }
  }
  return atomOf;
}

function typesOfAtom(all: TypeSet, members: readonly TypeModel[]): GroupTypes {
  const [only] = members;
  if (only !== undefined && members.length === 1) return only.possible.whole;
  if (members.length === all.types.length) return all.whole;
  return { weights: distinctWeights(members), base: all, members, without: undefined };
}

function unnamed(all: TypeSet, sets: readonly FieldsOfSet[], named: ReadonlyMap<TypeModel, unknown>): GroupTypes {
  const rest = all.types.filter((type) => !named.has(type));
  const without = sets.map((set) => set.types).filter((types) => types !== all);
  return { weights: distinctWeights(rest), base: all, members: undefined, without };
}
