/** Size of a list. The members have the names of the `@listSize` arguments. */
export interface ListSize {
  assumedSize: number | undefined;
  slicingArguments: readonly string[];
  /** Field names, or paths such as `results { page }`. */
  sizedFields: readonly string[];
  /** Whether exactly one slicing argument is required. Undefined if the annotation omits it. */
  requireOneSlicingArgument: boolean | undefined;
}

/** List size of a field without annotation, inferred from the names of its arguments. */
export interface InferredListSize extends ListSize {
  /** Whether the size applies to the page lists below the field (`page-lists.ts`). */
  sizesPages: boolean;
  /** See `SizingArguments`. */
  exactLevels: number;
}

/** Size of the lists of a field, annotated or inferred. */
export type FieldListSize = ListSize & Partial<InferredListSize>;

/**
 * Members that a list size may have in an annotation. `slicingArgumentDefaultValue` is Hot
 * Chocolate's name for the size without slicing arguments.
 */
export const LIST_SIZE_MEMBERS = [
  'assumedSize',
  'slicingArguments',
  'slicingArgumentDefaultValue',
  'sizedFields',
  'requireOneSlicingArgument',
] as const;

/** Returns whether a list size determines no size, so that the list has the default size. */
export function lacksSize({ assumedSize, slicingArguments }: ListSize): boolean {
  return assumedSize === undefined && slicingArguments.length === 0;
}

/** Merges several list sizes of one field into one that has the largest of their sizes. */
export function mergeListSizes(all: readonly ListSize[]): ListSize {
  const assumed = all.flatMap(({ assumedSize }) => assumedSize ?? []);
  const sliced = all.filter(({ slicingArguments }) => slicingArguments.length > 0);
  return {
    assumedSize: assumed.length === 0 ? undefined : Math.max(...assumed),
    slicingArguments: [...new Set(all.flatMap(({ slicingArguments }) => slicingArguments))],
    sizedFields: [...new Set(all.flatMap(({ sizedFields }) => sizedFields))],
    // Each `@listSize` may require exactly one of its own arguments. A valid call may then have
    // several of the merged arguments.
    requireOneSlicingArgument: sliced.length === 1 ? sliced[0]!.requireOneSlicingArgument : false,
  };
}

/** Message for several `@listSize` that contradict each other. */
export const SEVERAL_LIST_SIZES =
  'several @listSize that contradict each other: use the same sizedFields, and do not combine assumedSize with slicingArguments; or write one @listSize';

/**
 * Returns whether the list sizes do not contradict each other, so that `mergeListSizes` can merge
 * them.
 */
export function agree(all: readonly ListSize[]): boolean {
  const isAssumed = all.some(({ assumedSize }) => assumedSize !== undefined);
  const isSliced = all.some(({ slicingArguments }) => slicingArguments.length > 0);
  const sized = new Set(all.map(({ sizedFields }) => [...sizedFields].sort().join()));
  return sized.size === 1 && !(isAssumed && isSliced);
}
