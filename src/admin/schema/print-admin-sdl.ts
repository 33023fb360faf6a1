import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';

/**
 * Prints the schema as sorted SDL for human readers. A one-line description takes one line, and the
 * members of a type have no blank lines between them. The content is that of `printSchema`, in half
 * as many lines.
 */
export function printAdminSdl(schema: GraphQLSchema): string {
  const printed = printSchema(lexicographicSortSchema(schema));
  const oneLine = printed.replace(/^( *)"""\n *([^\n]*[^\n"\\])\n *"""$/gm, '$1"""$2"""');
  return `${oneLine.replace(/\n\n(?= )/g, '\n')}\n`;
}
