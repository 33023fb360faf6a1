/** One setting as it is in force. */
export interface Setting {
  name: string;
  value: string | number | boolean | readonly string[] | null;
  /** What its number counts; null: nothing. */
  unit: string | null;
}
