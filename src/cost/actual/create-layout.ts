import type { PlanField } from '../compile/compiled-operation.js';
import type { FieldLayout, ObjectCounts } from './object-counts.js';

/**
 * Appends the counted fields of a response to `fields`, in the order in which `ActualTotals` walks
 * them.
 */
export function listWalk({ groups }: ObjectCounts, fields: PlanField[]): void {
  for (const group of groups) {
    if (group === undefined) continue;
    fields.push(...group.others);
    for (const { field, objects } of group.fields) {
      fields.push(field);
      if (objects) listWalk(objects, fields);
    }
  }
}

/**
 * Returns the layout of a walk over `fields`. Fields with the same coordinate share one slot, which
 * is the index of their sum.
 */
export function createLayout(fields: readonly PlanField[]): FieldLayout {
  const places = new Map<string, number>();
  const slots = fields.map(({ coordinate }) => {
    const known = places.get(coordinate) ?? places.size;
    places.set(coordinate, known);
    return known;
  });
  return { fields, slots, coordinates: [...places.keys()] };
}
