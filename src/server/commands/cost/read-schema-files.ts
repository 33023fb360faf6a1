import { assertValidSchema, GraphQLError, type GraphQLSchema, Source } from 'graphql';
import { parseSchema } from '../../../cost/schema/parse-schema.js';
import { expandFolders, readText, reasonOf, UsageError } from '../read-text.js';

const SCHEMA_ENDINGS = ['.graphql', '.graphqls', '.gql'];

/**
 * Reads a schema from files: SDL in one or more files or folders, or the JSON result of an
 * introspection query.
 * @returns the schema, and one line for each warning
 * @throws UsageError if the files are not a schema
 */
export function readSchemaFiles(
  paths: readonly string[] | undefined,
  flag = '--schema',
): { schema: GraphQLSchema; warnings: string[] } {
  if (paths === undefined || paths.length === 0)
    throw new UsageError('--schema: expected the file of the schema, got nothing');
  const sources = expandFolders(flag, paths, SCHEMA_ENDINGS).map((file) => new Source(readText(flag, file), file));
  try {
    const { schema, warnings } = parseSchema(sources);
    assertValidSchema(schema);
    return { schema, warnings: warnings.map(({ file, line, message }) => `warning: ${file}:${line}: ${message}`) };
  } catch (error) {
    const file = (error instanceof GraphQLError && error.source?.name) || sources.map(({ name }) => name).join(', ');
    const line = error instanceof GraphQLError ? error.locations?.[0]?.line : undefined;
    throw new UsageError(`${flag}: ${file}${line === undefined ? '' : `:${line}`}: ${reasonOf(error)}`);
  }
}
