import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import type { SchemaModel, TypeModel } from '../schema/schema-model.js';
import { CostError } from '../values/cost-error.js';

export interface Fragment {
  readonly node: FragmentDefinitionNode;
  /**
   * Type that the fragment applies to. Undefined if the schema has no such type, so that the
   * fragment applies to no object.
   */
  readonly condition: TypeModel | undefined;
  /**
   * Position in the order of visits. A fragment has a lower number than the fragments that it
   * spreads at its own level, and is visited before them.
   */
  readonly order: number;
  /** Whether the document spreads the fragment more than once. */
  readonly isShared: boolean;
}

export interface Fragments {
  get(name: string): Fragment | undefined;
}

const NONE: Fragments = { get: () => undefined };

/**
 * Returns the fragments of a document. Their `order` ensures that each fragment is collected only
 * once per level. When a fragment is visited, all spreads of it have been visited before, so the
 * condition under which it is included is complete.
 * @throws CostError OPERATION_TOO_COMPLEX for a fragment that spreads itself at its own level
 */
export function readFragments(model: SchemaModel, document: DocumentNode): Fragments {
  if (document.definitions.length === 1) return NONE;
  const nodes = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition' && !nodes.has(definition.name.value)) {
      nodes.set(definition.name.value, definition);
    }
  }
  if (nodes.size === 0) return NONE;

  const uses = new Map<string, number>();
  for (const definition of document.definitions) {
    if ('selectionSet' in definition) countSpreads(definition.selectionSet, uses);
  }

  const done = new Map<string, number>();
  const open = new Set<string>();
  let turn = 0;
  /**
   * Depth-first search with an explicit stack, because recursion over a chain of thousands of
   * fragments would overflow the call stack.
   */
  for (const start of nodes.keys()) {
    const stack = [{ name: start, leave: false }];
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      const { name, leave } = step;
      if (leave) {
        open.delete(name);
        done.set(name, turn--);
        continue;
      }
      if (done.has(name)) continue;
      const node = nodes.get(name);
      if (node === undefined) continue;
      open.add(name);
      stack.push({ name, leave: true });
      for (const spread of spreadsOfLevel(node.selectionSet)) {
        if (open.has(spread)) throw cyclicFragment(node);
        stack.push({ name: spread, leave: false });
      }
    }
  }

  const fragments = new Map<string, Fragment>();
  for (const [name, node] of nodes) {
    fragments.set(name, {
      node,
      condition: model.composite(node.typeCondition.name.value),
      order: done.get(name)!,
      isShared: (uses.get(name) ?? 0) > 1,
    });
  }
  return { get: (name) => fragments.get(name) };
}

function cyclicFragment(node: FragmentDefinitionNode): CostError {
  return new CostError('OPERATION_TOO_COMPLEX', `fragment "${node.name.value}" spreads itself`, { nodes: [node] });
}

/** Counts every spread in a selection set, at any depth. */
function countSpreads(root: SelectionSetNode, uses: Map<string, number>): void {
  const stack = [root];
  for (let set = stack.pop(); set !== undefined; set = stack.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === 'FragmentSpread') {
        uses.set(selection.name.value, (uses.get(selection.name.value) ?? 0) + 1);
      } else if (selection.selectionSet) {
        stack.push(selection.selectionSet);
      }
    }
  }
}

/**
 * Returns the names of the fragments spread at the level of the selection set itself, not below its
 * fields.
 */
function spreadsOfLevel(root: SelectionSetNode): string[] {
  const names: string[] = [];
  const stack = [root];
  for (let set = stack.pop(); set !== undefined; set = stack.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === 'FragmentSpread') names.push(selection.name.value);
      else if (selection.kind === 'InlineFragment') stack.push(selection.selectionSet);
    }
  }
  return names;
}
