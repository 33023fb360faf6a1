import {
  assertValidSchema,
  buildASTSchema,
  buildClientSchema,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  type InputValueDefinitionNode,
  type IntrospectionQuery,
  Kind,
  parse,
  specifiedDirectives,
} from 'graphql';
import { costTypeDefs } from '../../../cost/schema/cost-type-defs.js';
import { readText, reasonOf, UsageError } from './read-text.js';

/**
 * The schema of a file, SDL or the answer to an introspection query, and what is doubtful about it: one line for each.
 * @throws UsageError for what is no schema
 */
export function readSchemaFile(file: string | undefined): { schema: GraphQLSchema; warnings: string[] } {
  if (file === undefined) throw new UsageError('--schema: name the file that holds the schema');
  const text = readText('--schema', file);
  try {
    const read = text.trimStart().startsWith('{')
      ? { schema: readIntrospection(text), warnings: [] }
      : readSdl(text, file);
    assertValidSchema(read.schema);
    return read;
  } catch (error) {
    const line = error instanceof GraphQLError ? error.locations?.[0]?.line : undefined;
    throw new UsageError(`--schema: ${file}${line === undefined ? '' : `:${line}`}: ${reasonOf(error)}`);
  }
}

function readSdl(text: string, file: string): { schema: GraphQLSchema; warnings: string[] } {
  const document = parse(text);
  const { definitions, repeated } = withoutRepeatedFields(document);
  const schema = buildASTSchema({ kind: Kind.DOCUMENT, definitions: [...missingDirectives(document), ...definitions] });
  const warnings = repeated.map(
    ({ coordinate, line, countsLine }) =>
      `warning: ${file}:${line}: ${coordinate} is defined a second time; what counts is line ${countsLine}`,
  );
  return { schema, warnings };
}

function readIntrospection(text: string): GraphQLSchema {
  const parsed = JSON.parse(text) as { data?: IntrospectionQuery } & IntrospectionQuery;
  return buildClientSchema(parsed.data ?? parsed);
}

interface Repeated {
  coordinate: string;
  line: number;
  countsLine: number;
}

/** Files that tools have put together define a field twice: the first one is taken. */
function withoutRepeatedFields({ definitions }: DocumentNode): { definitions: DefinitionNode[]; repeated: Repeated[] } {
  const seen = new Map<string, number>();
  const repeated: Repeated[] = [];
  const isFirst = (type: string, field: FieldDefinitionNode | InputValueDefinitionNode): boolean => {
    const coordinate = `${type}.${field.name.value}`;
    const line = field.loc?.startToken.line ?? 1;
    const countsLine = seen.get(coordinate);
    if (countsLine === undefined) seen.set(coordinate, line);
    else repeated.push({ coordinate, line, countsLine });
    return countsLine === undefined;
  };
  const kept = definitions.map((definition): DefinitionNode => {
    switch (definition.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.OBJECT_TYPE_EXTENSION:
      case Kind.INTERFACE_TYPE_DEFINITION:
      case Kind.INTERFACE_TYPE_EXTENSION:
        return {
          ...definition,
          fields: (definition.fields ?? []).filter((one) => isFirst(definition.name.value, one)),
        };
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      case Kind.INPUT_OBJECT_TYPE_EXTENSION:
        return {
          ...definition,
          fields: (definition.fields ?? []).filter((one) => isFirst(definition.name.value, one)),
        };
      default:
        return definition;
    }
  });
  return { definitions: kept, repeated };
}

/** A schema may use `@cost` and `@listSize` without defining them. */
function missingDirectives(document: DocumentNode): DocumentNode['definitions'] {
  const defined = new Set(specifiedDirectives.map((directive) => directive.name));
  for (const each of document.definitions) if (each.kind === Kind.DIRECTIVE_DEFINITION) defined.add(each.name.value);
  const ours = parse(costTypeDefs);
  return ours.definitions.filter((each) => each.kind === Kind.DIRECTIVE_DEFINITION && !defined.has(each.name.value));
}
