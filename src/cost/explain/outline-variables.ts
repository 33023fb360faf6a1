import { type GraphQLInputType, getNullableType, isEnumType, isInputObjectType, isListType } from 'graphql';
import type { OperationVariables, VariableValues } from '../compile/operation-variables.js';
import type { OperationOutline } from './outline-operation.js';
import { isNumber, pathsBelow, type SizePaths } from './size-paths.js';

/** Maximum number of values in the outlined variables. */
const MOST_VALUES = 500;

/**
 * Returns a copy of the variables of a request without personal data. Numbers that size a list and
 * Booleans for `@skip` and `@include` remain. Other numbers are replaced with 0, strings with empty
 * strings, Booleans with false, and enum values with the first value of the enum.
 * @returns undefined if there are too many values
 */
export function outlineVariables(
  { all }: Pick<OperationVariables, 'all'>,
  values: Pick<VariableValues, 'raw'>,
  sizing: OperationOutline['sizing'],
): Record<string, unknown> | undefined {
  let left = MOST_VALUES;

  function redact(value: unknown, paths: SizePaths, type: GraphQLInputType | undefined): unknown {
    if (--left < 0) return null;
    const isSize = paths.some((path) => path.length === 0);
    const nullable = type && getNullableType(type);
    if (Array.isArray(value)) {
      const ofItem = isListType(nullable) ? nullable.ofType : undefined;
      if (value.length > left) left = -1;
      return value.slice(0, Math.max(left, 0)).map((item: unknown) => redact(item, [], ofItem));
    }
    if (typeof value === 'object' && value !== null) {
      const fields = isInputObjectType(nullable) ? nullable.getFields() : {};
      const redacted: Record<string, unknown> = Object.create(null);
      for (const name of Object.keys(fields)) {
        if (!Object.hasOwn(value, name)) continue;
        const inner = (value as Record<string, unknown>)[name];
        redacted[name] = redact(inner, pathsBelow(paths, name), fields[name]!.type);
      }
      return redacted;
    }
    if (isEnumType(nullable)) return value === null ? null : nullable.getValues()[0]?.name;
    switch (typeof value) {
      case 'number':
        return isSize ? value : 0;
      case 'boolean':
        return isSize && value;
      case 'string':
        return isSize && isNumber(value) ? value : '';
      default:
        return null;
    }
  }

  const redacted: Record<string, unknown> = Object.create(null);
  for (const variable of all) {
    if (variable === undefined) continue;
    const { name, type } = variable;
    const value = values.raw(name);
    if (value !== undefined) redacted[name] = redact(value, sizing.get(name) ?? [], type);
  }
  return left < 0 ? undefined : redacted;
}
