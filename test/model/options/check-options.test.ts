import { expect, test } from 'vitest';
import { findMistakes, type OptionTable, rejectMistakes } from '../../../src/options/find-mistakes.js';
import {
  callback,
  flag,
  listOf,
  oneOf,
  optionsOf,
  required,
  text,
  wholeNumber,
} from '../../../src/options/option-kinds.js';

interface Inner {
  size?: number;
  isSorted?: boolean;
}
interface Options {
  name: string;
  mode?: 'ENFORCE' | 'SHADOW';
  inner?: Inner;
  all?: readonly Inner[];
  onDone?: (what: string) => void;
}

const INNER: OptionTable<Inner> = { size: wholeNumber(1, 9), isSorted: flag };
const TABLE: OptionTable<Options> = {
  name: required(text),
  mode: oneOf('ENFORCE', 'SHADOW'),
  inner: optionsOf(INNER),
  all: listOf(optionsOf(INNER)),
  onDone: callback('() => {}'),
};

const mistakesIn = (options: unknown) => [...findMistakes(options, TABLE)];

test('valid options have no mistakes, and an undefined option counts as absent', () => {
  const good: Options = { name: 'a', mode: 'SHADOW', inner: { size: 3 }, all: [{ isSorted: true }], onDone: () => {} };
  expect(mistakesIn(good)).toEqual([]);
  expect(mistakesIn({ name: 'a', mode: undefined })).toEqual([]);
});

test('all mistakes in objects and lists are found together, with their paths and the likely intended names', () => {
  const options = {
    mode: 'shadow',
    nmae: 'a',
    size: 4,
    colour: 1,
    inner: { sized: 4, size: 'x' },
    all: [{}, { size: 10, isSorted: null }, 7],
    onDone: 'later',
  };
  expect(mistakesIn(options)).toEqual([
    'nmae: unknown option; did you mean name?',
    'size: unknown option; did you mean inner.size?',
    'colour: unknown option; there are name, mode, inner, all, onDone',
    'name: expected a non-empty string, got undefined',
    'mode: expected "ENFORCE" or "SHADOW", got "shadow"; did you mean "SHADOW"?',
    'inner.sized: unknown option; did you mean size?',
    'inner.size: expected a whole number from 1 to 9, got "x"',
    'all[1].size: expected a whole number from 1 to 9, got 10',
    'all[1].isSorted: expected true or false, got null',
    'all[2]: expected an object, got 7',
    'onDone: expected a function, such as () => {}, got "later"',
  ]);
});

test.each([
  undefined,
  null,
  7,
  'redis://x',
  [],
  () => {},
])('a value that is not an object is rejected: %j', (options) => {
  expect(mistakesIn(options)).toEqual([expect.stringMatching(/^options: expected an object, got /)]);
});

test('inherited members are not options, and names such as toString are unknown options', () => {
  expect(mistakesIn(Object.assign(Object.create({ later: 1 }), { name: 'a' }))).toEqual([]);
  expect(mistakesIn(JSON.parse('{ "name": "a", "__proto__": {}, "toString": 1 }'))).toEqual([
    expect.stringMatching(/^__proto__: unknown option/),
    expect.stringMatching(/^toString: unknown option/),
  ]);
});

test('no message shows the content of an object, which may be secret', () => {
  const [mistake] = mistakesIn({ name: { password: 'hunter2' } });
  expect(mistake).toBe('name: expected a non-empty string, got an object');
});

test('a single mistake is the whole error message, and several mistakes are counted and listed', () => {
  expect(() => rejectMistakes('createX', [])).not.toThrow();
  expect(() => rejectMistakes('createX', ['a: wrong'])).toThrow(new TypeError('a: wrong'));
  expect(() => rejectMistakes('createX', ['a: wrong', 'b: wrong'])).toThrow(
    new TypeError('createX: 2 mistakes in its options\n  a: wrong\n  b: wrong'),
  );
});

test('a table that lacks an option or excludes an allowed value does not compile', () => {
  // @ts-expect-error: `isSorted` is missing
  const lacking: OptionTable<Inner> = { size: wholeNumber(1) };
  // @ts-expect-error: 'SHADOW' is missing
  const narrow: OptionTable<Pick<Options, 'mode'>> = { mode: oneOf('ENFORCE') };
  // @ts-expect-error: there is no such option
  const wide: OptionTable<Inner> = { ...INNER, colour: text };
  expect([lacking, narrow, wide]).toHaveLength(3);
});
