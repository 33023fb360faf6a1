import type { z } from 'zod';

/**
 * Returns one line per mistake that zod found: the place, the expected value and the actual value,
 * as in `rules[2] ("search").limits[0].amount: expected number, got "20"`.
 */
export function describeProblems(place: string, input: unknown, error: z.ZodError): string[] {
  return error.issues.map((issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
    const where = `${place}${path}`;
    const expectation = issue.message.replace(/^Invalid (input|option): /, '').split(', received ', 1)[0] ?? '';
    if (issue.code === 'unrecognized_keys' || issue.code === 'custom') return `${where}: ${expectation}`;
    const got = `, got ${show(valueAt(input, issue.path))}`;
    // A message of our own may already contain the value.
    return `${where}: ${expectation.endsWith(got) ? expectation : `${expectation}${got}`}`;
  });
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/**
 * Formats a value for a message. Long values are cut, and strings are quoted so that "20" differs
 * from 20.
 */
export function show(value: unknown): string {
  if (value === undefined) return 'undefined';
  // JSON has no NaN, no Infinity and no bigint.
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
