import {
  type ConstArgumentNode,
  type ConstDirectiveNode,
  type ConstValueNode,
  type GraphQLSchema,
  valueFromASTUntyped,
} from 'graphql';

/** Names of the annotation directives in a schema. */
export interface DirectiveNames {
  readonly cost: ReadonlySet<string>;
  readonly listSize: ReadonlySet<string>;
}

/**
 * URL of Apollo's specification of `@cost` and `@listSize`, in any version. A trailing slash is
 * allowed.
 */
const COST_SPECIFICATION = /^https:\/\/specs\.apollo\.dev\/cost\/v\d+(\.\d+)*\/?$/;

/**
 * URL of the Federation specification, which subgraphs link to. It includes both directives from
 * version 2.9 on.
 */
const FEDERATION_SPECIFICATION = /^https:\/\/specs\.apollo\.dev\/federation\/v2(\.\d+)*\/?$/;

/**
 * Returns the names of `@cost` and `@listSize` in a schema: their plain names, or those that a
 * `@link` assigns to them. A directive that is imported under another name loses its plain name,
 * because another directive may use that name. A linked directive also has its name with the
 * namespace as a prefix (`@cost__listSize`). In Apollo's specification `cost`, the directive
 * `@cost` has the name of the specification. By the rules of `@link`, the namespace alone is then
 * also a name of this directive.
 */
export function readDirectiveNames(schema: GraphQLSchema): DirectiveNames {
  const cost = new Set<string>();
  const listSize = new Set<string>();
  const renamed: string[] = [];
  for (const { namespace, imported } of readLinks(schema, FEDERATION_SPECIFICATION, 'federation')) {
    for (const name of [imported.get('@cost') ?? [], `${namespace}__cost`].flat()) cost.add(name);
    for (const name of [imported.get('@listSize') ?? [], `${namespace}__listSize`].flat()) listSize.add(name);
    renamed.push(...[...imported].flatMap(([name, as]) => (name === `@${as}` ? [] : name)));
  }
  const links = readLinks(schema, COST_SPECIFICATION, 'cost');
  for (const { namespace, imported } of links) {
    for (const name of [imported.get('@cost') ?? 'cost', namespace, `${namespace}__cost`]) cost.add(name);
    for (const name of [imported.get('@listSize') ?? 'listSize', `${namespace}__listSize`]) listSize.add(name);
    // The default namespace is `cost`. If an import renames `@cost`, another directive may have the
    // name `cost`.
    if (imported.has('@cost') && imported.get('@cost') !== 'cost') cost.delete('cost');
  }
  if (links.length === 0 && !renamed.includes('@cost')) cost.add('cost');
  if (links.length === 0 && !renamed.includes('@listSize')) listSize.add('listSize');
  return { cost, listSize };
}

interface Link {
  readonly namespace: string;
  /**
   * Name in the schema, by the name in the specification. Only the name in the specification
   * includes the `@`.
   */
  readonly imported: ReadonlyMap<string, string>;
}

function readLinks(
  { astNode, extensionASTNodes = [] }: GraphQLSchema,
  specification: RegExp,
  defaultNamespace: string,
): Link[] {
  return [astNode, ...extensionASTNodes]
    .flatMap((node): readonly ConstDirectiveNode[] => node?.directives ?? [])
    .filter(({ name, arguments: given }) => name.value === 'link' && specification.test(textOf(given, 'url') ?? ''))
    .map(({ arguments: given }) => ({
      namespace: textOf(given, 'as') ?? defaultNamespace,
      imported: new Map(elementsOf(valueNodeOf(given, 'import')).flatMap(readImport)),
    }));
}

/** Reads one element of `import`: `"@cost"`, or `{ name: "@cost", as: "@price" }`. */
function readImport(node: ConstValueNode): [string, string][] {
  const value: unknown = valueFromASTUntyped(node);
  if (typeof value === 'string') return [[value, withoutSign(value)]];
  const { name, as = name } = value as Record<string, unknown>;
  return typeof name === 'string' && typeof as === 'string' ? [[name, withoutSign(as)]] : [];
}

function withoutSign(name: string): string {
  return name.replace(/^@/, '');
}

function valueNodeOf(given: readonly ConstArgumentNode[] | undefined, name: string): ConstValueNode | undefined {
  return given?.find((argument) => argument.name.value === name)?.value;
}

function textOf(given: readonly ConstArgumentNode[] | undefined, name: string): string | undefined {
  const value = valueNodeOf(given, name);
  return value?.kind === 'StringValue' ? value.value : undefined;
}

function elementsOf(node: ConstValueNode | undefined): readonly ConstValueNode[] {
  if (node?.kind === 'ListValue') return node.values;
  return node?.kind === 'StringValue' || node?.kind === 'ObjectValue' ? [node] : [];
}
