/**
 * Price of an operation as JSON: a constant or a formula. `packages/client/src/manifest.ts`
 * evaluates it.
 */
export type PortablePrice = number | PortableFormula;

/** Instructions as in `cost-program.ts`, reduced to data. */
interface PortableFormula {
  /** Variables that affect the price: name, type, and the default if there is one. */
  readonly variables: readonly PortableVariable[];
  readonly sizes: readonly PortableSize[];
  /** Instructions of three numbers each: the operation and its two operands. */
  readonly ops: readonly number[];
  /** Sums. Each is a constant, followed by pairs of a factor and its register. */
  readonly sums: readonly (readonly number[])[];
  readonly maxima: readonly (readonly number[])[];
  readonly weights: readonly PortableWeight[];
  /** Register that holds the sum of the tariffs of the profile. */
  readonly result: number;
}

export type PortableVariable = readonly [name: string, type: string, defaultValue?: unknown];

/**
 * Weight of an argument or input field, or of each element of its list. Null if it has no weight of
 * its own.
 */
export type PortableInputWeight = number | { readonly perElement: number } | null;

/** Field of an input object with its weight and its default. */
export type PortableField = readonly [name: string, type: string, weight: PortableInputWeight, defaultValue?: unknown];

/**
 * Fields of input objects by the name of the type. Nullable fields that affect neither a cost nor a
 * size are left out.
 */
export type PortableInputs = Readonly<Record<string, readonly PortableField[]>>;

/** Variable, by its place in `variables`, or literal that contains variables. */
export type PortableValue = { readonly v: number } | { readonly type: string; readonly literal: PortableLiteral };

export type PortableLiteral =
  | { readonly v: number }
  | { readonly list: readonly PortableLiteral[] }
  | { readonly object: Readonly<Record<string, PortableLiteral>> }
  | { readonly value: unknown };

/**
 * Source of the size of a list: a number, or a value with the path to the size in it. The last two
 * members are the sizes for an absent and for a negative value.
 */
export type PortableAmount =
  | number
  | readonly [of: PortableValue, path: readonly string[], whenAbsent?: number | null, whenNegative?: number];

/**
 * Size that is the largest of the present amounts, but at least `least`. If no amount is present,
 * it is `otherwise`.
 */
interface PortableAmounts {
  readonly from: readonly PortableAmount[];
  readonly otherwise?: number;
  readonly least?: number;
}

export interface PortableSize extends PortableAmounts {
  readonly otherwise: number;
  /** Size that a field above gives, if any. The larger of both sizes counts. */
  readonly above?: number | PortableAmounts;
  /**
   * Whether only the size from the field above counts. Clients that do not know this member take
   * the larger size.
   */
  readonly aboveWins?: true;
  /** Whether own amounts replace the size from the field above. */
  readonly ownReplaces?: true;
}

/** Weight of the use of an argument. */
export interface PortableWeight {
  readonly of: PortableValue;
  readonly type: string;
  /** Own weight of the argument. */
  readonly weight: PortableInputWeight;
  /** Weight without a value. */
  readonly whenAbsent: number;
  /** Weight of an input object that has no weight of its own. */
  readonly objectWeight: number;
  /** Whether each element of a list counts as a use. */
  readonly byItem: boolean;
}

/** Result for a price that cannot be written as data. */
export interface NotPortable {
  readonly reason: string;
}
