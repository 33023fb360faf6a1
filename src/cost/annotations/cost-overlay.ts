import type { ListSize } from './merge-list-sizes.js';

/** What is said of one coordinate. */
export interface ExactPrice {
  cost?: number | string;
  /** Whether `cost` is the weight of each element of the list that an argument or input field takes. @default false */
  perElement?: boolean;
  listSize?: Partial<ListSize>;
  /** The largest size that a caller may ask of this list, or of the lists that this field sizes: more is refused. */
  maxSize?: number;
  /** How long the list is where neither an annotation, nor an argument, nor a field above it gives it a size. */
  defaultSize?: number;
}

/** What an overlay says of what its key names; the same words as the directives. */
export interface OverlayEntry extends ExactPrice, Partial<ListSize> {
  /** The same as `cost`. */
  weight?: number | string;
}

/**
 * Annotations of a schema that is not ours, by schema coordinate: `Type`, `Type.field`, `Type.field(arg:)`,
 * `@directive(arg:)`. A `*` in a name stands for any letters: `*.edges`, `Query.*`. A number is a weight.
 */
export type CostOverlay = Readonly<Record<string, OverlayEntry | number>>;
