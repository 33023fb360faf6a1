import type { SelectionSetNode } from 'graphql';
import type { TypeModel } from '../schema/schema-model.js';
import { CostError } from '../values/cost-error.js';
import type { Contribution } from './collect-fields.js';
import type { PlanPosition } from './compiled-operation.js';
import type { SelectionShapes } from './selection-shapes.js';
import { type Sizing, sizingKey } from './sizing.js';

/**
 * Positions that are already compiled, for reuse: by selection set, by the shape of selection sets,
 * and by the key of merged selections.
 */
export interface KnownPositions {
  readonly shapes: SelectionShapes;
  known: Map<SelectionSetNode, KnownPosition[]> | undefined;
  alike: Map<number, KnownPosition[]> | undefined;
  merged: Map<string, PlanPosition | undefined> | undefined;
  /** Number of abstract positions that `isOneOfMany` has counted. */
  abstractCount: number;
}

export interface KnownPosition {
  readonly type: TypeModel;
  readonly sizing: Sizing | undefined;
  /**
   * The compiled position; undefined during its compilation. If the entry is found again during
   * that time, fragments form a cycle.
   */
  position: PlanPosition | undefined;
}

/**
 * Maximum number of abstract positions that are compiled without a search for equal selection sets.
 * Comparing so few takes longer than compiling each of them.
 */
const FEW = 8;

/**
 * Counts a position if it is abstract. Returns whether it is abstract and more than `FEW` abstract
 * positions have been counted.
 */
export function isOneOfMany(memory: KnownPositions, type: TypeModel): boolean {
  return type.isAbstract && ++memory.abstractCount > FEW;
}

/**
 * Returns the positions that are already compiled for a selection set. The calling code adds each
 * position that it compiles to the list. Equal selection sets share one list, except the first
 * `FEW` sets of an operation.
 */
export function positionsOf(memory: KnownPositions, selectionSet: SelectionSetNode): KnownPosition[] {
  memory.known ??= new Map();
  let positions = memory.known.get(selectionSet);
  if (positions !== undefined) return positions;
  if (memory.known.size < FEW) {
    positions = [];
  } else {
    memory.alike ??= new Map();
    const shape = memory.shapes.ofSet(selectionSet);
    positions = memory.alike.get(shape) ?? [];
    memory.alike.set(shape, positions);
  }
  memory.known.set(selectionSet, positions);
  return positions;
}

/** Returns the key of merged selections. Merged selections with the same key have the same cost. */
export function mergedKey(
  { shapes }: KnownPositions,
  type: TypeModel,
  contributions: readonly Contribution[],
  sizing: Sizing | undefined,
): string {
  const parts = new Set(contributions.map((each) => `${shapes.ofSet(each.selectionSet)}.${each.condition.id}`));
  return `${type.name}|${sizingKey(sizing)}|${[...parts].sort().join()}`;
}

export function rejectCycle(selectionSet: SelectionSetNode): never {
  throw new CostError('OPERATION_TOO_COMPLEX', 'a fragment spreads itself below its own fields', {
    nodes: [selectionSet],
  });
}
