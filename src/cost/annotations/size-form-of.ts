import {
  GraphQLBoolean,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
} from 'graphql';

/**
 * Rule that reads the size of a list from a value. For `length`, the value is a list, and its
 * length is the size. For `number`, the value is the size. For `enum`, the size is the number that
 * the schema assigns to the enum value, if any.
 */
export type SizeForm = 'length' | 'number' | 'enum';

/**
 * Returns the rule that reads the size from the value at the end of a path. The path may lead into
 * a custom scalar.
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
 * Returns the value at a path in nested objects. Returns NaN if a value on the path is not an
 * object, which is possible in a custom scalar.
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
 * Returns the list size that a value requests, unrounded. Returns undefined if the value sets no
 * size. Returns Infinity for values that servers interpret differently, such as `[4000]`, "4_000"
 * and "0xfa0".
 */
export function sizingNumber(value: unknown, form: SizeForm): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (form === 'length') return Array.isArray(value) ? value.length : undefined;
  if (form === 'enum' && typeof value !== 'number') return undefined;
  const isPlain = typeof value === 'number' || typeof value === 'bigint' || isDigits(value);
  const number = isPlain ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
}

/**
 * Returns whether a value is a string of ASCII digits with an optional minus sign, without spaces,
 * separators or an exponent.
 */
function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d+$/.test(value);
}
