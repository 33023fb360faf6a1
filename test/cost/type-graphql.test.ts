// This import comes first, because the decorators below need it.
import 'reflect-metadata';
import { parse } from 'graphql';
import { Arg, buildSchemaSync, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';

@ObjectType()
class Author {
  @Field(() => String, { complexity: 3 })
  name!: string;

  @Field(() => [Author], { complexity: ({ childComplexity }) => 2 + 4 * childComplexity })
  friends!: Author[];
}

@Resolver(() => Author)
class AuthorResolver {
  @Query(() => Author, { complexity: 10 })
  author(): Author {
    return new Author();
  }

  @Query(() => [Author], { complexity: ({ args, childComplexity }) => 1 + args['first'] * childComplexity })
  authors(@Arg('first', () => Int, { defaultValue: 5 }) _first: number): Author[] {
    return [];
  }
}

const schema = buildSchemaSync({ resolvers: [AuthorResolver], validate: false });
const analyzer = createCostAnalyzer(schema);
const price = (query: string, variables: Record<string, unknown> = {}) =>
  analyzer.compile(parse(query), null).estimate(variables).cost;

it('a numeric complexity in a TypeGraphQL schema is the cost of the call', () => {
  // The call of author, its object, and the call of name.
  expect(price('{ author { name } }')).toBe(10 + 1 + 3);
});

it('a complexity function in a TypeGraphQL schema receives the arguments and the cost of one child', () => {
  const child = 1 + 3;
  expect(price('{ authors(first: 7) { name } }')).toBe(1 + 7 * child);
  expect(price('{ authors { name } }')).toBe(1 + 5 * child);
  expect(price('query ($n: Int!) { authors(first: $n) { name } }', { n: 20 })).toBe(1 + 20 * child);
  expect(price('{ author { friends { name } } }')).toBe(10 + 1 + (2 + 4 * child));
});
