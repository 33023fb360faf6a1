import { MAX_COST } from '../model/limit-parameters.js';
import { alternatives } from './alternatives.js';
import { describeValue } from './describe-value.js';
import { type FindMistakes, findMistakes, type OptionCheck, type OptionTable } from './find-mistakes.js';
import { isWholeNumber } from './is-whole-number.js';
import { didYouMean } from './nearest-name.js';

/**
 * Checks for kinds of option values. Each check reports every value of another kind, and the
 * message describes the value.
 */

/**
 * @param most largest number. The message includes it only if it is below `MAX_COST`.
 * @default the largest whole number that is exact
 */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): OptionCheck<number> {
  const range = most >= MAX_COST ? `of ${least} or more` : `from ${least} to ${most}`;
  return expecting(`a whole number ${range}`, (value) => isWholeNumber(value, least, most));
}

export const finiteNumber: OptionCheck<number> = expecting('a finite number', Number.isFinite);

export function numberFrom(least: number): OptionCheck<number> {
  return expecting(`a number of ${least} or more`, (value) => Number.isFinite(value) && (value as number) >= least);
}

export const flag: OptionCheck<boolean> = expecting('true or false', (value) => typeof value === 'boolean');

export const text: OptionCheck<string> = expecting(
  'a non-empty string',
  (value) => typeof value === 'string' && value !== '',
);

export function textAs(pattern: RegExp, expected: string): OptionCheck<string> {
  return expecting(expected, (value) => typeof value === 'string' && pattern.test(value));
}

/** @param example an example of a function for the message */
export function callback(example?: string): OptionCheck<(...args: never[]) => unknown> {
  const expected = example === undefined ? 'a function' : `a function, such as ${example}`;
  return expecting(expected, (value) => typeof value === 'function');
}

export function oneOf<const Value extends string | number | boolean>(...values: readonly Value[]): OptionCheck<Value> {
  const expected = `expected ${alternatives(values.map((one) => JSON.stringify(one)))}`;
  return {
    *find(value, place) {
      if ((values as readonly unknown[]).includes(value)) return;
      const texts = values.filter((one) => typeof one === 'string');
      yield `${place}: ${expected}, got ${describeValue(value)}${typeof value === 'string' ? didYouMean(value, texts, JSON.stringify) : ''}`;
    },
  };
}

/** Returns the check of an object of options. */
export function optionsOf<Options extends object>(table: OptionTable<Options>): OptionCheck<Options> {
  return { find: (value, place) => findMistakes(value, table, { place }), members: table };
}

/** Returns the check of a list whose items pass `element`. */
export function listOf<Value>(element: OptionCheck<Value>): OptionCheck<readonly Value[]> {
  return {
    *find(value, place) {
      if (!Array.isArray(value)) yield `${place}: expected a list, got ${describeValue(value)}`;
      else for (const [index, one] of value.entries()) yield* element.find(one, `${place}[${index}]`);
    },
  };
}

/** Returns the check of an object with any keys, whose values pass `element`. */
export function recordOf<Value>(element: OptionCheck<Value>): OptionCheck<Readonly<Record<string, Value>>> {
  return {
    *find(value, place) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        yield `${place}: expected an object, got ${describeValue(value)}`;
      } else for (const [name, one] of Object.entries(value)) yield* element.find(one, `${place}.${name}`);
    },
  };
}

/** Returns the check of an object of another library. The object must have these methods. */
export function objectWith<Value extends object>(
  expected: string,
  ...methods: readonly (keyof Value & string)[]
): OptionCheck<Value> {
  return expecting(expected, (value) => {
    if (typeof value !== 'object' && typeof value !== 'function') return false;
    return value !== null && methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function');
  });
}

/**
 * Returns the check of a value that may be an object or another value. `objects` checks objects,
 * and `others` checks all other values.
 */
export function objectOr<Objects extends object, Others>(
  objects: OptionCheck<Objects>,
  others: OptionCheck<Others>,
): OptionCheck<Objects | Others> {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null;
  return {
    find: (value, place) => (isObject(value) ? objects : others).find(value, place),
    ...(objects.members && { members: objects.members }),
  };
}

/**
 * Returns the check of an object of options, or of false, which disables a feature that is enabled
 * by default.
 */
export function optionsOrFalse<Options extends object>(table: OptionTable<Options>): OptionCheck<Options | false> {
  const expected = `an object such as { ${Object.keys(table)[0]}: ... }, or false`;
  return objectOr(optionsOf(table), {
    *find(value, place) {
      if (value === true) yield `${place}: expected ${expected}, got true: omit the option to enable it`;
      else if (value !== false) yield `${place}: expected ${expected}, got ${describeValue(value)}`;
    },
  });
}

/** Accepts any value, because another part of the code checks it. */
export const anything: OptionCheck<unknown> = { find: () => [] };

/** @param find finds the mistakes in a value, which may have any type */
export function checkedBy<Value>(find: FindMistakes): OptionCheck<Value> {
  return { find };
}

export function required<Value>(check: OptionCheck<Value>): OptionCheck<Value> {
  return { ...check, isRequired: true };
}

function expecting<Value>(expected: string, fits: (value: unknown) => boolean): OptionCheck<Value> {
  return {
    *find(value, place) {
      if (!fits(value)) yield `${place}: expected ${expected}, got ${describeValue(value)}`;
    },
  };
}
