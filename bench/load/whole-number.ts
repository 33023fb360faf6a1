export interface NumberRange {
  fallback: number;
  /** @default 1 */
  min?: number;
  max: number;
}

/**
 * Parses a whole number from the command line.
 * @throws if the text is not a whole number or out of range
 */
export function wholeNumber(flag: string, text: string | undefined, { fallback, min = 1, max }: NumberRange): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(`${flag}: expected a whole number from ${min} to ${max}, got ${text}`);
}
