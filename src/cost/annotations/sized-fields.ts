import { Kind, parse, type SelectionSetNode } from 'graphql';

/** The lists below a field that it sizes, by name: those of the object it returns, and of objects further down. */
export class SizedFields extends Set<string> {
  /** By the field that leads further down. */
  readonly below = new Map<string, SizedFields>();

  readonly level = undefined;

  #key: string | undefined;

  /** Equal for equal ones; to be asked for when all of them are there, as it is remembered. */
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

/** Reads paths such as `edges` or `results { page }`; those that are none are left out. */
export function readSizedFields(paths: readonly string[]): SizedFields {
  const all = new SizedFields();
  for (const path of paths) {
    const selections = parsePath(path);
    if (selections) add(all, selections);
  }
  return all;
}

/** Whether a text names fields alone: no alias, argument, directive or fragment. */
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
    // No selection at all.
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
