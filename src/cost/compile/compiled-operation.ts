import type { FieldNode, GraphQLCompositeType, OperationDefinitionNode } from 'graphql';
import type { FieldModel, GroupTypes, TypeModel } from '../schema/schema-model.js';
import type { ArgumentValue } from './argument-value.js';
import type { Condition } from './condition.js';
import type { OperationVariables } from './operation-variables.js';
import type { ListSizeSlot } from './read-size-sources.js';

/**
 * Compiled data of an operation for pricing: everything that does not depend on the values of
 * variables.
 */
export interface CompiledOperation {
  readonly operation: OperationDefinitionNode;
  readonly variables: OperationVariables;
  /** Root position; undefined if the schema has no such root type. */
  readonly root: PlanPosition | undefined;
  readonly sizeSlots: readonly ListSizeSlot[];
  /** Whether a field violates a rule for every value of the variables. */
  readonly hasRejection: boolean;
  /** Whether a `@skip` or `@include` depends on a variable. */
  readonly hasConditions: boolean;
  /**
   * Whether the runtime type of an object can change the cost at some position. Only then does the
   * plan check what identifies the type.
   */
  readonly hasChoice: boolean;
  /** Whether price functions of the schema may take part in the price. */
  readonly mayCallFunctions: boolean;
  /**
   * Whether prices are upper bounds. Responses cannot be counted with them, so the actual cost is
   * the estimate.
   */
  readonly isUpperBound: boolean;
  /** Number of steps that the compilation took. The size of the result is proportional to it. */
  readonly steps: number;
}

/**
 * Selections of an operation, collected as execution collects them. Each position lists the object
 * types that it can hold, in groups that select the same fields. `create-pricing.ts` computes
 * prices from it.
 *
 * The positions form a graph, not a tree: a fragment used in many places is one position, compiled
 * once.
 */
export interface PlanPosition {
  readonly type: TypeModel;
  /**
   * Groups that exclude each other: an object belongs to exactly one of them. Empty if no object
   * type is possible.
   */
  readonly groups: readonly PlanGroup[];
  /**
   * Whether several paths may lead to the position. Walks remember their results for such a
   * position.
   */
  readonly isShared: boolean;
  /** Result of `typeFeaturesOf`, the only code that uses this property. */
  typeFeatures: TypeFeatures | undefined;
}

/**
 * Features of a response that identify the group of an object at a position. Clients choose
 * response names, and may give one name to different fields of different types:
 * `... on A { t: __typename } ... on B { t: text }`. So a name counts only if no object of the
 * position can have it for another reason.
 */
export interface TypeFeatures {
  /**
   * Response names that only `__typename` has at this position, up to a maximum. An object with one
   * of them states its type.
   */
  readonly typenameKeys: readonly string[];
  /** Whether every object has one of these names. */
  readonly identifiesTypes: boolean;
  /** Names that a condition may leave out of the response, so that they identify nothing. */
  readonly conditional: ReadonlySet<string>;
  /** Name that represents all names of a part, because they are always present together. */
  readonly partOfName: ReadonlyMap<string, string>;
  /**
   * Index of the group by `namesKey` of its objects; undefined if several groups have the same key.
   */
  readonly groupOfNames: ReadonlyMap<string, number> | undefined;
  /**
   * Whether a group has types of several weights and nothing identifies the type of its objects.
   */
  readonly hasOpenWeight: boolean;
}

/** Object types that select the same fields, at the same prices. */
export interface PlanGroup {
  readonly types: GroupTypes;
  readonly fields: readonly PlanField[];
  /** Further fields, shared with other groups of the position. */
  readonly parts: readonly PlanPart[];
}

export interface PlanPart {
  readonly fields: readonly PlanField[];
}

/** A field with the merged selections below it. */
export interface PlanField {
  readonly responseName: string;
  /**
   * Further response names, of aliases that are otherwise equal. Each adds a call, with everything
   * below it.
   */
  readonly alsoNamed: readonly string[] | undefined;
  readonly model: FieldModel;
  /** Coordinate as the client wrote it: on an interface, the interface's coordinate. */
  readonly coordinate: string;
  /** Condition under which the field is in the response, given that its object is. */
  readonly condition: Condition;
  readonly node: FieldNode | undefined;
  /** Interfaces on which a field with a price function is selected; undefined if there are none. */
  readonly selectedOn: readonly GraphQLCompositeType[] | undefined;
  /** Arguments that have, or may have, a weight. */
  readonly priced: readonly ArgumentValue[] | undefined;
  /**
   * Weighted directives: one entry for each selection merged here, because each may have different
   * ones.
   */
  readonly directives: readonly PlanDirectives[] | undefined;
  /**
   * Number of items per call: 1 for a single value. The inner lists of a list of lists do not
   * count.
   */
  readonly size: number | ListSizeSlot;
  /**
   * Size that the arguments of the field give: for the `sizedFields` below it, or for its own list.
   */
  readonly given: number | ListSizeSlot;
  /** Rule that the field violates for every value of the variables. */
  readonly rejection: FieldRejection | undefined;
  readonly child: PlanPosition | undefined;
}

/**
 * Rule that a field violates. `slicing`: the number of slicing arguments is not exactly one
 * although the annotation requires one. `size`: the requested size exceeds the maximum.
 */
export type FieldRejection = 'slicing' | 'size';

export interface PlanDirectives {
  readonly condition: Condition;
  readonly priced: readonly ArgumentValue[];
}

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
