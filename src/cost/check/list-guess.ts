/** List of objects, identified by its field: the type that has the field, and the field's name. */
export interface ListPlace {
  readonly owner: string;
  readonly name: string;
  /** Whether the list contains errors, judged by its name and type. */
  readonly isErrors: boolean;
}

/**
 * Field whose lists are priced by the default list size, because nothing else determines their
 * size.
 */
export interface ListGuess {
  readonly coordinate: string;
  /**
   * When the default list size applies. `ALWAYS`: in every operation, or in every operation that
   * reaches the list through certain fields. `SOMETIMES`: only if the sizing arguments are absent.
   */
  readonly kind: 'ALWAYS' | 'SOMETIMES';
  readonly message: string;
  /** Lists that have the default size: the field itself, or lists below it. */
  readonly lists: readonly ListPlace[];
  /** Arguments that size the lists if they are present. */
  readonly arguments: readonly string[];
  /** Whether the list may have a size on other paths, which an `assumedSize` would replace. */
  readonly isSizedElsewhere: boolean;
}
