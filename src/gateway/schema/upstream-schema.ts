import { readFile } from 'node:fs/promises';
import {
  buildASTSchema,
  buildClientSchema,
  type DocumentNode,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  Kind,
  parse,
} from 'graphql';
import { costTypeDefs } from '../../cost/schema/cost-type-defs.js';
import { StartError } from '../../model/start-error.js';

export interface UpstreamSchemaOptions {
  /** SDL, or the JSON of an introspection query. @default the upstream is asked */
  file?: string | undefined;
  /** Sends a GraphQL request with the gateway's own credentials, and resolves to its answer as it was read from JSON. */
  ask(query: string): Promise<unknown>;
}

/** The schema that the gateway prices by. */
export interface UpstreamSchema {
  current(): GraphQLSchema;
  refresh(reason: string): Promise<void>;
  onChange(listener: (schema: GraphQLSchema) => void): () => void;
  close(): Promise<void>;
}

/** @throws StartError where there is no schema to begin with */
export async function openUpstreamSchema(options: UpstreamSchemaOptions): Promise<UpstreamSchema> {
  const listeners = new Set<(schema: GraphQLSchema) => void>();
  let schema = await read(options);
  return {
    current: () => schema,
    async refresh() {
      schema = await read(options);
      for (const listener of listeners) listener(schema);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      listeners.clear();
    },
  };
}

async function read({ file, ask }: UpstreamSchemaOptions): Promise<GraphQLSchema> {
  try {
    if (file === undefined) return fromIntrospection(await ask(getIntrospectionQuery()));
    const text = await readFile(file, 'utf8');
    return text.trimStart().startsWith('{') ? fromIntrospection(JSON.parse(text)) : fromSdl(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const where = file === undefined ? 'The schema of the upstream cannot be read' : `--schema ${file}`;
    const fix = file === undefined ? '; where it does not answer introspection, give its schema by --schema FILE' : '';
    throw new StartError(`${where}: ${reason}${fix}`, { cause: error });
  }
}

function fromIntrospection(answer: unknown): GraphQLSchema {
  const { data, errors } = answer as { data?: IntrospectionQuery; errors?: readonly { message?: unknown }[] };
  const [refusal] = errors ?? [];
  if (refusal) throw new Error(`it refuses introspection: ${String(refusal.message)}`);
  return buildClientSchema(data ?? (answer as IntrospectionQuery));
}

/** A schema may use `@cost` and `@listSize` without defining them. */
function fromSdl(text: string): GraphQLSchema {
  const document = parse(text);
  const defined = new Set(document.definitions.map((one) => directiveName(one)));
  const missing = parse(costTypeDefs).definitions.filter((one) => {
    const name = directiveName(one);
    return name !== undefined && !defined.has(name);
  });
  return buildASTSchema({ kind: Kind.DOCUMENT, definitions: [...missing, ...document.definitions] });
}

function directiveName(definition: DocumentNode['definitions'][number]): string | undefined {
  return definition.kind === Kind.DIRECTIVE_DEFINITION ? definition.name.value : undefined;
}
