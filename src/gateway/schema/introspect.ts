import { buildSchema, getIntrospectionQuery, parse, print, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { UpstreamFailure } from '../upstream/upstream-failure.js';

/** Sends a query, and resolves to its response, parsed from JSON. */
type AskUpstream = (query: string) => Promise<unknown>;

/**
 * Introspection query that includes deprecated arguments and input fields: operations may use them,
 * and their defaults have prices.
 */
const FULL_QUERY = getIntrospectionQuery({
  inputValueDeprecation: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  oneOf: true,
});
const TYPES = ['__Schema', '__Type', '__Field', '__InputValue', '__EnumValue', '__Directive'];
const TYPES_QUERY = `{ ${TYPES.map((type, i) => `t${i}: __type(name: "${type}") { name fields(includeDeprecated: true) { name args { name } } }`).join(' ')} }`;

/** Arguments of the introspection fields that an API has, by `Type.field`. */
type KnownFields = ReadonlyMap<string, readonly string[]>;

/**
 * Introspects an API, including deprecated arguments and input fields. If the API rejects the full
 * query, Tollgate asks which introspection fields the API supports, and sends a query with only
 * those fields. Resolves to the response.
 */
export async function introspect(ask: AskUpstream): Promise<unknown> {
  const full = await askForSchema(ask, FULL_QUERY);
  if (full.isSchema) return full.answer;
  const known = await askForFields(ask);
  const query = known.size > 0 ? keepKnown(known) : getIntrospectionQuery();
  const fallback = query === print(parse(FULL_QUERY)) ? full : await askForSchema(ask, query);
  if ('error' in fallback) throw fallback.error;
  return fallback.answer;
}

type Asked = { isSchema: boolean; answer: unknown } | { isSchema: false; error: unknown };

/**
 * Sends an introspection query. Rejects if another query would also fail, because the API is
 * unavailable or too slow, or its response is too large.
 */
async function askForSchema(ask: AskUpstream, query: string): Promise<Asked> {
  try {
    const answer = await ask(query);
    const { data } = answer as { data?: { __schema?: unknown } | null };
    return { isSchema: Boolean(data?.__schema), answer };
  } catch (error) {
    const { cause } = error as Error;
    if (!(cause instanceof UpstreamFailure) || cause.code !== 'UPSTREAM_INVALID_ANSWER') throw error;
    return { isSchema: false, error };
  }
}

interface IntrospectionType {
  name: string;
  fields: readonly { name: string; args: readonly { name: string }[] }[];
}

/**
 * Resolves to the introspection fields that the API supports; to an empty map if the API does not
 * report them.
 */
async function askForFields(ask: AskUpstream): Promise<KnownFields> {
  const known = new Map<string, string[]>();
  try {
    const { data } = (await ask(TYPES_QUERY)) as { data: Record<string, IntrospectionType> };
    for (const { name, fields } of Object.values(data)) {
      for (const field of fields) {
        known.set(
          `${name}.${field.name}`,
          field.args.map((arg) => arg.name),
        );
      }
    }
  } catch {
    return new Map();
  }
  return known;
}

function keepKnown(known: KnownFields): string {
  const types = new TypeInfo(buildSchema('type Query { any: Int }'));
  const keep = visitWithTypeInfo(types, {
    Field(node) {
      const parent = types.getParentType()?.name;
      if (parent === undefined || !TYPES.includes(parent)) return undefined;
      const args = known.get(`${parent}.${node.name.value}`);
      if (args === undefined) return null;
      const kept = node.arguments?.filter(({ name }) => args.includes(name.value));
      return kept?.length === node.arguments?.length ? undefined : { ...node, ...(kept && { arguments: kept }) };
    },
  });
  return print(visit(parse(FULL_QUERY), keep));
}
