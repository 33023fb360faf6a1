/** Mistake in the annotations of a schema or in an overlay, or a warning about them. */
export interface SchemaProblem {
  severity: 'error' | 'warning';
  coordinate: string;
  message: string;
  /** Overlay key to correct. Absent if the mistake is in the schema. */
  overlayKey?: string;
  /** Entry of a file of prices that prices an argument which looks like a list size, in YAML. */
  entry?: string;
}
