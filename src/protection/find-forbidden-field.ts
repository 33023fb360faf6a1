import {
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { OperationRequest } from './operation.js';

/** Decides which fields of a schema operations with an API key may select. */
interface FieldGrant {
  /** Returns the coordinate of the first object field that is not allowed, or undefined. */
  forbidden(type: GraphQLCompositeType, field: string): string | undefined;
}

/**
 * Returns the coordinate of the first field of an operation that an API key with these fields may
 * not select, or undefined if the key may select all of them.
 *
 * - A field of a root type must be listed.
 * - A field of another type must be listed if any field of that type is listed.
 * - `Type.*` lists all fields of a type except `__schema` and `__type`.
 * - An entry of an interface lists the field on each type that implements the interface. A field
 *   that is selected on an interface is checked on each of these types.
 * - `__typename` is always allowed.
 *
 * Every selection counts, even if `@skip` or `@include` excludes it. Otherwise the result would
 * depend on variables.
 */
export function findForbiddenField(
  { schema, document, operation }: Pick<OperationRequest, 'schema' | 'document' | 'operation'>,
  fields: readonly string[],
): string | undefined {
  const grant = grantOf(schema, fields);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  // A list instead of recursion, which could overflow the call stack for a deeply nested document.
  const open: [SelectionSetNode, GraphQLCompositeType | undefined][] = [
    [operation.selectionSet, schema.getRootType(operation.operation) ?? undefined],
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [{ selections }, type] = next;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const { name, selectionSet } = selection;
        if (type === undefined) continue; // The type is unknown, so the document is invalid.
        const coordinate = grant.forbidden(type, name.value);
        if (coordinate !== undefined) return coordinate;
        if (selectionSet) open.push([selectionSet, childOf(type, name.value)]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const { typeCondition, selectionSet } = selection;
        open.push([selectionSet, typeCondition ? compositeOf(schema.getType(typeCondition.name.value)) : type]);
      } else {
        const fragment = fragments.get(selection.name.value);
        // Every use of a fragment has the same result.
        fragments.delete(selection.name.value);
        if (fragment) {
          open.push([fragment.selectionSet, compositeOf(schema.getType(fragment.typeCondition.name.value))]);
        }
      }
    }
  }
  return undefined;
}

function childOf(type: GraphQLCompositeType, field: string): GraphQLCompositeType | undefined {
  return isUnionType(type) ? undefined : compositeOf(getNamedType(type.getFields()[field]?.type));
}

function compositeOf(type: GraphQLNamedType | undefined): GraphQLCompositeType | undefined {
  return isCompositeType(type) ? type : undefined;
}

const grants = new WeakMap<GraphQLSchema, Map<string, FieldGrant>>();
/** Maximum number of different lists whose grants are cached for one schema. */
const MAX_GRANTS = 200;

function grantOf(schema: GraphQLSchema, fields: readonly string[]): FieldGrant {
  let ofSchema = grants.get(schema);
  if (ofSchema === undefined) {
    ofSchema = new Map();
    grants.set(schema, ofSchema);
  }
  const key = fields.join(' ');
  let grant = ofSchema.get(key);
  if (grant === undefined) {
    grant = createGrant(schema, fields);
    if (ofSchema.size >= MAX_GRANTS) ofSchema.clear();
    ofSchema.set(key, grant);
  }
  return grant;
}

function createGrant(schema: GraphQLSchema, fields: readonly string[]): FieldGrant {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  const listed = new Map<GraphQLObjectType, Set<string>>();
  for (const coordinate of fields) {
    const [typeName = '', field = ''] = coordinate.split('.');
    const type = schema.getType(typeName);
    const isWhole = field === '*' && (isObjectType(type) || isInterfaceType(type));
    const names = isWhole ? Object.keys(type.getFields()) : [field];
    for (const object of objectsOf(schema, type)) {
      const known = listed.get(object) ?? new Set();
      listed.set(object, known);
      for (const name of names) known.add(name);
    }
  }
  const results = new Map<GraphQLCompositeType, Map<string, string | undefined>>();

  function allows(type: GraphQLObjectType, field: string): boolean {
    const ofType = listed.get(type);
    return ofType === undefined ? !roots.has(type) : ofType.has(field);
  }

  function forbidden(type: GraphQLCompositeType, field: string): string | undefined {
    const found = objectsOf(schema, type).find((object) => !allows(object, field));
    return found && `${found.name}.${field}`;
  }

  return {
    forbidden(type, field) {
      if (field === '__typename') return undefined;
      let ofType = results.get(type);
      if (ofType === undefined) {
        ofType = new Map();
        results.set(type, ofType);
      }
      if (ofType.has(field)) return ofType.get(field);
      const result = forbidden(type, field);
      // Callers choose the names of unknown fields, so their results are not cached.
      const isKnown = !isUnionType(type) && Object.hasOwn(type.getFields(), field);
      if (isKnown) ofType.set(field, result);
      return result;
    },
  };
}

function objectsOf(schema: GraphQLSchema, type: GraphQLNamedType | undefined): readonly GraphQLObjectType[] {
  if (isObjectType(type)) return [type];
  return isInterfaceType(type) ? schema.getPossibleTypes(type) : [];
}
