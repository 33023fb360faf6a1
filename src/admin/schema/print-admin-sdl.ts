import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';

/**
 * The schema as SDL, sorted, for a file that people read: a description of one line stands on one line, and the members of a
 * type stand together. It says what `printSchema` says, in half of its lines.
 */
export function printAdminSdl(schema: GraphQLSchema): string {
  const printed = printSchema(lexicographicSortSchema(schema));
  const oneLine = printed.replace(/^( *)"""\n *([^\n]*[^\n"\\])\n *"""$/gm, '$1"""$2"""');
  return `${oneLine.replace(/\n\n(?= )/g, '\n')}\n`;
}
