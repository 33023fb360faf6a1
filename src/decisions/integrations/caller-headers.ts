/** Headers of a request, by name in lower case, as `node:http` provides them. */
type GivenHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the headers that are set. */
export function callerHeaders(given: GivenHeaders): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(given)) if (value !== undefined) headers[name] = value;
  return headers;
}

/** Returns a value if it is an object and no list. JSON from other servers may have any form. */
export function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Returns a value if it is a string with at least one character. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
