import type { DecideRequest } from './decide-request.js';

/** Returns headers with names in lower case, as the identification reads them. */
export function lowerCased(headers: NonNullable<DecideRequest['headers']>): Record<string, string> {
  const lowered: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    const text = typeof value === 'string' ? value : value.join(', ');
    lowered[lower] = Object.hasOwn(lowered, lower) ? `${lowered[lower]}, ${text}` : text;
  }
  return lowered;
}
