export interface NumberRange {
  fallback: number;
  /** @default 1 */
  min?: number;
  max: number;
}

/** A whole number from the command line. Throws when it is none, or out of its range. */
export function wholeNumber(flag: string, text: string | undefined, { fallback, min = 1, max }: NumberRange): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(`${flag}: expected a whole number from ${min} to ${max}, got ${text}`);
}
