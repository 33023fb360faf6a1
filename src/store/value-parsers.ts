/** How values leave the database, by type oid: one table for both drivers, so that they cannot differ. */
export const VALUE_PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>(
  [
    [20, parseInt8],
    [1082, (text) => text], // date: a day of the calendar, not a moment in some time zone
    [1184, parseTimestamptz],
    [1700, (text) => text], // numeric: exact, so not a number
  ],
);

function parseInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** PostgreSQL writes `2026-01-31 12:00:00.5+00`; ISO 8601 wants a `T` and minutes in the offset. */
function parseTimestamptz(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}
