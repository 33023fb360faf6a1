import { badInput } from './bad-input.js';

/** No list is longer: there are 250 countries. */
export const MAX_PAGE_SIZE = 250;

/** What `first` asks for; an explicit null means the default, as the `assumedSize` in the schema says. */
export function pageSize(first: number | null | undefined, otherwise: number): number {
  const size = first ?? otherwise;
  if (size < 0 || size > MAX_PAGE_SIZE) throw badInput(`first: expected 0 to ${MAX_PAGE_SIZE}, got ${size}`);
  return size;
}
