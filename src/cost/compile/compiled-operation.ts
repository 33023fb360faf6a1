import type { FieldNode, GraphQLCompositeType, OperationDefinitionNode } from 'graphql';
import type { FieldModel, GroupTypes, TypeModel } from '../schema/schema-model.js';
import type { ArgumentValue } from './argument-value.js';
import type { Condition } from './condition.js';
import type { OperationVariables } from './operation-variables.js';
import type { ListSizeSlot } from './read-size-sources.js';

/** Result of compiling an operation for pricing. It does not depend on the values of variables. */
export interface CompiledOperation {
  readonly operation: OperationDefinitionNode;
  readonly variables: OperationVariables;
  /** Root position; undefined if the schema has no such root type. */
  readonly root: PlanPosition | undefined;
  readonly sizeSlots: readonly ListSizeSlot[];
  /** Whether a field violates a rule (`FieldRejection`) for every value of the variables. */
  readonly hasRejection: boolean;
  /** Whether any `@skip` or `@include` depends on a variable. */
  readonly hasConditions: boolean;
  /**
   * Whether the runtime type of an object can affect the cost at any position. Only then is a
   * response checked for the types of its objects.
   */
  readonly hasChoice: boolean;
  /** Whether price functions of the schema may be called to compute the price. */
  readonly mayCallFunctions: boolean;
  /**
   * Whether prices are upper bounds. Responses are then not counted, so the actual cost is equal to
   * the estimate.
   */
  readonly isUpperBound: boolean;
  /** Number of steps that the compilation took. The size of the result is proportional to it. */
  readonly steps: number;
}

/**
 * The selections at one place of an operation, merged in the same way as in execution. The object
 * types that are possible at this place are divided into groups. The types of one group have the
 * same selected fields. `create-pricing.ts` computes prices from positions.
 *
 * The positions form a graph, not a tree: a fragment used in many places is one position, compiled
 * once.
 */
export interface PlanPosition {
  readonly type: TypeModel;
  /**
   * Groups of object types; each object belongs to exactly one of them. Empty if no object type is
   * possible.
   */
  readonly groups: readonly PlanGroup[];
  /**
   * Whether several paths may lead to the position. The code that walks the plan caches its result
   * for such a position.
   */
  readonly isShared: boolean;
  /** Result of `typeFeaturesOf`, the only code that uses this property. */
  typeFeatures: TypeFeatures | undefined;
}

/**
 * Features of a response that identify the group of an object at a position. Clients choose
 * response names, and may use one name for different fields of different types: `... on A { t:
 * __typename } ... on B { t: text }`. A response name therefore identifies a group only if no
 * object of another group can have it.
 */
export interface TypeFeatures {
  /**
   * Response names that only `__typename` has at this position, up to a maximum number. Their value
   * in an object is its type.
   */
  readonly typenameKeys: readonly string[];
  /** Whether every object at this position has one of these names. */
  readonly identifiesTypes: boolean;
  /**
   * Response names of fields with `@skip` or `@include`. They may be absent from the response, so
   * they do not identify a group.
   */
  readonly conditional: ReadonlySet<string>;
  /**
   * Common name of several response names that an object has either all or not at all: those of a
   * part, or those of one field. The keys are these response names.
   */
  readonly partOfName: ReadonlyMap<string, string>;
  /**
   * Index of the group, by the `namesKey` of its objects. Undefined if several groups have the same
   * key.
   */
  readonly groupOfNames: ReadonlyMap<string, number> | undefined;
  /**
   * Whether the types of any group have different weights while the response does not identify the
   * type of its objects.
   */
  readonly hasOpenWeight: boolean;
}

/** Object types at a position with the same selected fields and the same prices of these fields. */
export interface PlanGroup {
  readonly types: GroupTypes;
  readonly fields: readonly PlanField[];
  /** Further fields, shared with other groups of the position. */
  readonly parts: readonly PlanPart[];
}

/** Fields that several groups of a position share. They are compiled once. */
export interface PlanPart {
  readonly fields: readonly PlanField[];
}

/** A field with the merged selections below it. */
export interface PlanField {
  readonly responseName: string;
  /**
   * Response names of further selections that differ only in their alias. Each adds a call of the
   * field, with everything below it.
   */
  readonly alsoNamed: readonly string[] | undefined;
  readonly model: FieldModel;
  /**
   * Coordinate on the type on which the client selects the field. For a selection on an interface,
   * it is the coordinate of the interface field.
   */
  readonly coordinate: string;
  /** Condition under which the objects of the group have the field in the response. */
  readonly condition: Condition;
  readonly node: FieldNode | undefined;
  /**
   * Interfaces on which the field is selected. Undefined if there are none or the field has no
   * price function.
   */
  readonly selectedOn: readonly GraphQLCompositeType[] | undefined;
  /** Arguments that have, or may have, a weight. */
  readonly priced: readonly ArgumentValue[] | undefined;
  /**
   * Directives with weights. There is one entry for each merged selection, because each selection
   * may have other directives.
   */
  readonly directives: readonly PlanDirectives[] | undefined;
  /**
   * Number of items per call: 1 for a single value. For a list of lists, it is the size of the
   * outermost list.
   */
  readonly size: number | ListSizeSlot;
  /**
   * Size that the arguments of the field set, or else its fallback size. It applies to the list of
   * the field, or to the lists in `sizedFields` below it.
   */
  readonly given: number | ListSizeSlot;
  /** Rule that the field violates for every value of the variables. */
  readonly rejection: FieldRejection | undefined;
  readonly child: PlanPosition | undefined;
}

/**
 * Rule that a field violates. `slicing`: the field has more slicing arguments than allowed, or none
 * although one is required. `size`: the requested size exceeds the maximum.
 */
export type FieldRejection = 'slicing' | 'size';

export interface PlanDirectives {
  readonly condition: Condition;
  readonly priced: readonly ArgumentValue[];
}

/** Returns all fields of a group, including those of its parts. */
export function fieldsOf({ fields, parts }: PlanGroup): readonly PlanField[] {
  return parts.length === 0 ? fields : [...parts.flatMap((part) => part.fields), ...fields];
}

export function responseNamesOf({ responseName, alsoNamed }: PlanField): readonly string[] {
  return alsoNamed === undefined ? [responseName] : [responseName, ...alsoNamed];
}

/** Returns the number of response names of a field. */
export function nameCountOf({ alsoNamed }: PlanField): number {
  return alsoNamed === undefined ? 1 : 1 + alsoNamed.length;
}

/** Returns all object types of a group. */
export function typesOf({ base, members, without }: GroupTypes): readonly TypeModel[] {
  if (members !== undefined) return members;
  if (without === undefined) return base.types;
  const left = new Set(base.types);
  for (const { types } of without) for (const type of types) left.delete(type);
  return [...left];
}
