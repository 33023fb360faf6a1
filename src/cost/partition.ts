import type { CollectedField } from './collect.js';
import type { GroupTypes } from './plan-tree.js';
import type { TypeModel, TypeSet } from './schema-model.js';

/** Object types that satisfy the same of the sets in question. */
export interface TypeAtom {
  readonly types: GroupTypes;
  /** The sets that contain them. */
  readonly sets: readonly TypeSet[];
}

/** The distinct sets of object types that collected fields apply to, and the fields of each. */
export function fieldsBySet(fields: readonly CollectedField[]): Map<TypeSet, CollectedField[]> {
  const sets = new Map<TypeSet, CollectedField[]>();
  for (const field of fields) {
    const known = sets.get(field.types);
    if (known) known.push(field);
    else sets.set(field.types, [field]);
  }
  return sets;
}

interface Draft {
  readonly sets: readonly TypeSet[];
  readonly members: TypeModel[];
}

/**
 * Divides the object types of a position by which of the sets they are in: within a part, all types collect the same.
 * Takes time in proportion to the sizes of the sets, so that hundreds of fragments on single types are cheap.
 */
export function partition(all: TypeSet, sets: Iterable<TypeSet>, spend: (steps: number) => void): TypeAtom[] {
  const everywhere: TypeSet[] = [];
  const draftOf = new Map<TypeModel, Draft>();
  for (const set of sets) {
    if (set === all) {
      everywhere.push(set);
      continue;
    }
    const moved = new Map<Draft | undefined, Draft>();
    for (const type of set.types) {
      const from = draftOf.get(type);
      let to = moved.get(from);
      if (to === undefined) {
        to = { sets: from === undefined ? [set] : [...from.sets, set], members: [] };
        moved.set(from, to);
        spend(to.sets.length);
      }
      draftOf.set(type, to);
    }
    spend(set.types.length);
  }
  const atoms = new Set<Draft>();
  for (const [type, draft] of draftOf) {
    draft.members.push(type);
    atoms.add(draft);
  }
  const result: TypeAtom[] = [];
  for (const { sets: own, members } of atoms) {
    result.push({ types: membersOf(all, members), sets: [...everywhere, ...own] });
  }
  if (draftOf.size < all.types.length) {
    const without = new Set(draftOf.keys());
    result.push({ types: restOf(all, without), sets: everywhere });
  }
  return result;
}

function membersOf(all: TypeSet, members: readonly TypeModel[]): GroupTypes {
  const only = members.length === 1 ? members[0]?.possible : undefined;
  if (only) return { base: only, without: undefined, weights: only.weights };
  const inside = new Set(members);
  if (inside.size === all.types.length) return { base: all, without: undefined, weights: all.weights };
  const without = new Set(all.types.filter((type) => !inside.has(type)));
  return { base: all, without, weights: distinctWeights(members) };
}

function restOf(all: TypeSet, without: ReadonlySet<TypeModel>): GroupTypes {
  if (without.size === 0) return { base: all, without: undefined, weights: all.weights };
  return { base: all, without, weights: distinctWeights(all.types.filter((type) => !without.has(type))) };
}

function distinctWeights(types: readonly TypeModel[]): (number | undefined)[] {
  return [...new Set(types.map((type) => type.weight))];
}
