import type { GraphQLField } from 'graphql';
import { describeValue } from '../../options/describe-value.js';
import { type AnnotationSource, directivesOf } from './annotation-source.js';
import type { ComplexityFunction } from './complexity-function.js';
import { complexityOfDirective } from './complexity-of-directive.js';
import { toNames } from './create-list-size-reader.js';
import { toWeight } from './create-weight-reader.js';
import { findPathMistake } from './find-path-mistake.js';

interface ComplexityReader {
  /**
   * Returns the price of a field from `@complexity` or `extensions.complexity`.
   * @param fallbackSize assumed number of items of a list whose size nothing determines
   */
  complexity(
    field: GraphQLField<unknown, unknown>,
    coordinate: string,
    fallbackSize: number,
  ): number | ComplexityFunction | undefined;
  /**
   * Returns the `multipliers` of `@complexity`: arguments, or paths below them, whose values
   * multiply the price of an item.
   */
  multipliers(field: GraphQLField<unknown, unknown>): readonly string[];
}

const COMPLEXITY: ReadonlySet<string> = new Set(['complexity']);

/** Creates a reader of prices. `@complexity` takes precedence over `extensions.complexity`. */
export function createComplexityReader({ reject }: Pick<AnnotationSource, 'reject'>): ComplexityReader {
  function complexity(
    field: GraphQLField<unknown, unknown>,
    coordinate: string,
    fallbackSize: number,
  ): number | ComplexityFunction | undefined {
    const directive = directivesOf(field, COMPLEXITY)[0];
    if (directive !== undefined) return readComplexity({ directive, field, coordinate, fallbackSize });
    const value = field.extensions['complexity'];
    if (typeof value === 'function') return value as ComplexityFunction;
    if (value === undefined || value === null) return undefined;
    const number = typeof value === 'number' ? toWeight(value) : undefined;
    return (
      number ??
      reject(coordinate, `extensions.complexity: expected a number or a function, got ${describeValue(value)}`)
    );
  }

  /**
   * Returns the price that a `@complexity` directive sets. Without multipliers, its `value` is the
   * weight of the call, like a number in `extensions.complexity`.
   */
  function readComplexity(options: {
    directive: Readonly<Record<string, unknown>>;
    field: GraphQLField<unknown, unknown>;
    coordinate: string;
    fallbackSize: number;
  }): number | ComplexityFunction | undefined {
    const { directive, field, coordinate, fallbackSize } = options;
    const value = toWeight(directive['value']);
    if (value === undefined) {
      const got = JSON.stringify(directive['value']) ?? 'none';
      return reject(coordinate, `@complexity: expected a number as value, got ${got}`);
    }
    const named = toNames(directive['multipliers'], () =>
      reject(coordinate, '@complexity: expected a list of names as multipliers'),
    );
    for (const path of named) {
      const mistake = findPathMistake(field, path, { opensScalars: true });
      if (mistake !== undefined) reject(coordinate, `@complexity: multipliers: ${mistake}`);
    }
    return named.length === 0 ? value : complexityOfDirective({ value, multipliers: named, field, fallbackSize });
  }

  return {
    complexity,
    multipliers: (field) => toNames(directivesOf(field, COMPLEXITY)[0]?.['multipliers'], () => undefined),
  };
}
