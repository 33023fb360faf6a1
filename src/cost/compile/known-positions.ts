import type { SelectionSetNode } from 'graphql';
import type { TypeModel } from '../schema/schema-model.js';
import { CostError } from '../values/cost-error.js';
import type { Contribution } from './collect-fields.js';
import type { PlanPosition } from './compiled-operation.js';
import { type Sizing, sizingKey } from './read-arguments.js';
import type { SelectionShapes } from './selection-shapes.js';

/** Positions that may be met again: those of one selection set, or of several that are written alike. */
export interface KnownPositions {
  readonly shapes: SelectionShapes;
  known: Map<SelectionSetNode, KnownPosition[]> | undefined;
  alike: Map<number, KnownPosition[]> | undefined;
  merged: Map<string, PlanPosition | undefined> | undefined;
  /** How many positions of several types there are so far. */
  abstractCount: number;
}

export interface KnownPosition {
  readonly type: TypeModel;
  readonly sizing: Sizing | undefined;
  /** Undefined while it is being compiled: to come back here then is a cycle. */
  position: PlanPosition | undefined;
}

/** Up to here, selection sets are not compared with each other: it would cost more than it saves. */
const FEW = 8;

/** Whether a position is of several types, and there are more than a few of these. Counts it. */
export function isOneOfMany(memory: KnownPositions, type: TypeModel): boolean {
  return type.isAbstract && ++memory.abstractCount > FEW;
}

/** Returns the positions of a selection set that are known so far; those that are compiled are to be added. */
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

/** What tells merged selections from others: those of one key cost the same. */
export function mergedKey(
  { shapes }: KnownPositions,
  type: TypeModel,
  contributions: readonly Contribution[],
  sizing: Sizing | undefined,
): string {
  const parts = new Set(contributions.map((each) => `${shapes.ofSet(each.selectionSet)}.${each.condition.id}`));
  return `${type.name}|${sizingKey(sizing)}|${[...parts].sort().join()}`;
}

export function refuseCycle(selectionSet: SelectionSetNode): never {
  throw new CostError('OPERATION_TOO_COMPLEX', 'a fragment spreads itself below its own fields', {
    nodes: [selectionSet],
  });
}
