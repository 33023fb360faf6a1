import type { GraphQLField } from 'graphql';
import type { Annotations } from '../annotations/annotations.js';
import type { ListSize } from '../annotations/merge-list-sizes.js';
import type { Holder } from './fields-of-name.js';

type Field = GraphQLField<unknown, unknown>;

/**
 * Returns the list size annotation that a field inherits from an interface. Mistakes in it are
 * reported on the interface.
 */
export function inheritedListSize(annotations: Annotations, type: Holder, { name }: Field): ListSize | undefined {
  for (const each of type.getInterfaces()) {
    const field = each.getFields()[name];
    const found = field && annotations.listSize(field, `${each.name}.${name}`);
    if (found) return found;
  }
  return undefined;
}

/** Properties of the `complexity` of a field. */
interface InheritedComplexity {
  /** Multipliers of `@complexity`. */
  readonly multipliers: readonly string[];
  /** Whether a price function without multipliers determines the price of the whole field. */
  readonly isComputed: boolean;
}

/**
 * Returns the complexity of the field, or of the same field on the first interface that has one.
 * The search ends at the first definition with a weight, because a weight takes precedence over the
 * complexity of later definitions.
 */
export function inheritedComplexity(
  annotations: Annotations,
  type: Holder,
  { name }: Field,
  defaultListSize: number,
): InheritedComplexity {
  for (const each of [type, ...type.getInterfaces()]) {
    const field = each.getFields()[name];
    const coordinate = `${each.name}.${name}`;
    if (field === undefined) continue;
    if (annotations.weight(field, coordinate) !== undefined) break;
    const complexity = annotations.complexity(field, coordinate, defaultListSize);
    if (complexity === undefined) continue;
    const multipliers = annotations.multipliers(field);
    return { multipliers, isComputed: typeof complexity === 'function' && multipliers.length === 0 };
  }
  return { multipliers: [], isComputed: false };
}
