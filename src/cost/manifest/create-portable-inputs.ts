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

/** Collects what a client has to know of input types to weigh their values. */
export interface InputsWriter {
  /** The type of an argument; what it reaches is collected along. */
  typeOf(input: InputModel): string;
  /** A value as the server holds it, with nothing in it that JSON cannot hold. */
  plainValue(type: GraphQLInputType, value: unknown): unknown;
  readonly inputs: Record<string, PortableField[]>;
}

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
      // One that must not be null decides whether its object is there at all.
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
    // What enums and custom scalars hold is never looked into: that they are there is all that counts.
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
