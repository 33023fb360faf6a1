/** Mistake in the annotations of a schema or in an overlay, or a warning about them. */
export interface SchemaProblem {
  severity: 'error' | 'warning';
  coordinate: string;
  message: string;
  /** Overlay key to correct. Absent if the mistake is in the schema. */
  overlayKey?: string;
  /**
   * YAML entry for a file of prices, for an argument that looks like a list size. With the entry,
   * the argument affects the price.
   */
  entry?: string;
}
