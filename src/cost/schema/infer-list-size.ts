import {
  type GraphQLField,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLInt,
  getNamedType,
  getNullableType,
  isInputObjectType,
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

/** A filter is an input object too: what it calls `count` or `ids` says which items, not how many. */
const IN_OBJECTS: ReadonlySet<string> = new Set(NUMBERS.filter((name) => name !== 'count'));
const PAGE = /^pag(e|ing|inat)/i;

export const SIZING_ARGUMENTS = [...NUMBERS, ...LISTS] as const;

export type SizingArgument = (typeof SIZING_ARGUMENTS)[number];

export interface InferenceOptions {
  /** Of which names arguments size the list of their field, where nothing is annotated. */
  readonly arguments: ReadonlySet<string>;
  /** Whether `edges` and `nodes` of a Relay connection are sized by its arguments: `first` and `last` if by no others. */
  readonly connections: boolean;
}

/** Which arguments count: all, none, or those that are not left out. */
type SizingChoice = boolean | Partial<Record<SizingArgument, boolean>>;

function readSizingArguments(given: SizingChoice): Set<string> {
  if (typeof given === 'boolean') return new Set(given ? SIZING_ARGUMENTS : []);
  return new Set(SIZING_ARGUMENTS.filter((name) => given[name] !== false));
}

/** What is inferred by these options, and by the profile where they do not say. */
export function readInference(
  given: { readonly inferListSizes?: SizingChoice; readonly inferConnections?: boolean },
  profile: { readonly inferListSizes: boolean; readonly inferConnections: boolean },
): InferenceOptions {
  const { inferListSizes = profile.inferListSizes, inferConnections = profile.inferConnections } = given;
  return { arguments: readSizingArguments(inferListSizes), connections: inferConnections };
}

/** The size of a list without annotation, by the names of its arguments; undefined: they say nothing. */
export function inferListSize(
  field: GraphQLField<unknown, unknown>,
  { arguments: inferred, connections }: InferenceOptions,
): ListSize | undefined {
  const isList = isListType(getNullableType(field.type));
  if (!isList && !connections) return undefined;
  const counts = (name: string): boolean => inferred.has(name) || (!isList && isRelay(name));
  const slicingArguments = field.args.flatMap(({ name, type }) =>
    counts(name) && fits(name, type) ? [name] : pathsInto(type, counts).map((path) => `${name}.${path}`),
  );
  const sizedFields = isList ? [] : listsOfConnection(field);
  if (slicingArguments.length === 0 || (!isList && sizedFields.length === 0)) return undefined;
  return { assumedSize: undefined, slicingArguments, sizedFields, requireOneSlicingArgument: false };
}

/** Where in an input object the number of items is said: in its own members, and in one that is about pages. */
function pathsInto(type: GraphQLInputType, counts: (name: string) => boolean, isPage = false): string[] {
  const object = getNullableType(type);
  if (!isInputObjectType(object)) return [];
  return Object.values(object.getFields()).flatMap((member) => {
    if (IN_OBJECTS.has(member.name) && counts(member.name) && fits(member.name, member.type)) return [member.name];
    // Once: input types may hold themselves.
    if (isPage || !PAGE.test(member.name)) return [];
    return pathsInto(member.type, counts, true).map((path) => `${member.name}.${path}`);
  });
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
