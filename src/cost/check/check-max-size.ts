import { type GraphQLField, getNullableType, isInputObjectType, isListType } from 'graphql';
import type { FieldListSize } from '../annotations/merge-list-sizes.js';
import { sizeFormOf, sizingNumber, sizingValueAt } from '../annotations/size-form-of.js';
import { defaultValueOf } from '../values/coerce-input.js';

interface MaxSizeCheck {
  readonly field: GraphQLField<unknown, unknown>;
  readonly maxSize: number;
  /** Size of the list. Undefined if the field has none. */
  readonly listSize: FieldListSize | undefined;
  /** Whether a field above sizes the list. */
  readonly isSized: boolean;
}

/** Returns the mistake in the `maxSize` of a field. Returns undefined if it is correct. */
export function checkMaxSize({ field, maxSize, listSize, isSized }: MaxSizeCheck): string | undefined {
  const { slicingArguments = [], sizedFields = [], sizesPages = false, assumedSize } = listSize ?? {};
  if (!isListType(getNullableType(field.type)) && !sizesPages && sizedFields.length === 0) {
    return 'maxSize on a field that neither returns nor sizes a list: put it on the field that has the slicing arguments';
  }
  if (slicingArguments.length === 0 && !isSized) {
    return 'maxSize has no effect, because no argument sizes this list: add its slicingArguments';
  }
  if (assumedSize !== undefined && assumedSize > maxSize) {
    return `maxSize: ${maxSize} is below assumedSize: ${assumedSize}, the size without a size argument`;
  }
  for (const path of slicingArguments) {
    const size = defaultOf(field, path.split('.'));
    if (size > maxSize)
      return `maxSize: ${maxSize} is below the default of ${path}, ${size}: operations without ${path} are rejected`;
  }
  return undefined;
}

/**
 * Returns the size of the list in an operation without a value at the path, by the defaults of the
 * schema. If several levels of the path have a default, returns the largest size. Returns 0 if
 * there is no default.
 */
function defaultOf({ args }: GraphQLField<unknown, unknown>, [name, ...below]: readonly string[]): number {
  const argument = args.find((each) => each.name === name);
  if (argument === undefined) return 0;
  const form = sizeFormOf(argument.type, below);
  const sizeAt = (value: unknown, path: readonly string[]) => sizingNumber(sizingValueAt(value, path), form) ?? 0;
  let largest = sizeAt(defaultValueOf(argument), below);
  let type = argument.type;
  for (const [at, step] of below.entries()) {
    const object = getNullableType(type);
    const input = isInputObjectType(object) ? object.getFields()[step] : undefined;
    if (input === undefined) break;
    largest = Math.max(largest, sizeAt(defaultValueOf(input), below.slice(at + 1)));
    type = input.type;
  }
  return largest;
}
