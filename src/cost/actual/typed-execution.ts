import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { createObjectNotes } from '../../runtime/create-object-notes.js';
import {
  fieldsOf,
  type PlanGroup,
  type PlanPosition,
  responseNamesOf,
  typesOf,
} from '../compile/compiled-operation.js';
import { isOpen, typeFeaturesOf } from './type-features-of.js';

/**
 * Execution that learns the runtime types of objects. It is used only for operations whose
 * responses do not show these types; other operations run unchanged.
 *
 * Tollgate executes a document that also selects `__typename`, under a name that the original does
 * not use. It removes these type names from the response before any other code reads it.
 *
 * A listener for fields, such as Apollo's `willResolveField`, would also receive the types. It is
 * not used for these reasons:
 * - It does not see objects on which nothing, or only `__typename`, is selected.
 * - It is called for each field.
 * - The first such listener makes Apollo wrap every resolver of the schema permanently. One
 *   operation of one client would slow down all others.
 */
export interface TypedExecution {
  /**
   * Document to execute instead of the original. It is a copy, because the original is in Apollo's
   * store and other plugins read it.
   */
  readonly document: DocumentNode;
  /**
   * Notes the types of the objects in a response to `document`, and removes the added type names
   * from it.
   */
  take(data: unknown): void;
}

/** Type names of the objects that `take` has visited. */
const runtimeTypes = createObjectNotes<object, string>();

/**
 * Returns the name of the type that an object of a response was executed as; undefined if it was
 * not noted.
 */
export function runtimeTypeOf(object: object): string | undefined {
  return runtimeTypes.get(object);
}

/**
 * Creates the typed execution of an operation. Returns undefined if its responses show the types.
 * Also returns undefined if they are incremental (`@defer`, `@stream`), because Tollgate passes on
 * each part as it is, and could not remove the added type names from it.
 */
export function createTypedExecution(
  root: PlanPosition,
  document: DocumentNode,
  schema: GraphQLSchema,
  isDivided: (group: PlanGroup) => boolean,
): TypedExecution | undefined {
  if (!hasOpenPosition(root, isDivided)) return undefined;
  const names = new Set<string>();
  let isIncremental = false;
  visit(document, {
    Field: ({ alias, name }) => void names.add((alias ?? name).value),
    Directive: ({ name }) => {
      if (name.value === 'defer' || name.value === 'stream') isIncremental = true;
    },
  });
  if (isIncremental) return undefined;
  let key = '__tollgateType';
  while (names.has(key)) key += '_';
  return { document: askForTypes(document, schema, key), take: createTake(root, key) };
}

function hasOpenPosition(root: PlanPosition, isDivided: (group: PlanGroup) => boolean): boolean {
  const seen = new Set<PlanPosition>();
  const search = (position: PlanPosition): boolean => {
    if (seen.has(position)) return false;
    seen.add(position);
    if (isOpen(position) || (position.groups.some(isDivided) && !typeFeaturesOf(position).identifiesTypes)) return true;
    // Search each part once, because hundreds of groups may share it.
    const parts = new Set(position.groups.flatMap((group) => group.parts));
    return [...position.groups, ...parts].some(({ fields }) => {
      return fields.some(({ child }) => child !== undefined && search(child));
    });
  };
  return search(root);
}

/**
 * Adds `__typename` to every selection set on an abstract type. It is not limited to the positions
 * that need it: through fragments, one selection set can belong to several positions of the plan.
 */
function askForTypes(document: DocumentNode, schema: GraphQLSchema, key: string): DocumentNode {
  const types = new TypeInfo(schema);
  const typename: FieldNode = {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: key },
    name: { kind: Kind.NAME, value: '__typename' },
  };
  return visit(
    document,
    visitWithTypeInfo(types, {
      Field: {
        leave(node) {
          const type = types.getType();
          if (!node.selectionSet || !type || !isAbstractType(getNamedType(type))) return undefined;
          const selections = [typename, ...node.selectionSet.selections];
          return { ...node, selectionSet: { ...node.selectionSet, selections } };
        },
      },
    }),
  );
}

interface FieldBelow {
  readonly responseName: string;
  readonly child: PlanPosition;
}

/**
 * Creates the function that removes the added type names from a response. It follows the plan to
 * the objects. It does not change scalar values, which may be objects with the same key.
 */
function createTake(root: PlanPosition, key: string): TypedExecution['take'] {
  const groupsOf = new Map<PlanPosition, ReadonlyMap<string, PlanGroup>>();
  const below = new Map<PlanGroup, readonly FieldBelow[]>();
  const holders = new Map<PlanPosition, boolean>();

  /** Returns whether an object at the position, or below it, can contain the key. */
  function holdsKey(position: PlanPosition): boolean {
    const known = holders.get(position);
    if (known !== undefined) return known;
    const holds = position.type.isAbstract || position.groups.some((group) => fieldsBelow(group).length > 0);
    holders.set(position, holds);
    return holds;
  }

  function fieldsBelow(group: PlanGroup): readonly FieldBelow[] {
    const known = below.get(group);
    if (known) return known;
    const fields = fieldsOf(group).flatMap((field) => {
      const { child } = field;
      if (child === undefined || !holdsKey(child)) return [];
      return responseNamesOf(field).map((responseName) => ({ responseName, child }));
    });
    below.set(group, fields);
    return fields;
  }

  function groupOf(position: PlanPosition, type: string): PlanGroup | undefined {
    if (position.groups.length === 1) return position.groups[0];
    let groups = groupsOf.get(position);
    if (groups === undefined) {
      groups = new Map(
        position.groups.flatMap((group) => typesOf(group.types).map(({ name }) => [name, group] as const)),
      );
      groupsOf.set(position, groups);
    }
    return groups.get(type);
  }

  function takeObject(position: PlanPosition, object: Record<string, unknown>): void {
    let group = position.groups[0];
    if (position.type.isAbstract && Object.hasOwn(object, key)) {
      const type = object[key];
      Reflect.deleteProperty(object, key);
      if (typeof type === 'string') runtimeTypes.set(object, type);
      group = groupOf(position, String(type));
    }
    if (group === undefined) return;
    const fields = fieldsBelow(group);
    for (let i = 0; i < fields.length; i++) {
      const { responseName, child } = fields[i]!;
      if (Object.hasOwn(object, responseName)) takeValue(child, object[responseName]);
    }
  }

  function takeValue(position: PlanPosition, value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) takeObject(position, value as Record<string, unknown>);
    else for (let i = 0; i < value.length; i++) takeValue(position, value[i]);
  }

  return (data) => takeValue(root, data);
}
