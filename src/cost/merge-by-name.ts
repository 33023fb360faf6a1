import type { CollectedField } from './collect.js';

/** One selection, or several of the same response name that execution merges. */
export type MergedField = CollectedField | readonly CollectedField[];

/** The fields of an object by response name, in the order in which names first come. */
export function mergeByName(collected: readonly CollectedField[]): readonly MergedField[] {
  if (collected.length <= MAX_COMPARED && areDistinct(collected)) return collected;
  const byName = new Map<string, CollectedField | CollectedField[]>();
  for (const field of collected) {
    const known = byName.get(field.responseName);
    if (known === undefined) byName.set(field.responseName, field);
    else if (Array.isArray(known)) known.push(field);
    else byName.set(field.responseName, [known, field]);
  }
  return byName.size === collected.length ? collected : [...byName.values()];
}

/** Up to here, comparing each with each is faster than a map. */
const MAX_COMPARED = 6;

function areDistinct(collected: readonly CollectedField[]): boolean {
  for (let i = 1; i < collected.length; i++) {
    for (let j = 0; j < i; j++) if (collected[i]!.responseName === collected[j]!.responseName) return false;
  }
  return true;
}

/** What the client wrote: on an object its coordinate, on an interface the interface's. */
export function coordinateOf({ field, types, selectedOn }: CollectedField): string {
  return types.types.length === 1 ? field.coordinate : `${selectedOn.name}.${field.name}`;
}

/** The most precise of the coordinates, and the same one in whatever order the selections stand. */
export function mergedCoordinate(entries: readonly CollectedField[]): string {
  const precise = entries.find((entry) => entry.types.types.length === 1);
  if (precise) return precise.field.coordinate;
  return entries.map(coordinateOf).reduce((a, b) => (a < b ? a : b));
}
