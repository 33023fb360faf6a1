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
  specifiedDirectives,
  visit,
} from 'graphql';
import { costTypeDefs } from './cost-type-defs.js';
import { type LinkedNames, readLinkedNames } from './linked-names.js';

export interface ParsedSchema {
  schema: GraphQLSchema;
  /** Fields that are defined several times, as files have them that tools have put together. */
  repeated: readonly RepeatedField[];
}

export interface RepeatedField {
  coordinate: string;
  line: number;
  /** The line of the definition that counts. */
  countsLine: number;
}

/**
 * A schema as tools and people keep it: SDL, of a supergraph or of a subgraph too, or the JSON of an introspection query.
 * `@cost` and `@listSize` need no definitions, and neither does what a `@link` imports.
 *
 * @throws Error for what is no schema
 */
export function parseSchema(text: string): ParsedSchema {
  const json = text.trimStart().startsWith('{') ? readJson(text) : undefined;
  if (json !== undefined) return { schema: buildIntrospected(json), repeated: [] };
  const document = parse(text);
  const operation = document.definitions.find(isExecutableDefinitionNode);
  if (operation) throw new GraphQLError('expected a schema, got operations or fragments', { nodes: operation });
  const { definitions, repeated } = withoutRepeatedFields(document);
  const linked = readLinkedNames(document);
  const all = [...missingDirectives(document), ...(linked ? withoutLooseExtensions(definitions) : definitions)];
  const whole: DocumentNode = { kind: Kind.DOCUMENT, definitions: all };
  if (!linked) return { schema: buildASTSchema(whole), repeated };
  refuseUnknownDirectives(whole, linked);
  return { schema: buildASTSchema(whole, { assumeValidSDL: true }), repeated };
}

/** Undefined: it only begins alike, as an operation without a name does. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (/^\s*\{\s*"/.test(text)) throw error;
    return undefined;
  }
}

/** @param answer to an introspection query, or its data alone */
export function buildIntrospected(answer: unknown): GraphQLSchema {
  const { data, errors } = answer as { data?: IntrospectionQuery; errors?: readonly { message?: unknown }[] };
  const [refusal] = errors ?? [];
  if (refusal) throw new Error(`it refuses introspection: ${String(refusal.message)}`);
  return buildClientSchema(data ?? (answer as IntrospectionQuery));
}

/** Files that tools have put together define a field twice: the first one is taken. */
function withoutRepeatedFields({ definitions }: DocumentNode): {
  definitions: DefinitionNode[];
  repeated: RepeatedField[];
} {
  const seen = new Map<string, number>();
  const repeated: RepeatedField[] = [];
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
  const defined = definedDirectives(document);
  const ours = parse(costTypeDefs);
  return ours.definitions.filter((each) => each.kind === Kind.DIRECTIVE_DEFINITION && !defined.has(each.name.value));
}

function definedDirectives(document: DocumentNode): Set<string> {
  const defined = new Set(specifiedDirectives.map((directive) => directive.name));
  for (const each of document.definitions) if (each.kind === Kind.DIRECTIVE_DEFINITION) defined.add(each.name.value);
  return defined;
}

/** A subgraph extends what others define: here, what it says is all there is. */
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

/** The rest of what makes SDL valid is not asked for where directives come from a link; a misspelt one is still found. */
function refuseUnknownDirectives(document: DocumentNode, linked: LinkedNames): void {
  const defined = definedDirectives(document);
  visit(document, {
    Directive(node) {
      const name = node.name.value;
      if (defined.has(name) || linked.has(name)) return;
      throw new GraphQLError(`Unknown directive "@${name}": no @link imports it.`, { nodes: node });
    },
  });
}
