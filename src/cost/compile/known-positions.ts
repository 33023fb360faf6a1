import type { SelectionSetNode } from 'graphql';
import type { TypeModel } from '../schema/schema-model.js';
import { CostError } from '../values/cost-error.js';
import type { Contribution } from './collect-fields.js';
import type { PlanPosition } from './compiled-operation.js';
import { type Sizing, sizingKey } from './read-arguments.js';
import type { SelectionShapes } from './selection-shapes.js';

/**
 * Positions compiled so far, for reuse: by selection set, by selection sets that are written alike,
 * and by merged selections.
 */
export interface KnownPositions {
  readonly shapes: SelectionShapes;
  known: Map<SelectionSetNode, KnownPosition[]> | undefined;
  alike: Map<number, KnownPosition[]> | undefined;
  merged: Map<string, PlanPosition | undefined> | undefined;
  /** Number of abstract positions so far. */
  abstractCount: number;
}

export interface KnownPosition {
  readonly type: TypeModel;
  readonly sizing: Sizing | undefined;
  /**
   * The compiled position; undefined during its compilation. Reaching the entry then means a
   * fragment cycle.
   */
  position: PlanPosition | undefined;
}

/**
 * Number of selection sets up to which they are not compared with each other. Comparing so few
 * costs more than it saves.
 */
const FEW = 8;

/**
 * Counts an abstract position. Returns whether the position is abstract and there are more than a
 * few such positions.
 */
export function isOneOfMany(memory: KnownPositions, type: TypeModel): boolean {
  return type.isAbstract && ++memory.abstractCount > FEW;
}

/** Returns the known positions of a selection set. The caller adds those that it compiles. */
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

/** Returns the key of merged selections. Merged selections with one key cost the same. */
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
