import { type GraphQLField, getNullableType, isListType } from 'graphql';
import type { InferredListSize } from './merge-list-sizes.js';
import {
  findSizingArguments,
  SIZING_ARGUMENTS,
  type SizingArgument,
  type SizingArguments,
} from './sizing-arguments.js';

export interface InferenceOptions {
  /** Names of the arguments that size lists without annotations. */
  readonly arguments: ReadonlySet<string>;
  /** Whether arguments size the pages below a field that returns an object: `first` and `last` if no others count. */
  readonly pages: boolean;
}

/** Which arguments count: all, none, or those that are not left out. */
type SizingChoice = boolean | Partial<Record<SizingArgument, boolean>>;

function readSizingArguments(given: SizingChoice): Set<string> {
  if (typeof given === 'boolean') return new Set(given ? SIZING_ARGUMENTS : []);
  return new Set(SIZING_ARGUMENTS.filter((name) => given[name] !== false));
}

/** Reads what the options let be inferred; the profile decides where they are silent. */
export function readInference(
  given: { readonly inferListSizes?: SizingChoice; readonly inferConnections?: boolean },
  profile: { readonly inferListSizes: boolean; readonly inferConnections: boolean },
): InferenceOptions {
  const { inferListSizes = profile.inferListSizes, inferConnections = profile.inferConnections } = given;
  return { arguments: readSizingArguments(inferListSizes), pages: inferConnections };
}

/** Infers nothing: for what is read without a schema. */
export const NO_INFERENCE: InferenceOptions = { arguments: new Set(), pages: false };

interface InferredField {
  readonly field: GraphQLField<unknown, unknown>;
  readonly isMutation: boolean;
  /** Whether pages can be reached from the object that the field returns. */
  readonly leadsToPages: () => boolean;
}

/** Returns the size that the arguments of a field without annotation say; undefined: they say nothing. */
export function inferListSize(
  { field, isMutation, leadsToPages }: InferredField,
  inference: InferenceOptions,
): InferredListSize | undefined {
  const isList = isListType(getNullableType(field.type));
  if (!isList && !inference.pages) return undefined;
  const { paths, exactLevels } = inferSizingArguments(field, isMutation, inference);
  if (paths.length === 0 || (!isList && !leadsToPages())) return undefined;
  return {
    assumedSize: undefined,
    slicingArguments: paths,
    sizedFields: [],
    requireOneSlicingArgument: false,
    sizesPages: !isList,
    exactLevels,
  };
}

/** Finds the arguments that count for a field by what may be inferred. */
export function inferSizingArguments(
  field: GraphQLField<unknown, unknown>,
  isMutation: boolean,
  { arguments: inferred, pages }: InferenceOptions,
): SizingArguments {
  const isList = isListType(getNullableType(field.type));
  const counts = (name: SizingArgument): boolean =>
    inferred.has(name) || (!isList && pages && (name === 'first' || name === 'last'));
  return findSizingArguments(field, { counts, isMutation });
}
