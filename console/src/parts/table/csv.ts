export type CsvValue = string | number | boolean | null | undefined;

/**
 * Formats a table as CSV (RFC 4180). If a spreadsheet would read a cell as a formula, an apostrophe
 * marks the cell as text. This includes text after a semicolon, because many spreadsheets split
 * there.
 */
export function toCsv(head: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = value.replace(/(?<=^|[;\t])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r])/g, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
