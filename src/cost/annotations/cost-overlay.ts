import type { ListSize } from './merge-list-sizes.js';

/** Annotations of one schema coordinate. */
export interface ExactPrice {
  cost?: number | string;
  /**
   * Whether `cost` is the weight of each element of the list that an argument or input field takes.
   * @default false
   */
  perElement?: boolean;
  listSize?: Partial<ListSize>;
  /**
   * Largest size that a caller may request of this list, or of the lists that get their size from
   * this field. A request for more is rejected.
   */
  maxSize?: number;
  /** Size of the list if no annotation, no argument and no field above it determines the size. */
  defaultSize?: number;
}

/**
 * Annotations of the elements that an overlay key matches. The members have the same names as the
 * arguments of `@cost` and `@listSize`.
 */
export interface OverlayEntry extends ExactPrice, Partial<ListSize> {
  /** Alias of `cost`. */
  weight?: number | string;
}

/**
 * Annotations of a schema that you cannot edit, by schema coordinate: `Type`, `Type.field`,
 * `Type.field(arg:)`, `@directive(arg:)`. A `*` in a name matches any characters: `*.edges`,
 * `Query.*`. A number is a weight.
 */
export type CostOverlay = Readonly<Record<string, OverlayEntry | number>>;
