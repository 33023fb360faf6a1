import { buildSchema, type DocumentNode, parse, print, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createManifestPrices } from '../../packages/client/src/manifest.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { ExplainedField } from '../../src/cost/explain/explain-operation.js';
import { costTypeDefs } from '../../src/cost/schema/cost-type-defs.js';
import { outcome } from './reference/generated-cases.js';

const LIST_SIZE = 20;
const schema = buildSchema(`${costTypeDefs}
  type Query {
    outer(in: In): Outer
      @listSize(slicingArguments: ["in.size"], sizedFields: ["page { named }"], requireOneSlicingArgument: false)
    assumed(first: Int): Outer
      @listSize(assumedSize: 4, slicingArguments: ["first"], sizedFields: ["page { named }"])
  }
  input In { size: Int }
  type Outer { page(last: Int): Page }
  type Page { items: [T] named: [T] }
  type T { a: Int }`);

/** The three ways in which `$in` sets no size, and one in which it does. */
const ABSENT = [{}, { in: null }, { in: {} }, { in: { size: null } }];
const GIVEN = { in: { size: 7 } };

const operation = (selections: string, last = '$n') =>
  `query ($in: In${last === '$n' ? ', $n: Int' : ''}) { outer(in: $in) { page(last: ${last}) { ${selections} } } }`;

/** Numbers of items in `items` and `named`, by whether `$in` sets a size and `last` is 50. */
const SIZES = [
  { list: 'items', given: LIST_SIZE, absent: 50 },
  { list: 'named', given: 7, absent: 50 },
] as const;

function analyzerOf(options = {}) {
  return createCostAnalyzer(schema, { minimumCost: 0, defaultListSize: LIST_SIZE, ...options });
}

/** Returns the explained field at a path below the root. */
function fieldAt(fields: readonly ExplainedField[], path: string): ExplainedField | undefined {
  for (const field of fields) {
    const found = field.path === path ? field : fieldAt(field.fields, path);
    if (found) return found;
  }
  return undefined;
}

/** Checks the number of items of a list in an estimate, an explanation and a manifest. */
function expectItems(document: DocumentNode, variables: Record<string, unknown>, list: string, items: number): void {
  const context = `${print(document)} ${JSON.stringify(variables)}`;
  expect(validate(schema, document), context).toEqual([]);
  // The root object and the page cost 1 each, and so does each item.
  const cost = items + 2;
  for (const maxCompileSteps of [undefined, 2]) {
    const plan = analyzerOf(maxCompileSteps && { maxCompileSteps }).compile(document);
    expect(plan.isUpperBound, context).toBe(maxCompileSteps !== undefined);
    expect(plan.estimate(variables).cost, context).toBe(cost);
    expect(plan.explain(variables).cost, context).toBe(cost);
    expect(fieldAt(plan.explain(variables).fields, `outer.page.${list}`)?.multiplier, context).toBe(items);
  }
  const { manifest } = analyzerOf().manifest([{ document }]);
  const priceOf = createManifestPrices(JSON.parse(JSON.stringify(manifest)));
  expect(priceOf({ document: print(document), variables }), context).toBe(cost);
}

describe('a page argument below a field whose annotation names lists of the page', () => {
  it.each(SIZES)('sizes $list in exactly the requests in which the annotated argument has no size', (sizes) => {
    const { list, given, absent } = sizes;
    const selection = `${list} { a }`;
    for (const last of ['50', '$n']) {
      const document = parse(operation(selection, last));
      const variables = last === '$n' ? { n: 50 } : {};
      for (const none of ABSENT) expectItems(document, { ...variables, ...none }, list, absent);
      expectItems(document, { ...variables, ...GIVEN }, list, given);
    }
    for (const literal of ['', '(in: null)', '(in: {})', '(in: { size: null })']) {
      expectItems(parse(`{ outer${literal} { page(last: 50) { ${selection} } } }`), {}, list, absent);
    }
    expectItems(parse(`{ outer(in: { size: 7 }) { page(last: 50) { ${selection} } } }`), {}, list, given);
  });

  it.each(SIZES)('leaves $list its default size if neither argument has a size', ({ list, given }) => {
    for (const last of ['null', '$n']) {
      const document = parse(operation(`${list} { a }`, last));
      for (const none of ABSENT) expectItems(document, none, list, LIST_SIZE);
      expectItems(document, GIVEN, list, given);
    }
  });

  it('sizes no list if the annotation assumes a size for absent arguments', () => {
    const plan = analyzerOf().compile(
      parse('query ($f: Int) { assumed(first: $f) { page(last: 50) { items { a } named { a } } } }'),
    );
    expect(plan.estimate({}).cost).toBe(2 + LIST_SIZE + 4);
    expect(plan.estimate({ f: 9 }).cost).toBe(2 + LIST_SIZE + 9);
  });

  it('is the source of the size in an explanation in the same requests', () => {
    const plan = analyzerOf().compile(parse(operation('items { a } named { a }')));
    const sourceOf = (variables: object, list: string) =>
      fieldAt(plan.explain({ n: 50, ...variables }).fields, `outer.page.${list}`)?.multiplierFrom;
    for (const none of ABSENT) {
      for (const list of ['items', 'named']) {
        expect(sourceOf(none, list)).toEqual({ kind: 'variable', argument: 'last', variable: '$n' });
      }
    }
    expect(sourceOf(GIVEN, 'items')).toEqual({ kind: 'fallback' });
    expect(sourceOf(GIVEN, 'named')).toEqual({ kind: 'variable', argument: 'in.size', variable: '$in.size' });
    expect(plan.explain({ n: 50 }).formula).toBe('2 + if($in.size, 20, $n) + if($in.size, $in.size, $n)');
  });

  it('counts towards the maximum size of a list in the same requests', () => {
    const overlay = { 'Page.items': { maxSize: 30 }, 'Page.named': { maxSize: 30 } };
    const mistakes = analyzerOf({ overlay }).check();
    expect(mistakes.filter(({ severity }) => severity === 'error')).toEqual([]);
    for (const list of ['items', 'named']) {
      for (const last of ['50', '$n']) {
        const plan = analyzerOf({ overlay }).compile(parse(operation(`${list} { a }`, last)));
        for (const none of ABSENT) {
          expect(
            outcome(() => plan.estimate({ n: 50, ...none })),
            list,
          ).toBe('MAX_LIST_SIZE_EXCEEDED');
        }
        expect(plan.estimate({ n: 50, ...GIVEN }).cost, list).toBe(2 + (list === 'items' ? LIST_SIZE : 7));
      }
    }
  });

  it('prices a list that failed in a response like the same list of a literal operation', () => {
    const data = { outer: { page: { items: null } } };
    const errors = [{ path: ['outer', 'page', 'items', 3] }];
    const actualOf = (source: string, variables: Record<string, unknown>) =>
      analyzerOf().compile(parse(source)).actual(variables, data, undefined, errors).cost;
    const expected = actualOf('{ outer { page(last: 50) { items { a } } } }', {});
    for (const none of ABSENT) expect(actualOf(operation('items { a }'), { n: 50, ...none })).toBe(expected);
    expect(actualOf(operation('items { a }'), { n: 50, ...GIVEN })).toBeLessThan(expected);
  });
});
