import { type CollectContext, type CollectedField, spend } from './collect.js';
import type { GroupTypes, TypeModel, TypeSet } from './schema-model.js';

/** Object types of a position that collect the same fields. */
export interface TypeSplit {
  readonly types: GroupTypes;
  /** Sets of types that have response names of their own: the fields of these are the same in every group of the set. */
  readonly sets: readonly FieldsOfSet[];
  /** Fields whose response names come from several sets, and have to be merged for this group. */
  readonly mixed: readonly CollectedField[];
}

/** The fields that apply to one set of object types. */
export interface FieldsOfSet {
  readonly types: TypeSet;
  /** Those whose response names no other set has. */
  readonly own: CollectedField[];
  readonly mixed: CollectedField[];
}

const SEVERAL = Symbol('several');

interface Atom {
  readonly sets: readonly FieldsOfSet[];
  readonly members: TypeModel[];
}

/**
 * Divides the object types of an abstract position by which of the collected fields apply to them. Takes time in
 * proportion to the sizes of the sets named, so that hundreds of fragments on single types are cheap.
 */
export function splitByType(context: CollectContext, all: TypeSet, collected: readonly CollectedField[]): TypeSplit[] {
  const sets = fieldsBySet(collected);
  const everywhere = sets.get(all);
  const atomOf = divide(context, all, sets);
  const atoms = new Set<Atom>();
  for (const [type, atom] of atomOf) {
    atom.members.push(type);
    atoms.add(atom);
  }
  const splits: TypeSplit[] = [];
  const addSplit = (types: GroupTypes, own: readonly FieldsOfSet[]): void => {
    const inside = everywhere === undefined ? own : [everywhere, ...own];
    const [only] = inside;
    const isSingle = inside.length === 1 && only !== undefined;
    const mixed = isSingle ? only.mixed : inside.flatMap((set) => set.mixed);
    spend(context, inside.length + mixed.length);
    splits.push({ types, sets: isSingle ? inside : inside.filter((set) => set.own.length > 0), mixed });
  };
  for (const { sets: own, members } of atoms) addSplit(membersOf(all, members), own);
  if (atomOf.size < all.types.length) addSplit(restOf(all, new Set(atomOf.keys())), []);
  return splits;
}

function fieldsBySet(collected: readonly CollectedField[]): Map<TypeSet, FieldsOfSet> {
  const setOfName = new Map<string, TypeSet | typeof SEVERAL>();
  for (const { responseName, types } of collected) {
    const known = setOfName.get(responseName);
    if (known === undefined) setOfName.set(responseName, types);
    else if (known !== types && known !== SEVERAL) setOfName.set(responseName, SEVERAL);
  }
  const sets = new Map<TypeSet, FieldsOfSet>();
  for (const field of collected) {
    const isMixed = setOfName.get(field.responseName) === SEVERAL;
    const set = sets.get(field.types);
    // Most sets have one field of either kind, and an array that is pushed to takes room for many.
    if (set === undefined)
      sets.set(field.types, { types: field.types, own: isMixed ? [] : [field], mixed: isMixed ? [field] : [] });
    else if (isMixed) set.mixed.push(field);
    else set.own.push(field);
  }
  return sets;
}

/** For each type that some set names, but not all types: the sets that it is in. */
function divide(context: CollectContext, all: TypeSet, sets: Map<TypeSet, FieldsOfSet>): Map<TypeModel, Atom> {
  const atomOf = new Map<TypeModel, Atom>();
  for (const [types, set] of sets) {
    if (types === all) continue;
    spend(context, types.types.length);
    const [only] = types.types;
    if (only !== undefined && types.types.length === 1) {
      atomOf.set(only, { sets: [...(atomOf.get(only)?.sets ?? []), set], members: [] });
      continue;
    }
    const moved = new Map<Atom | undefined, Atom>();
    for (const type of types.types) {
      const from = atomOf.get(type);
      let to = moved.get(from);
      if (to === undefined) {
        to = { sets: from === undefined ? [set] : [...from.sets, set], members: [] };
        moved.set(from, to);
        spend(context, to.sets.length);
      }
      atomOf.set(type, to);
    }
  }
  return atomOf;
}

function membersOf(all: TypeSet, members: readonly TypeModel[]): GroupTypes {
  const [only] = members;
  if (only !== undefined && members.length === 1) return only.possible.whole;
  if (members.length === all.types.length) return all.whole;
  const inside = new Set(members);
  return restOf(all, new Set(all.types.filter((type) => !inside.has(type))));
}

function restOf(all: TypeSet, without: ReadonlySet<TypeModel>): GroupTypes {
  const weights = new Set<number | undefined>();
  for (const type of all.types) if (!without.has(type)) weights.add(type.weight);
  return { base: all, without, weights: [...weights] };
}
