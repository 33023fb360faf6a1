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
  /**
   * Whether the arguments of a field that returns an object set the sizes of the page lists below
   * it (`page-lists.ts`). If true, `first` and `last` do so even if they are not in `arguments`.
   */
  readonly pages: boolean;
  /** Names that the options set to false, because they have another meaning in the schema. */
  readonly excluded: ReadonlySet<SizingArgument>;
}

/** Arguments that size lists: all (true), none (false), or all except those set to false. */
type SizingChoice = boolean | Partial<Record<SizingArgument, boolean>>;

function readSizingArguments(given: SizingChoice): Set<string> {
  if (typeof given === 'boolean') return new Set(given ? SIZING_ARGUMENTS : []);
  return new Set(SIZING_ARGUMENTS.filter((name) => given[name] !== false));
}

/** Reads the inference options. The profile supplies the values that the options omit. */
export function readInference(
  given: { readonly inferListSizes?: SizingChoice; readonly inferConnections?: boolean },
  profile: { readonly inferListSizes: boolean; readonly inferConnections: boolean },
): InferenceOptions {
  const { inferListSizes = profile.inferListSizes, inferConnections = profile.inferConnections } = given;
  const isExcluded = (name: SizingArgument) => typeof inferListSizes === 'object' && inferListSizes[name] === false;
  return {
    arguments: readSizingArguments(inferListSizes),
    pages: inferConnections,
    excluded: new Set(SIZING_ARGUMENTS.filter(isExcluded)),
  };
}

/** Options that disable inference, for annotations that are read without a schema. */
export const NO_INFERENCE: InferenceOptions = { arguments: new Set(), pages: false, excluded: new Set() };

interface InferredField {
  readonly field: GraphQLField<unknown, unknown>;
  readonly isMutation: boolean;
  /** Whether the object that the field returns leads to page lists. */
  readonly leadsToPages: () => boolean;
}

/**
 * Returns the list size inferred from the arguments of a field without annotation. Returns
 * undefined if no argument sizes a list.
 */
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

/** Finds the arguments that size the lists of a field according to the inference options. */
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
