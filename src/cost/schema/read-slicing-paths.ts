import { GraphQLInt, getNullableType } from 'graphql';
import type { FieldListSize } from '../annotations/merge-list-sizes.js';
import { sizeFormOf } from '../annotations/size-form-of.js';
import type { InputModel } from './input-model.js';
import type { SlicingPath } from './schema-model.js';

/**
 * Returns the slicing arguments of a list. Skips a path whose argument does not exist, which the
 * schema check reports.
 */
export function readSlicingPaths(listSize: FieldListSize, args: readonly InputModel[]): SlicingPath[] {
  return listSize.slicingArguments.flatMap((path) => {
    const [name, ...below] = path.split('.');
    const argument = args.find((each) => each.name === name);
    if (argument === undefined) return [];
    const isPlainInt =
      below.length === 0 && getNullableType(argument.type) === GraphQLInt && (listSize.exactLevels ?? 0) >= 0;
    const form = sizeFormOf(argument.type, below);
    const valueWhenNegative = inputAt(argument, below)?.defaultValue;
    return [{ argument, below, form, hasDefault: hasDefault(argument, below), valueWhenNegative, isPlainInt }];
  });
}

/** Returns the argument, or the input field at the end of the path. */
function inputAt(argument: InputModel, below: readonly string[]): InputModel | undefined {
  let input: InputModel | undefined = argument;
  for (const name of below) input = input?.object?.fields().find((each) => each.name === name);
  return input;
}

function hasDefault(argument: InputModel, below: readonly string[]): boolean {
  let value = argument.defaultValue;
  let input: InputModel | undefined = argument;
  for (const name of below) {
    input = input?.object?.fields().find((each) => each.name === name);
    const inner: unknown =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined;
    value = inner ?? input?.defaultValue;
  }
  return value !== undefined && value !== null;
}
