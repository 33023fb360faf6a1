/** The price of an operation as JSON: constant, or a formula. `packages/client/src/manifest.ts` works it out. */
export type PortablePrice = number | PortableFormula;

/** Instructions as in `cost-program.ts`, with nothing in them but data. */
interface PortableFormula {
  /** Those that decide something: name, type, and the default where there is one. */
  readonly variables: readonly PortableVariable[];
  readonly sizes: readonly PortableSize[];
  /** Three numbers for each instruction: which one, and what it is of. */
  readonly ops: readonly number[];
  /** A constant, then factors, each with its register. */
  readonly sums: readonly (readonly number[])[];
  readonly maxima: readonly (readonly number[])[];
  readonly weights: readonly PortableWeight[];
  /** The register that holds the sum of the profile's tariffs. */
  readonly result: number;
}

export type PortableVariable = readonly [name: string, type: string, defaultValue?: unknown];

/** The weight of an argument or input field, or of each element of its list; null: it has none of its own. */
export type PortableInputWeight = number | { readonly perElement: number } | null;

/** A field of an input object: its weight and its default. */
export type PortableField = readonly [name: string, type: string, weight: PortableInputWeight, defaultValue?: unknown];

/** By name; without the fields that can be null and neither cost nor size anything. */
export type PortableInputs = Readonly<Record<string, readonly PortableField[]>>;

/** A variable, by its place in `variables`, or a literal that has variables in it. */
export type PortableValue = { readonly v: number } | { readonly type: string; readonly literal: PortableLiteral };

export type PortableLiteral =
  | { readonly v: number }
  | { readonly list: readonly PortableLiteral[] }
  | { readonly object: Readonly<Record<string, PortableLiteral>> }
  | { readonly value: unknown };

/**
 * What gives a list its size: a number, or a value and where to look in it, with the sizes where there is no such value and
 * where it is negative.
 */
export type PortableAmount =
  | number
  | readonly [of: PortableValue, path: readonly string[], whenAbsent?: number | null, whenNegative?: number];

/** The largest of the amounts present, but not below the least, else something else. */
interface PortableAmounts {
  readonly from: readonly PortableAmount[];
  readonly otherwise?: number;
  readonly least?: number;
}

export interface PortableSize extends PortableAmounts {
  readonly otherwise: number;
  /** What a field above gives, where it gives anything: the larger of both counts. */
  readonly above?: number | PortableAmounts;
  /** Whether the size that the field above gives counts alone. Clients that do not know it take the larger of both. */
  readonly aboveWins?: true;
  /** Whether amounts of its own replace what the field above gives. */
  readonly ownReplaces?: true;
}

/** What the use of an argument weighs. */
export interface PortableWeight {
  readonly of: PortableValue;
  readonly type: string;
  /** Its own. */
  readonly weight: PortableInputWeight;
  /** What it weighs without a value. */
  readonly whenAbsent: number;
  /** What an input object without a weight of its own weighs. */
  readonly objectWeight: number;
  /** Whether each element of a list is a use by itself. */
  readonly byItem: boolean;
}

/** What keeps a price from being written down as data. */
export interface NotPortable {
  readonly reason: string;
}
