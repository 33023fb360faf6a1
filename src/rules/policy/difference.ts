/**
 * One member that differs between two versions of an object. The values are JSON texts, or null
 * where the member is absent.
 */
export interface Difference {
  /** Path of the member, such as `limits[0].amount`. */
  path: string;
  before: string | null;
  after: string | null;
}

/** Returns the differences between two objects of plain data, in the order of their members. */
export function differencesOf(
  before: object | null,
  after: object | null,
  ignored: readonly string[] = [],
): Difference[] {
  const without = (value: object | null) =>
    value && Object.fromEntries(Object.entries(value).filter(([name]) => !ignored.includes(name)));
  // The values are compared in their stored form, JSON. In it, dates are strings and undefined
  // members are absent.
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

/**
 * Whether a difference shows the entire list, which is easier to read: `["free"] ->
 * ["free","pro"]`.
 */
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
