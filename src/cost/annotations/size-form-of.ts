import {
  GraphQLBoolean,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
} from 'graphql';

/**
 * How the values of a type give a size. `length`: by the items of a list. `number`: by the number that a caller writes.
 * `enum`: by a number that the schema holds for the value, if any.
 */
export type SizeForm = 'length' | 'number' | 'enum';

/** Returns how values at the end of a path give a size. The path may lead into a custom scalar. */
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

/** Returns the value at a path into objects. Returns NaN where a value on the way is no object, as in a custom scalar. */
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
 * Returns the number of items that a value asks for, unrounded; undefined where it asks for none. Returns Infinity for
 * what is no plain number, as servers read `[4000]`, "4_000" or "0xfa0" each in their own way.
 */
export function sizingNumber(value: unknown, form: SizeForm): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (form === 'length') return Array.isArray(value) ? value.length : undefined;
  if (form === 'enum' && typeof value !== 'number') return undefined;
  const isPlain = typeof value === 'number' || typeof value === 'bigint' || isDigits(value);
  const number = isPlain ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
}

/** Digits of ASCII only, without spaces, separators or an exponent. */
function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d+$/.test(value);
}
