/** List of objects, identified by its type and field name. */
export interface ListPlace {
  readonly owner: string;
  readonly name: string;
  /** Whether the list holds errors. */
  readonly isErrors: boolean;
}

/** Field that is priced by the default list size, because nothing gives its lists a size. */
export interface ListGuess {
  readonly coordinate: string;
  /**
   * `ALWAYS`: in every operation, or below some of the fields that lead to it. `SOMETIMES`: if its
   * arguments are absent.
   */
  readonly kind: 'ALWAYS' | 'SOMETIMES';
  readonly message: string;
  /** Lists that have the default size: the field itself, or lists below it. */
  readonly lists: readonly ListPlace[];
  /** Arguments that size the lists if they are present. */
  readonly arguments: readonly string[];
  /** Whether the list has a size on other paths, which an `assumedSize` would replace. */
  readonly isSizedElsewhere: boolean;
}
