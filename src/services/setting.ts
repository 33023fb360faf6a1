/** One setting with its value in force. */
export interface Setting {
  name: string;
  value: string | number | boolean | readonly string[] | null;
  /** Unit of the number. Null if there is none. */
  unit: string | null;
}
