/** A list of objects, by the type that it is on and its name. */
export interface ListPlace {
  readonly owner: string;
  readonly name: string;
  /** Whether it lists what went wrong. */
  readonly isErrors: boolean;
}

/** A field that is priced by the default list size, as nothing says how long its lists are. */
export interface ListGuess {
  readonly coordinate: string;
  /** `ALWAYS`: in every operation, or below some of the fields that lead to it. `SOMETIMES`: where its arguments are left out. */
  readonly kind: 'ALWAYS' | 'SOMETIMES';
  readonly message: string;
  /** The lists that have the default size: the field itself, or lists below it. */
  readonly lists: readonly ListPlace[];
  /** The arguments that size the lists where they are given. */
  readonly arguments: readonly string[];
  /** Whether the list has a size of its own in other places, which an `assumedSize` would replace. */
  readonly isSizedElsewhere: boolean;
}
