import {
  GraphQLBoolean,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
} from 'graphql';

/**
 * Way in which the values of a type give a size. `length`: the number of items of a list. `number`:
 * the number that a caller writes. `enum`: the number that the schema assigns to the value, if any.
 */
export type SizeForm = 'length' | 'number' | 'enum';

/**
 * Returns the way in which values at the end of a path give a size. The path may lead into a custom
 * scalar.
 */
export function sizeFormOf(start: GraphQLInputType, path: readonly string[]): SizeForm {
  let type: GraphQLInputType = getNullableType(start);
  for (const name of path) {
    const field = isInputObjectType(type) ? type.getFields()[name] : undefined;
    if (field === undefined) break;
    type = getNullableType(field.type);
  }
  if (isListType(type)) return 'length';
  return isScalarType(type) && type !== GraphQLBoolean ? 'number' : 'enum';
}

/**
 * Returns the value at a path into objects. Returns NaN if a value on the way is not an object,
 * which can happen in a custom scalar.
 */
export function sizingValueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (current === null || current === undefined) return undefined;
    if (typeof current !== 'object' || Array.isArray(current)) return Number.NaN;
    current = Object.hasOwn(current, name) ? (current as Record<string, unknown>)[name] : undefined;
  }
  return current;
}

/**
 * Returns the number of items that a value asks for, unrounded. Returns undefined if it asks for
 * none. Returns Infinity if it is not a plain number, because servers interpret `[4000]`, "4_000"
 * and "0xfa0" differently.
 */
export function sizingNumber(value: unknown, form: SizeForm): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (form === 'length') return Array.isArray(value) ? value.length : undefined;
  if (form === 'enum' && typeof value !== 'number') return undefined;
  const isPlain = typeof value === 'number' || typeof value === 'bigint' || isDigits(value);
  const number = isPlain ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
}

/** Whether a value consists of ASCII digits only, without spaces, separators or an exponent. */
function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d+$/.test(value);
}
