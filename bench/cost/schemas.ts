import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

export interface BenchSchema {
  name: string;
  schema: GraphQLSchema;
}

/** Returns the sample schema, and a public schema of over 60,000 lines. */
export function benchSchemas(): BenchSchema[] {
  const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
  const demo = new URL('../../packages/platform/schema/demo.graphql', import.meta.url);
  const octokit = new URL('../../node_modules/@octokit/graphql-schema/schema.graphql', import.meta.url);
  return [
    { name: 'sample', schema: buildSchema(`${directives}\n${readFileSync(demo, 'utf8')}`) },
    { name: 'octokit', schema: buildSchema(readFileSync(octokit, 'utf8'), { assumeValidSDL: true }) },
  ];
}

/**
 * Builds a typical query with `count` fields: objects and lists nested three or four levels deep,
 * with scalars on each level. Page sizes are in variables. Response names are distinct.
 */
export function queryOf(schema: GraphQLSchema, count: number): { text: string; variables: Record<string, unknown> } {
  let left = count;
  let alias = 0;

  function selections(type: GraphQLObjectType, depth: number, most: number): string {
    const parts: string[] = [];
    const usable = Object.values(type.getFields()).filter((field) => !field.deprecationReason);
    const leaves = usable.filter(
      (field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument),
    );
    const objects = usable.filter((field) => {
      const named = getNamedType(field.type);
      return (
        isObjectType(named) &&
        named !== type &&
        !field.args.some((arg) => isRequiredArgument(arg) && arg.name !== 'first')
      );
    });
    for (const field of leaves.slice(0, 4)) {
      if (left <= 0 || parts.length >= most) break;
      left--;
      parts.push(field.name);
    }
    for (let at = 0; depth > 0 && objects.length > 0 && left > 0 && parts.length < most; at++) {
      const field = objects[at % objects.length]!;
      left--;
      const paged = field.args.some((argument) => argument.name === 'first' && String(argument.type).startsWith('Int'));
      const written = paged ? '(first: $first)' : '';
      parts.push(
        `a${alias++}: ${field.name}${written} { ${selections(getNamedType(field.type) as GraphQLObjectType, depth - 1, 8)} }`,
      );
    }
    return parts.length > 0 ? parts.join(' ') : '__typename';
  }

  const body = selections(schema.getQueryType()!, 4, Number.POSITIVE_INFINITY);
  const usesFirst = body.includes('$first');
  return { text: `query Q${usesFirst ? '($first: Int!)' : ''} { ${body} }`, variables: usesFirst ? { first: 20 } : {} };
}
