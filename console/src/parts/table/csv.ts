export type CsvValue = string | number | boolean | null | undefined;

/** A table as RFC 4180 has it. What a spreadsheet would take for a formula is given to it as text, also behind a semicolon, at which many split. */
export function toCsv(head: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = value.replace(/(?<=^|[;\t])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r])/g, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
