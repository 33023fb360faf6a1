import {
  buildSchema,
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql';
import type { ComplexityEstimatorArgs } from 'graphql-query-complexity';
import type { Random } from './random.js';

/**
 * Returns a schema as users of graphql-query-complexity write it: numbers and functions in
 * extensions, and directives.
 */
export function complexitySchema(): GraphQLSchema {
  const schema = buildSchema(`
    directive @complexity(value: Int!, multipliers: [String!]) on FIELD_DEFINITION
    type Query { me: User node(id: ID!): Node found(first: Int = 4): [Found!]! users(first: Int!, page: Page): [User] things: [Thing]
      count: Int @complexity(value: 6) }
    input Page { size: Int }
    interface Node { id: ID! label(size: Int): String peers(first: Int!): [Node!]! }
    interface Thing { label(size: Int): String price: Int }
    union Found = User | Post
    type User implements Node { id: ID! label(size: Int): String peers(first: Int!): [Node!]! posts(first: Int!): [Post!]!
      friends(page: Page): [User] @complexity(value: 2, multipliers: ["page.size"]) age: Int @complexity(value: 3) }
    type Post implements Node & Thing { id: ID! label(size: Int): String peers(first: Int!): [Node!]! author: User price: Int body: String }
    type Tag implements Thing { label(size: Int): String price: Int posts(first: Int!): [Post!]! }
  `);
  const byFirst = ({ args, childComplexity }: ComplexityEstimatorArgs) => 1 + args['first'] * childComplexity;
  for (const [coordinate, complexity] of Object.entries({
    'Query.users': byFirst,
    'Query.found': byFirst,
    'User.posts': byFirst,
    'Tag.posts': byFirst,
    'Post.author': 4,
    // The interface `Thing` and its other object `Post` have no price of their own for this field.
    'Tag.price': 5,
    'Post.body': ({ context, type, node }: ComplexityEstimatorArgs) =>
      (context?.['tier'] === 'big' ? 1 : 7) + type.name.length + node.name.value.length,
    'User.label': ({ args }: ComplexityEstimatorArgs) => args['size'] ?? undefined,
    'Post.label': ({ args }: ComplexityEstimatorArgs) => args['size'] ?? undefined,
    'Tag.label': ({ args }: ComplexityEstimatorArgs) => args['size'] ?? undefined,
    'Node.label': ({ args }: ComplexityEstimatorArgs) => args['size'] ?? undefined,
    'Thing.label': ({ args }: ComplexityEstimatorArgs) => args['size'] ?? undefined,
  })) {
    const [typeName = '', fieldName = ''] = coordinate.split('.');
    const type = schema.getType(typeName);
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
    if (field === undefined) throw new TypeError(`the schema has no ${coordinate}`);
    field.extensions = { complexity };
  }
  return schema;
}

/** Reason for different prices, from `docs/migrating-from-graphql-query-complexity.md`. */
export type Reason = 'typename' | 'selected twice' | 'fragments in fragments' | 'interface';

export interface RandomComplexityOperation {
  source: string;
  document: DocumentNode;
  variables: Record<string, unknown>;
  reasons: ReadonlySet<Reason>;
}

/**
 * Returns a valid operation. Almost every selection has its own alias, so that few selections are
 * merged.
 */
export function randomComplexityOperation(schema: GraphQLSchema, random: Random): RandomComplexityOperation {
  for (;;) {
    const source = writeOperation(schema, random);
    const document = parse(source);
    // Random operations may be invalid. Only those with no mistake but unused variables are used.
    if (validate(schema, document).some(({ message }) => !message.includes('is never used'))) continue;
    const variables: Record<string, unknown> = { n: random.below(6), size: random.below(9), yes: random.chance(0.5) };
    return { source, document, variables, reasons: findReasons(schema, document) };
  }
}

function writeOperation(schema: GraphQLSchema, random: Random): string {
  let names = 0;
  const number = (): string => (random.chance(0.3) ? '$n' : `${random.below(6)}`);
  const argumentsOf = (fieldName: string): string => {
    if (fieldName === 'node') return '(id: 1)';
    if (fieldName === 'users') return `(first: ${number()}${random.pick(['', ', page: { size: 2 }'])})`;
    if (fieldName === 'friends') return random.pick(['(page: { size: $size })', '(page: { size: 3 })']);
    if (['peers', 'posts'].includes(fieldName)) return `(first: ${number()})`;
    if (fieldName === 'found') return random.pick(['', `(first: ${number()})`]);
    if (fieldName === 'label') return random.pick(['', '(size: $size)', '(size: 3)', '(size: null)']);
    return '';
  };
  const condition = (): string =>
    random.chance(0.85) ? '' : random.pick([' @include(if: $yes)', ' @skip(if: $yes)', ' @include(if: false)']);

  function selections(type: GraphQLNamedType, depth: number): string {
    const parts: string[] = [];
    for (let i = 1 + random.below(3); i > 0; i--) parts.push(selection(type, depth));
    return `{ ${parts.join(' ')} }`;
  }

  function selection(type: GraphQLNamedType, depth: number): string {
    if (isAbstractType(type) && random.chance(0.3)) {
      const inside = random.pick([...schema.getPossibleTypes(type), ...schema.getPossibleTypes(type), type]);
      return `... on ${inside.name}${condition()} ${selections(inside, depth)}`;
    }
    const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const open = fields.filter((field) => depth > 0 || !isCompositeType(getNamedType(field.type)));
    if (open.length === 0 || random.chance(0.004)) return '__typename';
    const field = random.pick(open);
    const child = getNamedType(field.type);
    const below = isCompositeType(child) ? ` ${selections(child, depth - 1)}` : '';
    const alias = random.chance(0.02) ? '' : `a${names++}: `;
    return `${alias}${field.name}${argumentsOf(field.name)}${condition()}${below}`;
  }

  return `query ($n: Int! = 2, $size: Int = 5, $yes: Boolean = true) ${selections(schema.getQueryType()!, 3)}`;
}

function findReasons(schema: GraphQLSchema, document: DocumentNode): ReadonlySet<Reason> {
  const reasons = new Set<Reason>();
  const named = new Set<string>();

  function visit(type: GraphQLNamedType, { selections }: SelectionSetNode, isInFragment: boolean): void {
    for (const node of selections) {
      if (node.kind === 'InlineFragment') {
        const inside = node.typeCondition ? schema.getType(node.typeCondition.name.value)! : type;
        if (isInFragment) reasons.add('fragments in fragments');
        visit(inside, node.selectionSet, isAbstractType(inside));
        continue;
      }
      if (node.kind !== 'Field') continue;
      const name = node.name.value;
      if (name === '__typename') reasons.add('typename');
      if (node.alias === undefined && named.has(name)) reasons.add('selected twice');
      if (node.alias === undefined) named.add(name);
      if (isInterfaceType(type) && name === 'price') reasons.add('interface');
      const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
      if (field && node.selectionSet) visit(getNamedType(field.type), node.selectionSet, false);
    }
  }

  const [operation] = document.definitions;
  if (operation?.kind === 'OperationDefinition') visit(schema.getQueryType()!, operation.selectionSet, false);
  return reasons;
}
