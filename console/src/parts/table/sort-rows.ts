import type { CsvValue } from './csv.js';

const texts = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * Returns rows ordered by a value: numbers by size, strings alphabetically. Rows without a value
 * come last in both directions.
 */
export function sortRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => CsvValue,
  isDescending: boolean,
): readonly Row[] {
  return [...rows].sort((one, other) => {
    const [a, b] = [keyOf(one) ?? undefined, keyOf(other) ?? undefined];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : texts.compare(String(a), String(b));
    return isDescending ? -order : order;
  });
}
