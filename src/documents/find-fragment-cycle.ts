import { type DocumentNode, GraphQLError, Kind, type SelectionSetNode } from 'graphql';

/**
 * Returns an error if a fragment spreads itself, directly or through other fragments. Validation
 * has a rule against this, but other rules run at the same time and follow the cycle. These rules
 * can overflow the stack, and the response would then have status 500.
 */
export function findFragmentCycle(document: DocumentNode): GraphQLError | undefined {
  const spreads = new Map<string, Set<string>>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    spreads.set(definition.name.value, spreadsIn(definition.selectionSet));
  }
  const users = new Map<string, string[]>([...spreads.keys()].map((name) => [name, []]));
  for (const [name, names] of spreads) {
    for (const other of names) {
      const usersOfOther = users.get(other);
      if (usersOfOther) usersOfOther.push(name);
      else names.delete(other); // The document has no such fragment.
    }
  }
  // Repeatedly remove the fragments that spread no remaining fragment. Each fragment that is left
  // at the end leads into a cycle.
  const ends = [...spreads.keys()].filter((name) => spreads.get(name)?.size === 0);
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    spreads.delete(end);
    for (const user of users.get(end) ?? []) {
      const names = spreads.get(user);
      names?.delete(end);
      if (names?.size === 0) ends.push(user);
    }
  }
  const name = firstMetTwice(spreads);
  if (name === undefined) return undefined;
  return new GraphQLError(`Cannot spread fragment "${name}" within itself, directly or through other fragments.`, {
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } },
  });
}

/**
 * Returns a fragment that is part of a cycle. Following the first spread of each fragment always
 * ends in a cycle.
 */
function firstMetTwice(spreads: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  const met = new Set<string>();
  let [name] = spreads.keys();
  while (name !== undefined && !met.has(name)) {
    met.add(name);
    [name] = spreads.get(name) ?? [];
  }
  return name;
}

function spreadsIn(selectionSet: SelectionSetNode): Set<string> {
  const names = new Set<string>();
  const open = [selectionSet];
  for (let set = open.pop(); set !== undefined; set = open.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) names.add(selection.name.value);
      else if (selection.selectionSet) open.push(selection.selectionSet);
    }
  }
  return names;
}
