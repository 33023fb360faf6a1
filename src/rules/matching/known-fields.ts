import { type GraphQLSchema, isInterfaceType, isObjectType, isUnionType } from 'graphql';
import type { OperationType } from '../../model/rule.js';
import { nearestName } from '../../options/nearest-name.js';

/** The fields of one or several schemas, for checks of field patterns. */
export interface KnownFields {
  /**
   * Whether an operation can select a field that the pattern of a rule matches (`Type.field`,
   * `Type.*`, `*.field`, `*`).
   */
  has(pattern: string): boolean;
  /** Returns the most similar pattern that matches a field, or undefined if none is similar. */
  nearest(pattern: string): string | undefined;
  hasOperations(type: OperationType): boolean;
}

type FieldsByType = ReadonlyMap<string, ReadonlySet<string>>;

const read = new WeakMap<GraphQLSchema, FieldsByType>();

/**
 * Returns the fields of all schemas together. Returns undefined without a schema, because then no
 * field is known.
 */
export function createKnownFields(schemas: readonly GraphQLSchema[]): KnownFields | undefined {
  if (schemas.length === 0) return undefined;
  const all = schemas.map(fieldsByType);
  const fieldsOf = (type: string) => new Set(all.flatMap((types) => [...(types.get(type) ?? [])]));
  const typeNames = () => new Set(all.flatMap((types) => [...types.keys()].filter((name) => !name.startsWith('__'))));

  function typesWith(field: string): string[] {
    return all.flatMap((types) => [...types].filter(([, fields]) => fields.has(field)).map(([name]) => name));
  }

  function nearestOnType(type: string, field: string): string | undefined {
    const own = nearestName(field, fieldsOf(type));
    if (own !== undefined) return `${type}.${own}`;
    const [elsewhere] = typesWith(field);
    return elsewhere === undefined ? undefined : `${elsewhere}.${field}`;
  }

  return {
    has(pattern) {
      const [type = '', field = ''] = pattern.split('.');
      if (type === '*' && (field === '*' || field === '')) return true;
      if (type === '*') return all.some((types) => [...types.values()].some((fields) => fields.has(field)));
      return all.some((types) => (field === '*' ? types.has(type) : (types.get(type)?.has(field) ?? false)));
    },

    nearest(pattern) {
      const [type = '', field = ''] = pattern.split('.');
      if (type === '*') {
        const nearest = nearestName(field, new Set([...typeNames()].flatMap((name) => [...fieldsOf(name)])));
        return nearest && `*.${nearest}`;
      }
      if (fieldsOf(type).size > 0) return nearestOnType(type, field);
      // Among types with a similar name, one that has the field is preferred.
      const withField = field === '*' ? undefined : nearestName(type, typesWith(field));
      if (withField !== undefined) return `${withField}.${field}`;
      const nearest = nearestName(type, typeNames());
      if (nearest !== undefined)
        return field === '*' ? `${nearest}.*` : (nearestOnType(nearest, field) ?? `${nearest}.*`);
      return field === '*' ? undefined : nearestOnType(type, field);
    },

    hasOperations: (type) => schemas.some((schema) => rootOf(schema, type) !== undefined),
  };
}

function rootOf(schema: GraphQLSchema, type: OperationType) {
  if (type === 'QUERY') return schema.getQueryType();
  return type === 'MUTATION' ? schema.getMutationType() : schema.getSubscriptionType();
}

function fieldsByType(schema: GraphQLSchema): FieldsByType {
  const known = read.get(schema);
  if (known) return known;
  const types = new Map<string, Set<string>>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type) || isInterfaceType(type)) {
      types.set(type.name, new Set([...Object.keys(type.getFields()), '__typename']));
    } else if (isUnionType(type)) types.set(type.name, new Set(['__typename']));
  }
  const query = schema.getQueryType();
  for (const field of ['__schema', '__type']) if (query) types.get(query.name)?.add(field);
  read.set(schema, types);
  return types;
}
