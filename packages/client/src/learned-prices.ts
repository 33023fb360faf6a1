/**
 * Prices of operations as reported in responses. They are stored by document and by the variables
 * that can affect the size of a list.
 */
export interface LearnedPrices {
  /**
   * Returns the price. For unseen variables, it returns the latest price of the document. Returns
   * undefined for an unseen document.
   */
  priceOf(key: string, variables: unknown): number | undefined;
  learn(key: string, variables: unknown, price: number): void;
  /** Returns whether the price that the app gives for this document is still trusted. */
  isTrusted(key: string): boolean;
  distrust(key: string): void;
}

export function createLearnedPrices(maxEntries = 1000): LearnedPrices {
  const prices = new Map<string, number>();
  const distrusted = new Set<string>();

  /** Stores a price. If the store is full, evicts the least recently stored price. */
  function remember(name: string, price: number): void {
    prices.delete(name);
    prices.set(name, price);
    if (prices.size > maxEntries) prices.delete(prices.keys().next().value as string);
  }

  return {
    priceOf(key, variables) {
      const exact = nameOf(key, variables);
      return prices.get(exact) ?? prices.get(key);
    },
    learn(key, variables, price) {
      remember(nameOf(key, variables), price);
      remember(key, price);
    },
    isTrusted: (key) => !distrusted.has(key),
    distrust(key) {
      if (distrusted.size >= maxEntries) distrusted.clear();
      distrusted.add(key);
    },
  };
}

function nameOf(key: string, variables: unknown): string {
  return `${key}\n${sizesOf(variables)}`;
}

/**
 * Returns a key of the numbers, the booleans and the lengths of lists. Strings and ids do not
 * affect the size of a list, and would create an entry per value.
 */
function sizesOf(value: unknown, depth = 0): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null || typeof value !== 'object' || depth > 5) return value === null ? 'null' : '';
  if (Array.isArray(value)) return `[${value.length}]`;
  const parts: string[] = [];
  for (const [name, inner] of Object.entries(value)) {
    const sizes = sizesOf(inner, depth + 1);
    if (sizes !== '') parts.push(`${name}:${sizes}`);
  }
  return parts.length === 0 ? '' : `{${parts.sort().join(',')}}`;
}
