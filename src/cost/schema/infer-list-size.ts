import {
  type GraphQLField,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLInt,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import type { ListSize } from './merge-list-sizes.js';

/** Arguments that give a number of items, and those that are a list of what is asked for, one item each. */
const NUMBERS = ['first', 'last', 'limit', 'take', 'pageSize', 'count'] as const;
const LISTS = ['ids', 'representations'] as const;
const RELAY = ['first', 'last'] as const;

export const SIZING_ARGUMENTS = [...NUMBERS, ...LISTS] as const;

export type SizingArgument = (typeof SIZING_ARGUMENTS)[number];

export interface InferenceOptions {
  /** Of which names arguments size the list of their field, where nothing is annotated. */
  readonly arguments: ReadonlySet<string>;
  /** Whether `edges` and `nodes` of a Relay connection are sized by its arguments: `first` and `last` if by no others. */
  readonly connections: boolean;
}

/** Those of them that count. */
export function readSizingArguments(given: boolean | Partial<Record<SizingArgument, boolean>>): Set<string> {
  if (typeof given === 'boolean') return new Set(given ? SIZING_ARGUMENTS : []);
  return new Set(SIZING_ARGUMENTS.filter((name) => given[name] !== false));
}

/** The size of a list that nobody has annotated, by the names of its arguments; undefined: they say nothing. */
export function inferListSize(
  field: GraphQLField<unknown, unknown>,
  { arguments: inferred, connections }: InferenceOptions,
): ListSize | undefined {
  const isList = isListType(getNullableType(field.type));
  if (!isList && !connections) return undefined;
  const slicingArguments = field.args
    .filter(({ name, type }) => (inferred.has(name) || (!isList && isRelay(name))) && fits(name, type))
    .map(({ name }) => name);
  const sizedFields = isList ? [] : listsOfConnection(field);
  if (slicingArguments.length === 0 || (!isList && sizedFields.length === 0)) return undefined;
  return { assumedSize: undefined, slicingArguments, sizedFields, requireOneSlicingArgument: false };
}

function listsOfConnection(field: GraphQLField<unknown, unknown>): string[] {
  const type = getNamedType(field.type);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return ['edges', 'nodes'].filter((name) => {
    const candidate = type.getFields()[name];
    return candidate !== undefined && isListType(getNullableType(candidate.type));
  });
}

function isRelay(name: string): boolean {
  return (RELAY as readonly string[]).includes(name);
}

/** An argument of the name with a type that can hold no such thing is about something else. */
function fits(name: string, type: GraphQLInputType): boolean {
  const nullable = getNullableType(type);
  if ((LISTS as readonly string[]).includes(name)) return isListType(nullable);
  // Numbers of TypeScript become Float in schemas built from classes.
  if (nullable === GraphQLInt || nullable === GraphQLFloat) return true;
  return isScalarType(nullable) && !isSpecifiedScalarType(nullable) && /int|long/i.test(nullable.name);
}
