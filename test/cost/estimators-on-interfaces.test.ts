import {
  buildSchema,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { directiveEstimator, getComplexity, simpleEstimator } from 'graphql-query-complexity';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createRandom, type Random } from './reference/random.js';

const DIRECTIVE = 'directive @complexity(value: Int!, multipliers: [String!]) on FIELD_DEFINITION';
const estimators = [directiveEstimator(), simpleEstimator({ defaultComplexity: 1 })];

function prices(schema: GraphQLSchema, source: string): { ours: number; theirs: number } {
  const document = parse(source);
  expect(validate(schema, document), source).toEqual([]);
  const analyzer = createCostAnalyzer(schema, { estimators, minimumCost: 0 });
  return {
    ours: analyzer.compile(document).estimate().cost,
    theirs: getComplexity({ schema, query: document, estimators }),
  };
}

describe('estimators on fields of objects and their interfaces', () => {
  const schema = buildSchema(`${DIRECTIVE}
    interface Node { id: ID }
    interface Named implements Node { id: ID @complexity(value: 7) name: String }
    type User implements Node & Named { id: ID @complexity(value: 0) name: String @complexity(value: 3) peer: User }
    type Query { me: User node: Node named: Named }`);

  it.each([
    ['{ me { id } }', 1],
    ['{ me { peer { id name } } }', 5],
    ['{ me { ... on Node { id } } }', 2],
    ['{ me { ... on Named { id name } } }', 11],
    ['{ node { ... on User { id } } }', 1],
    ['{ node { id } }', 2],
    ['{ named { id } }', 8],
    ['{ named { ... on User { id } } }', 1],
  ])('an estimator is called for the interface only if the selection is on the interface: %s costs %i', (source, cost) => {
    expect(prices(schema, source).ours).toBe(cost);
  });

  it('merged selections on an object and on its interface cost the maximum of the two', () => {
    expect(prices(schema, '{ node { ... on User { id } id } }').ours).toBe(2);
    expect(prices(schema, '{ node { ... on User { id } ... on Named { id } id } }').ours).toBe(8);
    expect(
      prices(schema, '{ ...A ...B } fragment A on Query { me { id } } fragment B on Query { me { id } }').ours,
    ).toBe(1);
  });

  it('random operations cost the same as in graphql-query-complexity except for documented differences', () => {
    const random = createRandom(1127);
    let compared = 0;
    let onInterfaces = 0;
    for (let i = 0; i < 150; i++) {
      const text = randomSchema(random);
      const each = buildSchema(text);
      for (let j = 0; j < 8; j++) {
        const source = randomOperation(each, random);
        const { ours, theirs } = prices(each, source);
        expect(ours, `${text}\n${source}`).toBe(theirs);
        compared++;
        if (source.includes('on I')) onInterfaces++;
      }
    }
    expect(compared).toBe(1200);
    expect(onInterfaces).toBeGreaterThan(50);
  });
});

/**
 * Returns a schema whose objects are at most as expensive as their interfaces. If an object is more
 * expensive, the prices of Tollgate and the package differ, as documented.
 */
function randomSchema(random: Random): string {
  const composites = ['I', 'J', 'A', 'B', 'C'];
  const own = (highest: number | undefined): [text: string, value: number] => {
    if (random.chance(0.4) && (highest === undefined || highest >= 1)) return ['', 1];
    const value = random.below((highest ?? 6) + 1);
    return [` @complexity(value: ${value})`, value];
  };
  const ofInterface = (letter: string) => {
    const fields = [`${letter}Leaf: Int`, `${letter}One: ${random.pick(composites)}`];
    return fields.map((text) => {
      const [annotation, value] = own(undefined);
      return { text, annotation, value };
    });
  };
  const interfaces = { I: ofInterface('i'), J: ofInterface('j') };
  const lines = Object.entries(interfaces).map(
    ([name, fields]) => `interface ${name} { ${fields.map((each) => each.text + each.annotation).join(' ')} }`,
  );
  for (const name of ['A', 'B', 'C']) {
    const implemented = (['I', 'J'] as const).filter((each) => (name === 'A' ? each === 'I' : random.chance(0.6)));
    const inherited = implemented.flatMap((each) => interfaces[each].map(({ text, value }) => text + own(value)[0]));
    const many = `many(first: Int! = 2): [${random.pick(composites)}] @complexity(value: 1, multipliers: ["first"])`;
    const implementing = implemented.length === 0 ? '' : ` implements ${implemented.join(' & ')}`;
    lines.push(`type ${name}${implementing} { ${[`leaf: Int${own(undefined)[0]}`, many, ...inherited].join(' ')} }`);
  }
  const isEmpty = !lines.some((line) => /^type[^{]*implements[^{]*J/.test(line));
  if (isEmpty)
    lines.push(`type D implements J { ${interfaces.J.map(({ text, value }) => text + own(value)[0]).join(' ')} }`);
  const roots = composites.map((name) => `q${name}: ${name}${own(undefined)[0]}`);
  return `${DIRECTIVE}\n${lines.join('\n')}\nunion U = A | B\ntype Query { ${roots.join(' ')} qU: U }`;
}

/**
 * Returns an operation in which every selection has its own alias, and no fragment contains another
 * one.
 */
function randomOperation(schema: GraphQLSchema, random: Random): string {
  let names = 0;
  const selections = (type: GraphQLNamedType, depth: number, isInFragment: boolean): string => {
    const parts = Array.from({ length: 1 + random.below(2) }, () => selection(type, depth, isInFragment));
    return `{ ${parts.join(' ')} }`;
  };
  const selection = (type: GraphQLNamedType, depth: number, isInFragment: boolean): string => {
    if (!isInFragment && isCompositeType(type) && (!hasFields(type) || random.chance(0.35))) {
      const inside = random.pick(conditionsIn(schema, type));
      return `... on ${inside.name} ${selections(inside, depth, true)}`;
    }
    const fields = hasFields(type) ? Object.values(type.getFields()) : [];
    const open = fields.filter((field) => depth > 0 || !isCompositeType(getNamedType(field.type)));
    const field = random.pick(open);
    const child = getNamedType(field.type);
    const below = isCompositeType(child) ? ` ${selections(child, depth - 1, false)}` : '';
    return `a${names++}: ${field.name}${field.args.length > 0 ? `(first: ${random.below(4)})` : ''}${below}`;
  };
  return selections(schema.getQueryType()!, 2 + random.below(2), true);
}

const hasFields = (type: GraphQLNamedType) => isObjectType(type) || isInterfaceType(type);

/**
 * Returns the types that a fragment may name as its type condition at a position of this type. At
 * abstract positions, it omits interfaces with a type that cannot occur there. The package would
 * add the selections of such a fragment for this type too.
 */
function conditionsIn(schema: GraphQLSchema, type: GraphQLNamedType): GraphQLNamedType[] {
  if (isObjectType(type)) return [type, ...type.getInterfaces()];
  const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  const interfaces = Object.values(schema.getTypeMap()).filter(isInterfaceType);
  return [
    ...possible,
    ...interfaces.filter((each) => schema.getPossibleTypes(each).every((one) => possible.includes(one))),
  ];
}
