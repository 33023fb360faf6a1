import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import type { SchemaModel, TypeModel } from '../schema/schema-model.js';
import { CostError } from '../values/cost-error.js';

export interface Fragment {
  readonly node: FragmentDefinitionNode;
  /** Undefined: an unknown type; no object satisfies it. */
  readonly condition: TypeModel | undefined;
  /** Fragments that this one spreads at its own level come later. */
  readonly order: number;
  /** Spread more than once in the document. */
  readonly isShared: boolean;
}

export interface Fragments {
  get(name: string): Fragment | undefined;
}

const NONE: Fragments = { get: () => undefined };

/**
 * The fragments of a document, in an order that allows each to be collected once per level: when its turn comes, every
 * spread that can lead to it has been seen, and with it every condition under which it is included.
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
  /** Depth first with a stack of its own: a chain of thousands of fragments must not overflow the engine's. */
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

/** Names of the fragments spread at the level of a selection set itself: not below its fields. */
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
