import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type InlineFragmentNode,
  Kind,
  type SelectionNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIST_SIZE, forEachCase, type GeneratedCase, isValid, outcome } from './reference/generated-cases.js';

const options = { defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0 };

function numbersOf({ analyzer, variables }: GeneratedCase, document: DocumentNode): unknown {
  return outcome(() => {
    const { cost, typeCost, fieldCost } = analyzer(options).compile(document).estimate(variables);
    return { cost, typeCost, fieldCost };
  });
}

/** Rewrites each operation, and expects the same price. */
function expectSamePrice(rewrite: (document: DocumentNode, each: GeneratedCase) => DocumentNode): void {
  let compared = 0;
  forEachCase(4, (each) => {
    const rewritten = rewrite(each.document, each);
    if (!isValid(each.schema, rewritten)) return;
    expect(numbersOf(each, rewritten), each.context).toEqual(numbersOf(each, each.document));
    compared++;
  });
  expect(compared).toBeGreaterThan(40);
}

const inSelections = (
  document: DocumentNode,
  change: (selections: readonly SelectionNode[]) => SelectionNode[],
): DocumentNode =>
  visit(document, {
    SelectionSet: { leave: (node) => ({ ...node, selections: change(node.selections) }) },
  });

describe('rewritten operations of the same price', () => {
  it('the price stays the same if the order of selections changes', () => {
    expectSamePrice((document) => inSelections(document, (selections) => [...selections].reverse()));
  });

  it('the price stays the same if selections are repeated', () => {
    // Only selections at the lowest levels are repeated. Otherwise each level would double the
    // size of the document.
    const isLow = (selection: SelectionNode, height = 2): boolean =>
      !('selectionSet' in selection) ||
      selection.selectionSet === undefined ||
      (height > 0 && selection.selectionSet.selections.every((each) => isLow(each, height - 1)));
    expectSamePrice((document) =>
      inSelections(document, (selections) => [...selections, ...selections.filter((each) => isLow(each))]),
    );
  });

  it('the price stays the same if all response names change', () => {
    expectSamePrice((document) =>
      visit(document, {
        Field: (node): FieldNode => {
          const name = (node.alias ?? node.name).value;
          return { ...node, alias: { kind: Kind.NAME, value: `renamed_${name}` } };
        },
      }),
    );
  });

  it('the price stays the same if fragments are inlined', () => {
    expectSamePrice((document) => {
      const fragments = new Map<string, FragmentDefinitionNode>();
      for (const each of document.definitions) {
        if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
      }
      const inline = (node: DocumentNode): DocumentNode =>
        visit(node, {
          FragmentSpread: (spread): InlineFragmentNode => {
            const { typeCondition, selectionSet } = fragments.get(spread.name.value)!;
            return {
              kind: Kind.INLINE_FRAGMENT,
              typeCondition,
              selectionSet,
              ...(spread.directives && { directives: spread.directives }),
            };
          },
        });
      // `visit` continues into the inlined selections, so that fragments in fragments are inlined
      // too.
      return inline({
        ...document,
        definitions: document.definitions.filter((each) => each.kind !== Kind.FRAGMENT_DEFINITION),
      });
    });
  });

  it('the price stays the same if every selection is wrapped in a fragment without a type', () => {
    expectSamePrice((document) =>
      inSelections(document, (selections) =>
        selections.map((selection) => ({
          kind: Kind.INLINE_FRAGMENT,
          selectionSet: { kind: Kind.SELECTION_SET, selections: [selection] },
        })),
      ),
    );
  });

  it('the price stays the same if sizes are variables instead of literals', () => {
    expectSamePrice((document, each) => {
      const added: Record<string, number | null> = {};
      const rewritten: DocumentNode = visit(document, {
        Argument: (node) => {
          if (node.name.value !== 'first' && node.name.value !== 'last') return undefined;
          if (node.value.kind !== Kind.INT && node.value.kind !== Kind.NULL) return undefined;
          const value = valueFromASTUntyped(node.value) as number | null;
          const name = value === null ? 'none' : `v${value < 0 ? 'm' : ''}${Math.abs(value)}`;
          added[name] = value;
          return { ...node, value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } } };
        },
      });
      Object.assign(each.variables, added);
      return visit(rewritten, {
        OperationDefinition: (node) => ({
          ...node,
          variableDefinitions: [
            ...(node.variableDefinitions ?? []),
            ...Object.keys(added).map((name) => ({
              kind: Kind.VARIABLE_DEFINITION,
              variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
              type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'Int' } },
            })),
          ],
        }),
      });
    });
  });
});

describe('prices of longer lists', () => {
  it('the price never falls if a list gets longer and no weight is negative', () => {
    let compared = 0;
    const withoutNegatives = (sdl: string): string => sdl.replaceAll('weight: "-', 'weight: "');
    const check = (each: GeneratedCase): void => {
      const analyzer = each.analyzer(options);
      const priceOf = (more: number) => {
        const variables = { ...each.variables, n0: 1 + more, n1: 2 + more, n2: more };
        return outcome(() => analyzer.compile(each.document).estimate(variables).cost);
      };
      const prices = [0, 1, 4].map(priceOf);
      if (prices.some((price) => typeof price === 'string')) return;
      expect(
        [...prices].sort((a, b) => Number(a) - Number(b)),
        each.context,
      ).toEqual(prices);
      compared++;
    };
    forEachCase(4, check, withoutNegatives);
    expect(compared).toBeGreaterThan(40);
  });
});
