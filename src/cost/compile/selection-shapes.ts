import type { ArgumentNode, DirectiveNode, FieldNode, SelectionNode, SelectionSetNode, ValueNode } from 'graphql';
import { MAX_DEPTH, tooDeep } from './budget.js';

/** Tells selections that are written alike, by a number for each way of writing one. */
export interface SelectionShapes {
  /** Without the response name: aliases that differ in nothing else are alike. */
  ofField(node: FieldNode): number;
  ofSet(node: SelectionSetNode): number;
}

/** Takes time in proportion to what is written, however often it is asked. */
export function createSelectionShapes(): SelectionShapes {
  const numbers = new Map<string, number>();
  const known = new Map<FieldNode | SelectionSetNode, number>();
  let depth = 0;

  function numberOf(node: FieldNode | SelectionSetNode, write: () => string): number {
    const earlier = known.get(node);
    if (earlier !== undefined) return earlier;
    if (++depth > MAX_DEPTH) throw tooDeep();
    const text = write();
    depth--;
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    known.set(node, number);
    return number;
  }

  function ofField(node: FieldNode): number {
    return numberOf(node, () => {
      const { name, selectionSet } = node;
      const below = selectionSet === undefined ? '' : `{${ofSet(selectionSet)}}`;
      return `${name.value}${argumentsText(node.arguments)}${directivesText(node.directives)}${below}`;
    });
  }

  function ofSet(node: SelectionSetNode): number {
    return numberOf(node, () => `{${node.selections.map(selectionText).join(' ')}}`);
  }

  function selectionText(selection: SelectionNode): string {
    if (selection.kind === 'Field') return `${(selection.alias ?? selection.name).value}:${ofField(selection)}`;
    const directives = directivesText(selection.directives);
    if (selection.kind === 'FragmentSpread') return `...${selection.name.value}${directives}`;
    return `...on ${selection.typeCondition?.name.value ?? ''}${directives}{${ofSet(selection.selectionSet)}}`;
  }

  return { ofField, ofSet };
}

function argumentsText(nodes: readonly ArgumentNode[] | undefined): string {
  if (nodes === undefined || nodes.length === 0) return '';
  return `(${nodes.map(({ name, value }) => `${name.value}:${valueText(value)}`).join()})`;
}

function directivesText(nodes: readonly DirectiveNode[] | undefined): string {
  if (nodes === undefined || nodes.length === 0) return '';
  return nodes.map((node) => `@${node.name.value}${argumentsText(node.arguments)}`).join('');
}

function valueText(node: ValueNode): string {
  switch (node.kind) {
    case 'Variable':
      return `$${node.name.value}`;
    case 'StringValue':
      return JSON.stringify(node.value);
    case 'ListValue':
      return `[${node.values.map(valueText).join()}]`;
    case 'ObjectValue':
      return `{${node.fields.map(({ name, value }) => `${name.value}:${valueText(value)}`).join()}}`;
    case 'IntValue':
    case 'FloatValue':
    case 'BooleanValue':
    case 'EnumValue':
      // Written differently from each other, and from all above.
      return String(node.value);
    default:
      return 'null';
  }
}
