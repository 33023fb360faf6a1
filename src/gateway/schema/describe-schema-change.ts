import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import { defaultValueOf } from '../../cost/values/coerce-input.js';

/** Maximum number of listed coordinates of each kind of change. */
const MOST_NAMED = 5;

/**
 * Describes the differences between two schemas for a log:
 * `2 added (Query.a, Query.b), 1 removed (Item.c)`.
 */
export function describeSchemaChange(before: GraphQLSchema, after: GraphQLSchema): string {
  const old = signaturesOf(before);
  const fresh = signaturesOf(after);
  const added = [...fresh.keys()].filter((coordinate) => !old.has(coordinate));
  const removed = [...old.keys()].filter((coordinate) => !fresh.has(coordinate));
  const changed = [...fresh].flatMap(([coordinate, signature]) =>
    old.has(coordinate) && old.get(coordinate) !== signature ? [coordinate] : [],
  );
  const parts = [counted(added, 'added'), counted(removed, 'removed'), counted(changed, 'changed')].filter(Boolean);
  return parts.length === 0 ? 'only descriptions or prices' : parts.join(', ');
}

function counted(coordinates: readonly string[], what: string): string {
  if (coordinates.length === 0) return '';
  const rest = coordinates.length > MOST_NAMED ? ', ...' : '';
  return `${coordinates.length} ${what} (${coordinates.slice(0, MOST_NAMED).join(', ')}${rest})`;
}

/** Returns the signature of every coordinate that an operation can use. */
export function signaturesOf(schema: GraphQLSchema): Map<string, string> {
  const found = new Map<string, string>();
  for (const type of Object.values(schema.getTypeMap())) {
    const { name } = type;
    if (name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        const args = field.args.map((one) => `${one.name}: ${typeOf(one)}`);
        found.set(`${name}.${field.name}`, `${args.length === 0 ? '' : `(${args.join(', ')}): `}${field.type}`);
      }
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        found.set(`${name}.${field.name}`, typeOf(field));
      }
    } else if (isEnumType(type)) {
      for (const value of type.getValues()) found.set(`${name}.${value.name}`, 'enum value');
    } else {
      const members = isUnionType(type) ? type.getTypes().map((member) => member.name) : ['scalar'];
      found.set(name, members.sort().join(' | '));
    }
  }
  return found;
}

function typeOf(input: GraphQLArgument | GraphQLInputField): string {
  const value = defaultValueOf(input);
  return value === undefined ? String(input.type) : `${input.type} = ${JSON.stringify(value)}`;
}
