import type { FieldNode, GraphQLCompositeType, OperationDefinitionNode } from 'graphql';
import type { FieldModel, GroupTypes, TypeModel } from '../schema/schema-model.js';
import type { ArgumentValue } from './argument-value.js';
import type { Condition } from './condition.js';
import type { OperationVariables } from './operation-variables.js';
import type { ListSizeSlot } from './read-size-sources.js';

/** An operation as the engine sees it: everything that does not depend on the values of variables. */
export interface CompiledOperation {
  readonly operation: OperationDefinitionNode;
  readonly variables: OperationVariables;
  /** Undefined: the schema has no such root type. */
  readonly root: PlanPosition | undefined;
  readonly sizeSlots: readonly ListSizeSlot[];
  /** Some field is refused whatever the variables are. */
  readonly hasRefusal: boolean;
  /** Variables decide what is included: `@skip`, `@include`. */
  readonly hasConditions: boolean;
  /** Somewhere the types that come make a difference: only then is looked for what tells them. */
  readonly hasChoice: boolean;
  /** Functions of the schema may have a say in its price. */
  readonly mayCallFunctions: boolean;
  /** Whether prices are bounds which responses cannot be counted by: what ran costs the estimate. */
  readonly isUpperBound: boolean;
  /** Of work that compiling it took: its size goes with them. */
  readonly steps: number;
}

/**
 * What an operation selects, collected as execution collects it: at each position the object types that it can hold,
 * in groups that see the same fields. Prices are worked out from this tree, by the walk of `price-field.ts`. It is a
 * graph rather than a tree: a fragment used in many places is one position, compiled once.
 */
export interface PlanPosition {
  readonly type: TypeModel;
  /** They exclude each other: one object belongs to exactly one of them. Empty: no object type is possible. */
  readonly groups: readonly PlanGroup[];
  /** Whether it may be reached on several ways; walks remember what they worked out for such a position. */
  readonly isShared: boolean;
  /** Kept here for `tellingOf`, which alone uses it. */
  telling: TypeTelling | undefined;
}

/**
 * What in a response tells which group of a position an object belongs to. Response names are chosen by clients, who may
 * give one name to different fields of different types: `... on A { t: __typename } ... on B { t: text }`. So a name is
 * believed only where no object of the position can have it for another reason.
 */
export interface TypeTelling {
  /** Some of the names that nothing but `__typename` has here: where an object has one, it tells. */
  readonly typenameKeys: readonly string[];
  /** Whether every object has one of them. */
  readonly saysTypes: boolean;
  /** Names that a condition may leave out, and which therefore tell nothing. */
  readonly conditional: ReadonlySet<string>;
  /** What stands for all names of a part: they come together. */
  readonly partOfName: ReadonlyMap<string, string>;
  /** The group by `namesKey` of its objects; undefined: some groups have the same. */
  readonly groupOfNames: ReadonlyMap<string, number> | undefined;
  /** Whether a group has types of several weights, and nothing that tells which of them an object is. */
  readonly hasOpenWeight: boolean;
}

/** Object types that collect the same fields, at the same prices. */
export interface PlanGroup {
  readonly types: GroupTypes;
  readonly fields: readonly PlanField[];
  /** More fields, which other groups of the position have too. */
  readonly parts: readonly PlanPart[];
}

export interface PlanPart {
  readonly fields: readonly PlanField[];
}

/** A field, and what all selections of it have below it, merged. */
export interface PlanField {
  readonly responseName: string;
  /** Further response names: of aliases that differ in nothing else. Each is a call more, with all that is below. */
  readonly alsoNamed: readonly string[] | undefined;
  readonly model: FieldModel;
  /** As the client wrote it: on an interface, the interface's coordinate. */
  readonly coordinate: string;
  /** When it is in the response, given that its object is. */
  readonly condition: Condition;
  readonly node: FieldNode | undefined;
  /** Interfaces on which a field that a function prices is selected; undefined: none. */
  readonly selectedOn: readonly GraphQLCompositeType[] | undefined;
  /** Arguments that have, or may have, a weight. */
  readonly priced: readonly ArgumentValue[] | undefined;
  /** Weighted directives: one entry for each selection merged here, as any of them may carry other ones. */
  readonly directives: readonly PlanDirectives[] | undefined;
  /** How many items a call returns: 1 for a single value. Without the lists inside of a list. */
  readonly size: number | ListSizeSlot;
  /** The size it gives to `sizedFields` below it, or that a list has. */
  readonly given: number | ListSizeSlot;
  /** What it is refused for, whatever the variables are. */
  readonly refusal: FieldRefusal | undefined;
  readonly child: PlanPosition | undefined;
}

/** `slicing`: not exactly one slicing argument, where exactly one is wanted. `size`: more is asked for than a caller may. */
export type FieldRefusal = 'slicing' | 'size';

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

/** How many response names a field has. */
export function nameCountOf({ alsoNamed }: PlanField): number {
  return alsoNamed === undefined ? 1 : 1 + alsoNamed.length;
}

/** All object types of a group. */
export function typesOf({ base, members, without }: GroupTypes): readonly TypeModel[] {
  if (members !== undefined) return members;
  if (without === undefined) return base.types;
  const left = new Set(base.types);
  for (const { types } of without) for (const type of types) left.delete(type);
  return [...left];
}
