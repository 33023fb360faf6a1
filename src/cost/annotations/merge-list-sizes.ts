/** How long a list is; names as in `@listSize`. */
export interface ListSize {
  assumedSize: number | undefined;
  slicingArguments: readonly string[];
  /** Names, or paths such as `results { page }`. */
  sizedFields: readonly string[];
  /** Undefined: nothing is said of it. */
  requireOneSlicingArgument: boolean | undefined;
}

/** The size of a field without annotation, by the names of its arguments. */
export interface InferredListSize extends ListSize {
  /** Whether the size is that of the pages below the field; never beside `sizedFields`. */
  sizesPages: boolean;
  /** See `SizingArguments`. */
  exactLevels: number;
}

/** How long the lists of a field are, annotated or inferred. */
export type FieldListSize = ListSize & Partial<InferredListSize>;

/** Its members as they are written: also Hot Chocolate's word for the size where no argument is given. */
export const LIST_SIZE_MEMBERS = [
  'assumedSize',
  'slicingArguments',
  'slicingArgumentDefaultValue',
  'sizedFields',
  'requireOneSlicingArgument',
] as const;

/** Whether it leaves a list the default size, whatever an operation asks for. */
export function saysNoSize({ assumedSize, slicingArguments }: ListSize): boolean {
  return assumedSize === undefined && slicingArguments.length === 0;
}

/** Several of one field as one: the largest of their sizes. */
export function mergeListSizes(all: readonly ListSize[]): ListSize {
  const assumed = all.flatMap(({ assumedSize }) => assumedSize ?? []);
  const sliced = all.filter(({ slicingArguments }) => slicingArguments.length > 0);
  return {
    assumedSize: assumed.length === 0 ? undefined : Math.max(...assumed),
    slicingArguments: [...new Set(all.flatMap(({ slicingArguments }) => slicingArguments))],
    sizedFields: [...new Set(all.flatMap(({ sizedFields }) => sizedFields))],
    // Each of them asks for one of its own arguments: one of each may be given.
    requireOneSlicingArgument: sliced.length === 1 ? sliced[0]!.requireOneSlicingArgument : false,
  };
}

/** The mistake where they do not agree. */
export const SEVERAL_LIST_SIZES =
  'several @listSize: expected all of them to name the same sizedFields, and none an assumedSize where another one has slicingArguments; write one @listSize';

/** Whether one list size says what several do: the largest of their sizes. */
export function agree(all: readonly ListSize[]): boolean {
  const isAssumed = all.some(({ assumedSize }) => assumedSize !== undefined);
  const isSliced = all.some(({ slicingArguments }) => slicingArguments.length > 0);
  const sized = new Set(all.map(({ sizedFields }) => [...sizedFields].sort().join()));
  return sized.size === 1 && !(isAssumed && isSliced);
}
