import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  specifiedScalarTypes,
} from 'graphql';
import type { InputModel, InputObjectModel } from '../schema/input-model.js';
import type { PortableField, PortableInputWeight } from './portable-price.js';

/** Writer of the input types. A client needs them to compute the weights of values. */
export interface InputsWriter {
  /**
   * Returns the type of an argument. Adds to `inputs` the input types that its value can contain.
   */
  typeOf(input: InputModel): string;
  /** Returns a default value of the schema in a form that JSON can represent. */
  plainValue(type: GraphQLInputType, value: unknown): unknown;
  readonly inputs: Record<string, PortableField[]>;
}

/** Returns the weight of an input in the form of the manifest. Null stands for no weight. */
export function portableWeight({ weight, perElement }: InputModel): PortableInputWeight {
  if (weight === undefined) return null;
  return perElement ? { perElement: weight } : weight;
}

export function createPortableInputs(): InputsWriter {
  const inputs: Record<string, PortableField[]> = Object.create(null);

  function collect(start: InputObjectModel | undefined): void {
    if (start === undefined || start.name in inputs) return;
    const fields: PortableField[] = [];
    inputs[start.name] = fields;
    for (const field of start.fields()) {
      const { name, type, defaultValue, object } = field;
      const weight = portableWeight(field);
      const isPlain = object === undefined && weight === null && !isListType(getNullableType(type));
      // Include a required field, because its absence makes the object invalid.
      if (isPlain && defaultValue === undefined && !isNonNullType(type)) continue;
      const written = `${type}`;
      fields.push(
        defaultValue === undefined ? [name, written, weight] : [name, written, weight, plainValue(type, defaultValue)],
      );
      collect(object);
    }
  }

  function plainValue(type: GraphQLInputType, value: unknown): unknown {
    if (value === null || value === undefined) return value;
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      return Array.isArray(value) ? value.map((each: unknown) => plainValue(nullable.ofType, each)) : value;
    }
    if (isInputObjectType(nullable)) {
      const fields = nullable.getFields();
      return Object.fromEntries(
        Object.entries(value).flatMap(([name, inner]) =>
          fields[name] === undefined ? [] : [[name, plainValue(fields[name].type, inner)]],
        ),
      );
    }
    // Clients need to know only whether an enum or custom scalar has a value, so the value itself
    // is replaced with 0.
    const named = getNamedType(nullable);
    return isScalarType(named) && specifiedScalarTypes.includes(named) ? value : 0;
  }

  return {
    inputs,
    typeOf({ type, object }) {
      collect(object);
      return `${type}`;
    },
    plainValue,
  };
}
