import { Kind, parse, type SelectionSetNode } from 'graphql';

/**
 * Names of the lists that get their size from a field. The set itself has those on the object that
 * the field returns, and `below` has those at deeper levels.
 */
export class SizedFields extends Set<string> {
  /** Sized lists at deeper levels, by the name of the field that leads to them. */
  readonly below = new Map<string, SizedFields>();

  readonly level = undefined;

  #key: string | undefined;

  /**
   * Key that is equal for equal sets. Read it only after all names are added, because it is cached.
   */
  get key(): string {
    this.#key ??= [...this, ...[...this.below].map(([name, fields]) => `${name}{${fields.key}}`)].join();
    return this.#key;
  }

  sizes({ name }: { readonly name: string }): boolean {
    return this.has(name);
  }

  through({ name }: { readonly name: string }): SizedFields | undefined {
    return this.below.get(name);
  }
}

/** Reads paths such as `edges` or `results { page }`. Ignores invalid paths. */
export function readSizedFields(paths: readonly string[]): SizedFields {
  const all = new SizedFields();
  for (const path of paths) {
    const selections = parsePath(path);
    if (selections) add(all, selections);
  }
  return all;
}

/**
 * Returns whether a text is a selection of field names only, without aliases, arguments, directives
 * or fragments.
 */
export function isSizedPath(path: string): boolean {
  return parsePath(path) !== undefined;
}

function add(to: SizedFields, { selections }: SelectionSetNode): void {
  for (const selection of selections) {
    if (selection.kind !== Kind.FIELD) continue;
    const name = selection.name.value;
    if (selection.selectionSet === undefined) {
      to.add(name);
      continue;
    }
    const below = to.below.get(name) ?? new SizedFields();
    to.below.set(name, below);
    add(below, selection.selectionSet);
  }
}

function parsePath(path: string): SelectionSetNode | undefined {
  try {
    const [operation, ...others] = parse(`{${path}\n}`, { noLocation: true }).definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return undefined;
    return namesAlone(operation.selectionSet) ? operation.selectionSet : undefined;
  } catch {
    // The text is not a valid selection set.
    return undefined;
  }
}

function namesAlone({ selections }: SelectionSetNode): boolean {
  return selections.every(
    (selection) =>
      selection.kind === Kind.FIELD &&
      selection.alias === undefined &&
      !selection.arguments?.length &&
      !selection.directives?.length &&
      (selection.selectionSet === undefined || namesAlone(selection.selectionSet)),
  );
}
