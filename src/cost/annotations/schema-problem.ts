/** A mistake in the annotations of a schema or in an overlay, or a warning about them. */
export interface SchemaProblem {
  severity: 'error' | 'warning';
  coordinate: string;
  message: string;
  /** The key of the overlay that is to be corrected; absent: what is wrong stands in the schema. */
  overlayKey?: string;
}
