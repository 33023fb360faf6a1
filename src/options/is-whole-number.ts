/** Returns whether a value is a whole number in a range, both ends included. */
export function isWholeNumber(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}
