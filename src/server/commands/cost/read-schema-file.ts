import { assertValidSchema, GraphQLError, type GraphQLSchema } from 'graphql';
import { parseSchema } from '../../../cost/schema/parse-schema.js';
import { readText, reasonOf, UsageError } from './read-text.js';

/**
 * The schema of a file, SDL or the answer to an introspection query, and what is doubtful about it: one line for each.
 * @throws UsageError for what is no schema
 */
export function readSchemaFile(
  file: string | undefined,
  flag = '--schema',
): { schema: GraphQLSchema; warnings: string[] } {
  if (file === undefined) throw new UsageError('--schema: name the file that holds the schema');
  const text = readText(flag, file);
  try {
    const { schema, repeated } = parseSchema(text);
    assertValidSchema(schema);
    const warnings = repeated.map(
      ({ coordinate, line, countsLine }) =>
        `warning: ${file}:${line}: ${coordinate} is defined a second time; what counts is line ${countsLine}`,
    );
    return { schema, warnings };
  } catch (error) {
    const line = error instanceof GraphQLError ? error.locations?.[0]?.line : undefined;
    throw new UsageError(`${flag}: ${file}${line === undefined ? '' : `:${line}`}: ${reasonOf(error)}`);
  }
}
