import { type ValueNode, valueFromASTUntyped } from 'graphql';
import { indexOfVariable, type OperationVariables } from '../compile/operation-variables.js';
import type { InputsWriter } from './create-portable-inputs.js';
import type { PortableLiteral, PortableVariable } from './portable-price.js';

/**
 * Writer of the variables that affect the price of one operation, in the order of their first use.
 */
export interface ValuesWriter {
  readonly variables: readonly PortableVariable[];
  /**
   * Returns the index of a variable in `variables`, and adds the variable if it is missing there.
   * @param index index of the variable in the operation
   */
  placeOf(index: number): number;
  literal(node: ValueNode): PortableLiteral;
}

export function createPortableValues(variables: OperationVariables, inputs: InputsWriter): ValuesWriter {
  const written: PortableVariable[] = [];
  const places = new Map<number, number>();

  function placeOf(index: number): number {
    const known = places.get(index);
    if (known !== undefined) return known;
    const { name, type, defaultValue } = variables.all[index]!;
    const place = written.length;
    written.push(
      defaultValue === undefined ? [name, `${type}`] : [name, `${type}`, inputs.plainValue(type, defaultValue)],
    );
    places.set(index, place);
    return place;
  }

  function literal(node: ValueNode): PortableLiteral {
    switch (node.kind) {
      case 'Variable': {
        const index = indexOfVariable(variables, node.name.value);
        return index === -1 ? { value: null } : { v: placeOf(index) };
      }
      case 'ListValue':
        return { list: node.values.map(literal) };
      case 'ObjectValue':
        return { object: Object.fromEntries(node.fields.map((field) => [field.name.value, literal(field.value)])) };
      default:
        return { value: valueFromASTUntyped(node) };
    }
  }

  return { variables: written, placeOf, literal };
}
