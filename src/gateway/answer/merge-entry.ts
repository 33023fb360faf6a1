import { isObject } from '../upstream/read-answer.js';

export type Path = readonly (string | number)[];

/**
 * Adds the data of an entry of incremental delivery at a path of the merged data. Returns false if
 * the path does not exist in the data, or a field has a value already.
 */
export function mergeEntry(data: unknown, path: Path, entry: Record<string, unknown>): boolean {
  const { data: fields, items } = entry;
  if (Array.isArray(items)) return addItems(data, path, items, entry['id'] === undefined);
  return isObject(fields) && addFields(find(data, path), fields);
}

/** Returns the value at a path; undefined if there is none. */
function find(data: unknown, path: Path): unknown {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

/**
 * Appends items to a list of the data.
 * @param namesFirst whether the path ends with the index of the first item
 */
function addItems(data: unknown, path: Path, items: readonly unknown[], namesFirst: boolean): boolean {
  const list = find(data, namesFirst ? path.slice(0, -1) : path);
  if (!Array.isArray(list) || (namesFirst && path.at(-1) !== list.length)) return false;
  for (const item of items) list.push(item);
  return true;
}

function addFields(object: unknown, fields: Record<string, unknown>): boolean {
  if (!isObject(object)) return false;
  let fits = true;
  for (const [name, value] of Object.entries(fields)) {
    // Do not assign with `=`: that would set the prototype if the name is `__proto__`.
    if (!Object.hasOwn(object, name)) {
      Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
    } else if (name !== '__typename') fits = false;
  }
  return fits;
}
