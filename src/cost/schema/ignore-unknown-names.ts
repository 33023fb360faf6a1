import { type ASTNode, type DefinitionNode, type DocumentNode, GraphQLError, Kind, parse, visit } from 'graphql';
import { editsBetween } from '../../options/nearest-name.js';
import { type SchemaWarning, warningAt } from './schema-warning.js';

/**
 * Names of the directives that set prices. If a misspelt directive were ignored, its field would be
 * too cheap.
 */
const PRICING_DIRECTIVES = ['cost', 'listSize', 'complexity'];
/** Names of the types that need no definition in a schema. */
const BUILT_IN_TYPES = ['Int', 'Float', 'String', 'Boolean', 'ID'];

/**
 * Removes undefined directives from a schema, and defines undefined types as scalars. Schemas of
 * AppSync, Prisma, Dgraph and others lack such definitions, because their servers add them.
 *
 * @param isKnown returns whether a directive is defined, in the document or elsewhere
 * @throws GraphQLError for an undefined directive whose name is similar to `cost`, `listSize` or
 * `complexity`
 */
export function ignoreUnknownNames(
  document: DocumentNode,
  isKnown: (directive: string) => boolean,
): { document: DocumentNode; warnings: SchemaWarning[] } {
  const directives = new Map<string, ASTNode>();
  const stripped = visit(document, {
    Directive(node) {
      const name = node.name.value;
      if (isKnown(name)) return undefined;
      const meant = PRICING_DIRECTIVES.find((one) => isNear(name, one));
      if (meant !== undefined)
        throw new GraphQLError(`Unknown directive "@${name}". Did you mean "@${meant}"? Otherwise define "@${name}".`, {
          nodes: node,
        });
      if (!directives.has(name)) directives.set(name, node);
      return null;
    },
  });
  const types = undefinedTypes(stripped);
  const warnings: SchemaWarning[] = [];
  const [firstDirective] = directives.values();
  if (firstDirective)
    warnings.push(
      warningAt(firstDirective, `ignored directives that the schema does not define: ${listOf(directives, '@')}`),
    );
  const [firstType] = types.values();
  if (firstType)
    warnings.push(warningAt(firstType, `types that the schema does not define count as scalars: ${listOf(types)}`));
  return { document: { ...stripped, definitions: [...stripped.definitions, ...scalars(types.keys())] }, warnings };
}

/**
 * Returns the types of fields and arguments that have no definition, with the node of their first
 * use. Omits a name that is similar to that of a defined type, so that graphql-js rejects it.
 */
function undefinedTypes(document: DocumentNode): Map<string, ASTNode> {
  const defined = new Set(BUILT_IN_TYPES);
  for (const each of document.definitions) if ('name' in each && each.name) defined.add(each.name.value);
  const missing = new Map<string, ASTNode>();
  const isMisspelt = (name: string) => [...defined].some((one) => isNear(name, one));
  const collect = (type: ASTNode) =>
    void visit(type, {
      NamedType(node) {
        const name = node.name.value;
        if (!defined.has(name) && !missing.has(name) && !isMisspelt(name)) missing.set(name, node);
      },
    });
  visit(document, {
    FieldDefinition: ({ type }) => collect(type),
    InputValueDefinition: ({ type }) => collect(type),
  });
  return missing;
}

function scalars(names: Iterable<string>): readonly DefinitionNode[] {
  const sdl = [...names].map((name) => `scalar ${name}`).join('\n');
  return sdl === '' ? [] : parse(sdl).definitions.filter(({ kind }) => kind === Kind.SCALAR_TYPE_DEFINITION);
}

function listOf(names: ReadonlyMap<string, unknown>, prefix = ''): string {
  return [...names.keys()].map((name) => `${prefix}${name}`).join(', ');
}

/**
 * Returns whether two names are the same apart from case, underscores and at most one typing
 * mistake.
 */
function isNear(name: string, other: string): boolean {
  return Math.abs(name.length - other.length) <= 2 && editsBetween(plain(name), plain(other)) <= 1;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}
