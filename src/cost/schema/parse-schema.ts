import {
  buildASTSchema,
  buildClientSchema,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  type InputValueDefinitionNode,
  type IntrospectionQuery,
  isExecutableDefinitionNode,
  Kind,
  parse,
  Source,
  specifiedDirectives,
} from 'graphql';
import { readLinkedNames } from '../annotations/read-linked-names.js';
import { costTypeDefs } from './cost-type-defs.js';
import { ignoreUnknownNames } from './ignore-unknown-names.js';
import { type SchemaWarning, warningAt } from './schema-warning.js';

interface ParsedSchema {
  schema: GraphQLSchema;
  warnings: readonly SchemaWarning[];
}

/**
 * Parses a schema from SDL in one or several files, from SDL of a supergraph or subgraph, or from
 * the JSON result of an introspection query. `@cost`, `@listSize` and the imports of a `@link` need
 * no definitions. Other undefined directives are ignored, and other undefined types count as
 * scalars, each with a warning.
 *
 * @param texts text of the schema, or its files, which are merged
 * @throws Error if the text is not a schema. A GraphQLError includes the position of the mistake
 */
export function parseSchema(texts: string | readonly Source[]): ParsedSchema {
  const sources = typeof texts === 'string' ? [new Source(texts)] : texts;
  const json = sources.length === 1 ? readJson(sources[0]!.body) : undefined;
  if (json !== undefined) return { schema: buildIntrospected(json), warnings: [] };
  const parsed = sources.map((source) => parse(source));
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: parsed.flatMap(({ definitions }) => definitions) };
  const operation = document.definitions.find(isExecutableDefinitionNode);
  if (operation) throw new GraphQLError('expected a schema, got operations or fragments', { nodes: operation });
  const { definitions, warnings: repeated } = withoutRepeatedFields(document);
  const linked = readLinkedNames(document);
  const isModular = linked !== undefined || sources.length > 1;
  const merged = isModular ? withoutLooseExtensions(withoutRepeatedTypes(definitions)) : definitions;
  const all: DocumentNode = { kind: Kind.DOCUMENT, definitions: [...missingDirectives(document), ...merged] };
  const defined = definedDirectives(all);
  const isKnown = (directive: string) => defined.has(directive) || linked?.has(directive) === true;
  const { document: whole, warnings: ignored } = ignoreUnknownNames(all, isKnown);
  // SDL validation would fail for a schema with links, because linked directives have no definition
  // in the document.
  const schema = buildASTSchema(whole, linked ? { assumeValidSDL: true } : {});
  return { schema, warnings: [...repeated, ...ignored] };
}

/**
 * Returns the parsed JSON of an introspection result. Returns undefined for SDL, and for text that
 * only starts like JSON, such as an anonymous operation.
 */
function readJson(text: string): unknown {
  if (!/^\uFEFF?\s*\{/.test(text)) return undefined;
  try {
    // JSON.parse does not accept a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (/^\uFEFF?\s*\{\s*"/.test(text)) throw error;
    return undefined;
  }
}

/**
 * Builds a schema from an introspection result.
 * @param answer response to an introspection query, or only its `data`
 * @throws Error if the response has errors, or is not an introspection result
 */
export function buildIntrospected(answer: unknown): GraphQLSchema {
  const { data, errors } = answer as { data?: IntrospectionQuery; errors?: readonly { message?: unknown }[] };
  const [rejection] = errors ?? [];
  if (rejection) throw new Error(`introspection was rejected: ${String(rejection.message)}`);
  return buildClientSchema(data ?? (answer as IntrospectionQuery));
}

/**
 * Keeps the first definition of each field, and warns about the others. Files that tools have
 * merged may define a field twice.
 */
function withoutRepeatedFields({ definitions }: DocumentNode): {
  definitions: DefinitionNode[];
  warnings: SchemaWarning[];
} {
  const seen = new Map<string, SchemaWarning>();
  const warnings: SchemaWarning[] = [];
  const isFirst = (type: string, field: FieldDefinitionNode | InputValueDefinitionNode): boolean => {
    const coordinate = `${type}.${field.name.value}`;
    const first = seen.get(coordinate);
    if (first === undefined) {
      seen.set(coordinate, warningAt(field, ''));
      return true;
    }
    const again = warningAt(field, '');
    const place = first.file === again.file ? `line ${first.line}` : `${first.file}:${first.line}`;
    warnings.push({ ...again, message: `${coordinate} is defined twice; the definition in ${place} is used` });
    return false;
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
  return { definitions: kept, warnings };
}

/**
 * Returns the definitions of `@cost` and `@listSize` that the document lacks. A schema may use
 * these directives without defining them.
 */
function missingDirectives(document: DocumentNode): DocumentNode['definitions'] {
  const defined = definedDirectives(document);
  const ours = parse(costTypeDefs);
  return ours.definitions.filter((each) => each.kind === Kind.DIRECTIVE_DEFINITION && !defined.has(each.name.value));
}

function definedDirectives(document: DocumentNode): Set<string> {
  const defined = new Set(specifiedDirectives.map((directive) => directive.name));
  for (const each of document.definitions) if (each.kind === Kind.DIRECTIVE_DEFINITION) defined.add(each.name.value);
  return defined;
}

/**
 * Converts each repeated definition of a type to an extension, because each file of a modular
 * schema may define `Query`.
 */
function withoutRepeatedTypes(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const defined = new Set<string>();
  return definitions.map((each): DefinitionNode => {
    if (each.kind !== Kind.OBJECT_TYPE_DEFINITION && each.kind !== Kind.INTERFACE_TYPE_DEFINITION) return each;
    if (defined.size < defined.add(each.name.value).size) return each;
    const { description: _, ...rest } = each;
    return rest.kind === Kind.OBJECT_TYPE_DEFINITION
      ? { ...rest, kind: Kind.OBJECT_TYPE_EXTENSION }
      : { ...rest, kind: Kind.INTERFACE_TYPE_EXTENSION };
  });
}

/**
 * Converts the first extension of a type without definition to a definition, because a subgraph or
 * module may extend a type of another one.
 */
function withoutLooseExtensions(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const defined = new Set<string>();
  for (const each of definitions) {
    if (each.kind === Kind.OBJECT_TYPE_DEFINITION || each.kind === Kind.INTERFACE_TYPE_DEFINITION)
      defined.add(each.name.value);
  }
  return definitions.map((each): DefinitionNode => {
    const isLoose =
      (each.kind === Kind.OBJECT_TYPE_EXTENSION || each.kind === Kind.INTERFACE_TYPE_EXTENSION) &&
      !defined.has(each.name.value);
    if (!isLoose) return each;
    defined.add(each.name.value);
    return each.kind === Kind.OBJECT_TYPE_EXTENSION
      ? { ...each, kind: Kind.OBJECT_TYPE_DEFINITION }
      : { ...each, kind: Kind.INTERFACE_TYPE_DEFINITION };
  });
}
