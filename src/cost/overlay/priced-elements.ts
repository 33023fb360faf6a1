import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';

/** Schema element that has a coordinate and can have a price. */
export interface PricedElement {
  readonly coordinate: string;
  /** Name of the type, or of the directive with its `@`. */
  readonly owner: string;
  readonly fieldName?: string | undefined;
  readonly argument?: string | undefined;
  readonly isOfDirective: boolean;
  readonly isInputField: boolean;
  /** Whether the element is an argument or input field whose type is a list. */
  readonly takesList: boolean;
  /** Whether a weight has an effect on the element. */
  readonly isWeighed: boolean;
  /** Definition of the field, if the element is a field of an object type or interface. */
  readonly field?: GraphQLField<unknown, unknown> | undefined;
  /** Coordinates of the same field or argument on the interfaces of its type. */
  readonly elsewhere: readonly string[];
}

const PLAIN = { isOfDirective: false, isInputField: false, takesList: false, isWeighed: true, elsewhere: [] };

/**
 * Yields all elements that can have a price: types, fields, arguments, input fields and arguments
 * of directives. Introspection types are omitted.
 */
export function* pricedElements(schema: GraphQLSchema): Generator<PricedElement> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    const owner = type.name;
    yield { ...PLAIN, coordinate: owner, owner, isWeighed: isObjectType(type) || isLeafType(type) };
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        const { name: fieldName } = field;
        const takesList = isListInput(field);
        yield { ...PLAIN, coordinate: `${owner}.${fieldName}`, owner, fieldName, isInputField: true, takesList };
      }
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    const interfaces = type.getInterfaces().map((each) => each.name);
    for (const [fieldName, field] of Object.entries(type.getFields())) {
      const at = (holder: string) => `${holder}.${fieldName}`;
      yield { ...PLAIN, coordinate: at(owner), owner, fieldName, field, elsewhere: interfaces.map(at) };
      for (const input of field.args) {
        const { name: argument } = input;
        const coordinate = `${at(owner)}(${argument}:)`;
        const elsewhere = interfaces.map((holder) => `${at(holder)}(${argument}:)`);
        yield { ...PLAIN, coordinate, owner, fieldName, argument, takesList: isListInput(input), elsewhere };
      }
    }
  }
  for (const directive of schema.getDirectives()) {
    const owner = `@${directive.name}`;
    for (const input of directive.args) {
      const { name: argument } = input;
      const coordinate = `${owner}(${argument}:)`;
      yield { ...PLAIN, coordinate, owner, argument, isOfDirective: true, takesList: isListInput(input) };
    }
  }
}

function isListInput({ type }: GraphQLArgument | GraphQLInputField): boolean {
  return isListType(getNullableType(type));
}
