import { type ConstDirectiveNode, type DocumentNode, Kind, valueFromASTUntyped } from 'graphql';

/** Directives that the `@link`s of a document import, under their names in that document. */
interface LinkedNames {
  has(directive: string): boolean;
}

/**
 * Returns the names of the directives that a document imports. Returns undefined if the document
 * has no `@link`.
 */
export function readLinkedNames({ definitions }: DocumentNode): LinkedNames | undefined {
  const links = definitions
    .flatMap((each): readonly ConstDirectiveNode[] =>
      each.kind === Kind.SCHEMA_DEFINITION || each.kind === Kind.SCHEMA_EXTENSION ? (each.directives ?? []) : [],
    )
    .filter(({ name }) => name.value === 'link');
  if (links.length === 0) return undefined;
  const imported = new Set(['link']);
  const namespaces = new Set<string>();
  for (const link of links) {
    const given = Object.fromEntries(
      (link.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
    );
    const namespace = given['as'] ?? namespaceOf(given['url']);
    if (typeof namespace === 'string') {
      namespaces.add(namespace);
      // The main directive of a specification has the same name as the specification.
      imported.add(namespace);
    }
    for (const one of Array.isArray(given['import']) ? given['import'] : []) {
      const name = typeof one === 'string' ? one : ((one as Record<string, unknown>)?.['as'] ?? one?.name);
      if (typeof name === 'string') imported.add(name.replace(/^@/, ''));
    }
  }
  return {
    has(directive) {
      const end = directive.indexOf('__');
      return imported.has(directive) || (end > 0 && namespaces.has(directive.slice(0, end)));
    },
  };
}

/**
 * Returns the last part of the path of a URL without the version: `federation` for
 * `https://specs.apollo.dev/federation/v2.9`.
 */
function namespaceOf(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined;
  const parts = url.split(/[?#]/, 1)[0]!.split('/').filter(Boolean);
  if (/^v\d+(\.\d+)*$/.test(parts.at(-1) ?? '')) parts.pop();
  return parts.at(-1);
}
