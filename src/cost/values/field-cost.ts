/** Cost of one field of an operation. */
export interface FieldCost {
  /**
   * Coordinate on the type on which the client selects the field. For a selection on an interface,
   * it is the coordinate of the interface field.
   */
  readonly coordinate: string;
  /** Number of calls of the field. */
  readonly calls: number;
  /**
   * Cost of the calls and of the objects that they return, without the selections on these objects.
   */
  readonly cost: number;
}

/**
 * Calls and own costs of fields. Each value is at the index of its coordinate. This form makes it
 * cheap to add up many responses. Responses to one operation usually share the list of coordinates,
 * which includes fields that a response does not have.
 */
export interface FieldSums {
  readonly coordinates: readonly string[];
  readonly calls: readonly number[];
  readonly costs: readonly number[];
}
