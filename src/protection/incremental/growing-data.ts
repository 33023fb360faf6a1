import { isObject } from '../../runtime/is-object.js';

export type Path = readonly (string | number)[];

/** Data of a response that grows. Objects and lists of the parts are copied before they change. */
export class GrowingData {
  /** Objects and lists that are copies, so that they may change. */
  readonly #own = new Set<object>();
  readonly #holder: { data: unknown };

  constructor(data: unknown) {
    this.#holder = { data };
  }

  get data(): unknown {
    return this.#holder.data;
  }

  /**
   * Adds the data of an entry of incremental delivery at a path. Returns false if the path does not
   * exist in the data, or a field has a value already.
   */
  add(path: Path, { data: fields, items, id }: Record<string, unknown>): boolean {
    if (Array.isArray(items)) return this.#addItems(path, items, id === undefined);
    return isObject(fields) && this.#addFields(path, fields);
  }

  /** Returns the value at a path; undefined if there is none. */
  valueAt(path: Path): unknown {
    let value = this.#holder.data;
    for (const key of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
      value = (value as Record<string | number, unknown>)[key];
    }
    return value;
  }

  /** Sets a value of the object or list at a path. Does nothing if the path does not exist. */
  set(path: Path, key: string | number, value: unknown): void {
    const container = this.#ownAt(path);
    if (container) define(container, key, value);
  }

  /**
   * Appends items to a list of the data.
   * @param namesFirst whether the path ends with the index of the first item
   */
  #addItems(path: Path, items: readonly unknown[], namesFirst: boolean): boolean {
    const list = this.#ownAt(namesFirst ? path.slice(0, -1) : path);
    if (!Array.isArray(list) || (namesFirst && path.at(-1) !== list.length)) return false;
    for (const item of items) list.push(item);
    return true;
  }

  #addFields(path: Path, fields: Record<string, unknown>): boolean {
    const object = this.#ownAt(path);
    if (!isObject(object)) return false;
    let fits = true;
    for (const [name, value] of Object.entries(fields)) {
      if (!Object.hasOwn(object, name)) define(object, name, value);
      else if (name !== '__typename') fits = false;
    }
    return fits;
  }

  /** Returns the object or list at a path, as a copy that may change. */
  #ownAt(path: Path): object | undefined {
    let container: object = this.#holder;
    for (const key of ['data', ...path]) {
      if (!Object.hasOwn(container, key)) return undefined;
      const value = (container as Record<string | number, unknown>)[key];
      if (typeof value !== 'object' || value === null) return undefined;
      if (this.#own.has(value)) {
        container = value;
        continue;
      }
      const copy: object = Array.isArray(value) ? [...value] : { ...value };
      this.#own.add(copy);
      define(container, key, copy);
      container = copy;
    }
    return container;
  }
}

/** Assigning with `=` would set the prototype if the name is `__proto__`. */
function define(object: object, key: string | number, value: unknown): void {
  Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}
