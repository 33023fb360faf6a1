/** Returns a string that is the same for equal default values. */
export function defaultText(value: unknown): string {
  return value === undefined
    ? ''
    : (JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? '');
}
