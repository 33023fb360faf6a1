/**
 * Price of an operation as JSON: a constant or a formula. `packages/client/src/manifest.ts`
 * evaluates it.
 */
export type PortablePrice = number | PortableFormula;

/** Instructions as in `formula-algebra.ts`, in a form that JSON can represent. */
interface PortableFormula {
  /** Variables that affect the price. Each has a name, a type and, if there is one, a default. */
  readonly variables: readonly PortableVariable[];
  readonly sizes: readonly PortableSize[];
  /** Instructions of three numbers each: the operation and its two operands. */
  readonly ops: readonly number[];
  /** Sums. Each is a constant, followed by pairs of a factor and a register. */
  readonly sums: readonly (readonly number[])[];
  readonly maxima: readonly (readonly number[])[];
  readonly weights: readonly PortableWeight[];
  /** Register whose value is the sum under all tariffs of the profile. */
  readonly result: number;
}

export type PortableVariable = readonly [name: string, type: string, defaultValue?: unknown];

/**
 * Weight of an argument or input field, or of each element of its list. Null if it has no weight
 * annotation.
 */
export type PortableInputWeight = number | { readonly perElement: number } | null;

/** Field of an input object with its weight and its default. */
export type PortableField = readonly [name: string, type: string, weight: PortableInputWeight, defaultValue?: unknown];

/**
 * Fields of input objects, by the name of the type. A nullable field is omitted if it has neither a
 * weight nor a default, and takes neither a list nor an input object.
 */
export type PortableInputs = Readonly<Record<string, readonly PortableField[]>>;

/** Variable, by its index in `variables`, or literal that contains variables. */
export type PortableValue = { readonly v: number } | { readonly type: string; readonly literal: PortableLiteral };

export type PortableLiteral =
  | { readonly v: number }
  | { readonly list: readonly PortableLiteral[] }
  | { readonly object: Readonly<Record<string, PortableLiteral>> }
  | { readonly value: unknown };

/**
 * Source of the size of a list: a number, or a value and the path to the size in it. `whenAbsent`
 * and `whenNegative` are the sizes for an absent and for a negative value.
 */
export type PortableAmount =
  | number
  | readonly [of: PortableValue, path: readonly string[], whenAbsent?: number | null, whenNegative?: number];

/**
 * Rule for a size. The size is the largest of the amounts that are present, but at least `least`.
 * If no amount is present, the size is `otherwise`.
 */
interface PortableAmounts {
  readonly from: readonly PortableAmount[];
  readonly otherwise?: number;
  readonly least?: number;
}

export interface PortableSize extends PortableAmounts {
  readonly otherwise: number;
  /**
   * Size that a field above sets, if any. The larger of both sizes applies, unless `aboveWins` or
   * `ownReplaces` is set.
   */
  readonly above?: number | PortableAmounts;
  /**
   * Whether only the size from the field above applies. Older clients ignore this member and use
   * the larger size.
   */
  readonly aboveWins?: true;
  /** Whether amounts in `from` replace the size from the field above. */
  readonly ownReplaces?: true;
  /**
   * Size to use instead if the request sets none of the amounts in `unless`. Older clients ignore
   * this member.
   */
  readonly orElse?: { readonly unless: PortableAmounts; readonly size: PortableSize };
}

/** Data for the weight of one argument in an operation. */
export interface PortableWeight {
  readonly of: PortableValue;
  readonly type: string;
  /** Weight annotation of the argument. */
  readonly weight: PortableInputWeight;
  /** Weight if the argument has no value. */
  readonly whenAbsent: number;
  /** Weight of each input object in the value that has no weight annotation. */
  readonly objectWeight: number;
  /** Whether the weight counts for each element of a list, instead of once for the list. */
  readonly byItem: boolean;
}

/** Result for a price that JSON cannot represent. */
export interface NotPortable {
  readonly reason: string;
}
