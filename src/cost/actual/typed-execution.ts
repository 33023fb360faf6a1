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
import { isOpen, tellingOf } from './telling-of.js';

/**
 * How an operation is run whose responses do not tell which types came. Only such operations are run like that.
 *
 * The types come in the response, as `__typename` under a name that the document does not use, and are taken out of it
 * before anybody sees it. A listener of fields (Apollo's `willResolveField`) learns them too, but not those of objects of
 * which nothing but `__typename`, or nothing at all, is selected; it is called for each field; and where no other plugin has
 * one, the first makes Apollo wrap every resolver of the schema for good: one operation of one client slows down all others.
 */
export interface TypedExecution {
  /** To be executed instead. A copy: the document itself is in Apollo's store, and other plugins look at it. */
  readonly document: DocumentNode;
  /** Notes the types of the objects in a response to that document, and leaves in it what the client has asked for. */
  take(data: unknown): void;
}

/** Of objects that `take` has seen. */
const runtimeTypes = createObjectNotes<object, string>();

/** The name of the type that an object of a response was executed as; undefined: it was not noted. */
export function runtimeTypeOf(object: object): string | undefined {
  return runtimeTypes.get(object);
}

/** Undefined: what responses say is enough, or comes in parts, which are not looked at. */
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
    if (isOpen(position) || (position.groups.some(isDivided) && !tellingOf(position).saysTypes)) return true;
    // What hundreds of groups have in common is looked at once.
    const parts = new Set(position.groups.flatMap((group) => group.parts));
    return [...position.groups, ...parts].some(({ fields }) => {
      return fields.some(({ child }) => child !== undefined && search(child));
    });
  };
  return search(root);
}

/** Wherever several types are possible: below which position a selection set stands depends on who spreads it. */
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

/** Goes where the plan says that objects are, and not into what scalars hold: that belongs to the API. */
function createTake(root: PlanPosition, key: string): TypedExecution['take'] {
  const groupsOf = new Map<PlanPosition, ReadonlyMap<string, PlanGroup>>();
  const below = new Map<PlanGroup, readonly FieldBelow[]>();
  const holders = new Map<PlanPosition, boolean>();

  /** Whether the key can be in an object of the position, or below. */
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
