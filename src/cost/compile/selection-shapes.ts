import type { ArgumentNode, DirectiveNode, FieldNode, SelectionNode, SelectionSetNode, ValueNode } from 'graphql';
import { MAX_DEPTH, tooDeep } from './budget.js';

/**
 * Assigns numbers to selections, so that equal selections have the same number. Each node is read
 * once, so the total time is proportional to the length of the document.
 *
 * It is a class because few operations call its methods. Closures would take memory for each method
 * and operation.
 */
export class SelectionShapes {
  #numbers: Map<string, number> | undefined;
  #known: Map<FieldNode | SelectionSetNode, number> | undefined;
  #depth = 0;

  /**
   * Returns the number of a field selection. Selections that differ only in their response name
   * have the same number.
   */
  ofField(node: FieldNode): number {
    return this.#known?.get(node) ?? this.#numberOf(node, this.#fieldText);
  }

  ofSet(node: SelectionSetNode): number {
    return this.#known?.get(node) ?? this.#numberOf(node, this.#setText);
  }

  #numberOf<Node extends FieldNode | SelectionSetNode>(node: Node, write: (this: this, node: Node) => string): number {
    if (++this.#depth > MAX_DEPTH) throw tooDeep();
    const text = write.call(this, node);
    this.#depth--;
    this.#numbers ??= new Map();
    this.#known ??= new Map();
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    this.#known.set(node, number);
    return number;
  }

  #fieldText({ name, arguments: values, directives, selectionSet }: FieldNode): string {
    const below = selectionSet === undefined ? '' : `{${this.ofSet(selectionSet)}}`;
    return `${name.value}${argumentsText(values)}${directivesText(directives)}${below}`;
  }

  #setText({ selections }: SelectionSetNode): string {
    return `{${selections.map((each) => this.#selectionText(each)).join(' ')}}`;
  }

  #selectionText(selection: SelectionNode): string {
    if (selection.kind === 'Field') return `${(selection.alias ?? selection.name).value}:${this.ofField(selection)}`;
    const directives = directivesText(selection.directives);
    if (selection.kind === 'FragmentSpread') return `...${selection.name.value}${directives}`;
    return `...on ${selection.typeCondition?.name.value ?? ''}${directives}{${this.ofSet(selection.selectionSet)}}`;
  }
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
      // The text of such a literal differs from that of any literal of another kind.
      return String(node.value);
    default:
      return 'null';
  }
}
