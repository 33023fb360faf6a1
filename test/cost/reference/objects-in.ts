/** Returns the number of objects in a response. Each of them costs one token. */
export function objectsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + objectsIn(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((sum, each) => sum + objectsIn(each), 0);
}
