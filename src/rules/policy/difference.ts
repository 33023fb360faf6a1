/** One member that two versions of an object do not agree on. Values as JSON; null where there is none. */
export interface Difference {
  /** `limits[0].amount` */
  path: string;
  before: string | null;
  after: string | null;
}

/** What differs between two objects of plain data, in the order of their members. */
export function differencesOf(
  before: object | null,
  after: object | null,
  ignored: readonly string[] = [],
): Difference[] {
  const without = (value: object | null) =>
    value && Object.fromEntries(Object.entries(value).filter(([name]) => !ignored.includes(name)));
  // By way of JSON, as it is stored: dates are texts, and what is undefined is not there.
  const plain = (value: object | null): unknown => (value ? JSON.parse(JSON.stringify(without(value))) : {});
  const found: Difference[] = [];
  compare('', plain(before), plain(after), found);
  return found;
}

function compare(path: string, before: unknown, after: unknown, found: Difference[]): void {
  if (
    isParent(before) &&
    isParent(after) &&
    Array.isArray(before) === Array.isArray(after) &&
    !isListOfValues(before)
  ) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const name of names) compare(join(path, name, Array.isArray(before)), before[name], after[name], found);
    return;
  }
  const [one, other] = [show(before), show(after)];
  if (one !== other) found.push({ path, before: one, after: other });
}

type Parent = Record<string, unknown>;

function isParent(value: unknown): value is Parent {
  return typeof value === 'object' && value !== null;
}

/** Such a list reads better whole: `["free"] -> ["free","pro"]`. */
function isListOfValues(value: Parent): boolean {
  return Array.isArray(value) && !value.some(isParent);
}

function join(path: string, name: string, inList: boolean): string {
  if (inList) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function show(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
