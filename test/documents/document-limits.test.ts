import fc from 'fast-check';
import { Lexer, parse, Source, TokenKind, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createDocumentCheck } from '../../src/documents/document-check.js';
import { DEFAULT_DOCUMENT_LIMITS, type DocumentLimits, measureDocument } from '../../src/documents/measure-document.js';

const UNLIMITED = Object.fromEntries(
  Object.keys(DEFAULT_DOCUMENT_LIMITS).map((name) => [name, Number.POSITIVE_INFINITY]),
) as unknown as DocumentLimits;

/**
 * Measures a document with graphql-js, as the model for the counts of the scanner. Depth does not
 * follow fragments.
 */
function measureByParsing(text: string) {
  const counts = { maxTokens: 0, maxAliases: 0, maxDirectives: 0, maxDefinitions: 0, maxDepth: 0 };
  const lexer = new Lexer(new Source(text));
  while (lexer.advance().kind !== TokenKind.EOF) counts.maxTokens++;
  const open = { selections: 0, values: 0 };
  const nesting = (kind: keyof typeof open) => ({
    enter() {
      open[kind]++;
      counts.maxDepth = Math.max(counts.maxDepth, open[kind]);
    },
    leave() {
      open[kind]--;
    },
  });
  const counted = (limit: keyof typeof counts) => () => {
    counts[limit]++;
  };
  visit(parse(text), {
    Field(node) {
      if (node.alias) counts.maxAliases++;
    },
    Directive: counted('maxDirectives'),
    OperationDefinition: counted('maxDefinitions'),
    FragmentDefinition: counted('maxDefinitions'),
    SelectionSet: nesting('selections'),
    ListValue: nesting('values'),
    ObjectValue: nesting('values'),
    ListType: nesting('values'),
  });
  return counts;
}

const name = fc.constantFrom('a', 'b', 'on_', 'fragment', 'query', '__proto__', 'x1');
const blank = fc.constantFrom(' ', '\n', ' , ', ' # "{(\n', '\t', '\ufeff ');
const value: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      '1',
      '-1.5e+10',
      '"a{b:c(@"',
      '"\\"{"',
      '"""block " { \\""" @x"""',
      '$v',
      'true',
      'null',
      'E',
      '""',
    ),
    fc.array(tie('value'), { maxLength: 3 }).map((all) => `[${all.join(' ')}]`),
    fc.array(tie('value'), { maxLength: 3 }).map((all) => `{${all.map((one, i) => `k${i}: ${one}`).join(', ')}}`),
  ),
})).value;
const directives = fc.array(
  fc.tuple(name, fc.option(value)).map(([of, given]) => `@${of}${given === null ? '' : `(if: ${given})`}`),
  { maxLength: 2 },
);
const selections = fc.letrec<{ set: string }>((tie) => {
  const selection = fc.oneof(
    fc
      .tuple(fc.option(name), name, fc.option(value), directives, fc.option(tie('set'), { freq: 1 }), blank)
      .map(
        ([alias, of, given, all, set, gap]) =>
          `${alias === null ? '' : `${alias}${gap}:`} ${of}${given === null ? '' : `(arg: ${given})`} ${all.join(gap)} ${set ?? ''}`,
      ),
    fc.tuple(directives, tie('set'), blank).map(([all, set, gap]) => `...${gap}on T ${all.join(' ')} ${set}`),
    fc.tuple(directives, tie('set')).map(([all, set]) => `... ${all.join(' ')} ${set}`),
  );
  return {
    set: fc.oneof(
      { maxDepth: 4 },
      name.map((of) => `{ ${of} }`),
      fc.tuple(fc.array(selection, { minLength: 1, maxLength: 4 }), blank).map(([all, gap]) => `{${all.join(gap)}}`),
    ),
  };
}).set;
const definition = fc.oneof(
  selections,
  fc.tuple(name, value, directives, selections).map(([of, given, all, set]) => {
    const constant = given.replaceAll('$v', '7');
    return `query ${of} ($v: [[Int!]]! = ${constant} ${all.join(' ').replaceAll('$v', '7')}) ${set}`;
  }),
  fc
    .tuple(fc.nat({ max: 99 }), directives, selections)
    .map(([n, all, set]) => `fragment F${n} on T ${all.join(' ')} ${set}`),
);
const text = fc.array(definition, { minLength: 1, maxLength: 4 }).map((all) => all.join('\n'));

describe('measurement of a document', () => {
  it('the scanner counts exactly what the parser finds', () => {
    fc.assert(
      fc.property(text, (source) => {
        const counts = measureByParsing(source);
        expect(measureDocument(source, { ...UNLIMITED, ...counts }), source).toBeUndefined();
        for (const limit of Object.keys(counts) as (keyof typeof counts)[]) {
          if (counts[limit] === 0) continue;
          expect(measureDocument(source, { ...UNLIMITED, [limit]: counts[limit] - 1 }), source).toBe(limit);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('the scanner terminates for any text', () => {
    const fragments = fc.constantFrom(
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      '"',
      '"""',
      '\\',
      '#',
      '\n',
      '...',
      '.',
      '@',
      ':',
      'on',
      'a',
      '\0',
      '\ud800',
      '-',
    );
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 60 }), (parts) => {
        measureDocument(parts.join(''), DEFAULT_DOCUMENT_LIMITS);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['fragments inside each other', '{ a { ...F } } fragment F on T { b { ...G } } fragment G on T { c { d } }', 4],
    [
      'the deepest of several fragments',
      '{ ...F a { ...G } } fragment F on T { x } fragment G on T { b { c { d } } }',
      4,
    ],
    ['a fragment next to its use', '{ ...F } fragment F on T { a }', 1],
    ['a cycle, which validation rejects', '{ ...F } fragment F on T { a { ...F } }', 2],
    ['a missing fragment', '{ a { ...F } }', 2],
  ])('the depth includes fragments: %s', (_, source, depth) => {
    expect(measureDocument(source, { ...UNLIMITED, maxDepth: depth })).toBeUndefined();
    expect(measureDocument(source, { ...UNLIMITED, maxDepth: depth - 1 })).toBe('maxDepth');
  });
});

describe('limits of a document', () => {
  it('the size limit counts bytes instead of characters, and includes comments', () => {
    const { ofText: check } = createDocumentCheck({ maxBytes: 20 });
    expect(check('{ a } #456789012345')).toBeUndefined();
    expect(check('{ a } #4567890123456789')?.extensions).toMatchObject({ limit: 'maxBytes', maximum: 20 });
    expect(check('{ a } #ééééééé')?.extensions).toMatchObject({ limit: 'maxBytes' });
  });

  it('document limits can be disabled, and invalid limits are rejected', () => {
    expect(createDocumentCheck(UNLIMITED).ofText(`{ a } #${'x'.repeat(1_000_000)}`)).toBeUndefined();
    expect(() => createDocumentCheck({ maxDepth: 0 })).toThrow('documentLimits.maxDepth: expected a whole number');
    expect(() => createDocumentCheck({ maxTokens: Number.NaN })).toThrow(/maxTokens.*got NaN/);
  });
});
