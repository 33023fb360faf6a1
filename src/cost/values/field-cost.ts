/** Cost of one field of an operation. */
export interface FieldCost {
  /**
   * Coordinate as the client selected it. For a selection on an interface, it is that of the
   * interface.
   */
  readonly coordinate: string;
  /** Number of calls of the resolver. */
  readonly calls: number;
  /** Cost of the calls and of the objects they produce, without the selections on those. */
  readonly cost: number;
}

/**
 * Calls and own costs of fields, each at the index of its coordinate. The form is meant for adding
 * up many responses. Responses to one operation usually share the list of coordinates, which
 * includes fields that did not occur.
 */
export interface FieldSums {
  readonly coordinates: readonly string[];
  readonly calls: readonly number[];
  readonly costs: readonly number[];
}
