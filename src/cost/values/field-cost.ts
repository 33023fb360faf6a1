/** What one field of an operation costs. */
export interface FieldCost {
  /** As the client selected it: on an interface, the interface's. */
  readonly coordinate: string;
  /** How many times it is resolved. */
  readonly calls: number;
  /** Its calls and the objects they produce, without what is selected on those. */
  readonly cost: number;
}

/**
 * Calls and own cost of fields, each at the index of its coordinate. For adding up many responses: those to one operation
 * mostly share the list of coordinates, also of fields that did not come.
 */
export interface FieldSums {
  readonly coordinates: readonly string[];
  readonly calls: readonly number[];
  readonly costs: readonly number[];
}
