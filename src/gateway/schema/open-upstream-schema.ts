import { readFile } from 'node:fs/promises';
import { assertValidSchema, type GraphQLSchema, Source } from 'graphql';
import { buildIntrospected, parseSchema } from '../../cost/schema/parse-schema.js';
import type { Logger } from '../../model/logger.js';
import { decodeText } from '../../runtime/files/decode-text.js';
import { poll } from '../../runtime/poll.js';
import { StartError } from '../../runtime/start-error.js';
import type { SchemaChange } from './compare-schemas.js';
import { describeSchemaChange } from './describe-schema-change.js';
import { introspect } from './introspect.js';
import type { KeptSchema } from './kept-schema.js';

/** Result of reading the schema again. */
export interface RefreshOutcome {
  /** Reasons why the new schema is not in force; empty if it is, or if it has not changed. */
  problems: readonly string[];
  /** Differences from the previous schema; undefined if there are none. */
  change?: SchemaChange | undefined;
}

/**
 * Options of an upstream schema.
 * @typeParam Asker type of the actor that requests a refresh, if it is not the gateway itself
 */
export interface UpstreamSchemaOptions<Asker = undefined> {
  /**
   * Path of the schema: SDL (of a supergraph too), or the JSON result of an introspection query.
   * @default the gateway introspects the upstream
   */
  file?: string | undefined;
  /**
   * Sends a GraphQL request with the gateway's own credentials, and resolves to its response,
   * parsed from JSON.
   */
  ask(query: string): Promise<unknown>;
  /** Store of the last introspection. @default none: a start needs an upstream that responds */
  kept?: KeptSchema | undefined;
  /** Interval of polling in milliseconds; 0 reads the schema only on request. @default 0 */
  pollMs?: number | undefined;
  /**
   * Called after each refresh of the schema, to refresh what depends on it, such as prices. The
   * next refresh waits for it. Must not reject.
   */
  also?: ((reason: string, schema: GraphQLSchema, by: Asker | undefined) => Promise<RefreshOutcome>) | undefined;
  logger: Logger;
}

/** The schema by which the gateway prices. */
export interface UpstreamSchema<Asker = undefined> {
  current(): GraphQLSchema;
  /**
   * Reads the schema again. A changed schema comes into force completely or not at all. If it is
   * invalid, the earlier schema stays in force, and the reason is logged. The promise never
   * rejects.
   *
   * @param reason source of the request, for the log
   */
  refresh(reason: string, by?: Asker): Promise<RefreshOutcome>;
  /**
   * Registers a listener, and returns a function that removes it.
   * @param listener puts a new schema in force; if it throws, the schema is rejected
   */
  onChange(listener: (schema: GraphQLSchema) => void): () => void;
  close(): Promise<void>;
}

/**
 * Opens the schema of an upstream.
 * @throws StartError if there is no schema to start with
 */
export async function openUpstreamSchema<Asker>(options: UpstreamSchemaOptions<Asker>): Promise<UpstreamSchema<Asker>> {
  const { pollMs = 0, logger } = options;
  const listeners = new Set<(schema: GraphQLSchema) => void>();
  const first = await readFirst(options);
  const { isFresh } = first;
  let { text, schema } = first;
  let refreshing: Promise<unknown> = Promise.resolve();
  /** Last logged message. A persistent outage or a persistently invalid schema is logged once. */
  let loggedMessage: string | undefined;

  /**
   * Reads the schema once.
   * @returns the reason why the new schema is not in force; undefined if it is, or has not changed
   */
  async function refreshOnce(reason: string): Promise<string | undefined> {
    try {
      const next = await read(options, text);
      if (next.text !== text) {
        assertValidSchema(next.schema);
        for (const listener of listeners) listener(next.schema);
        logger.info(`The schema has changed (${reason}): ${describeSchemaChange(schema, next.schema)}`);
        ({ text, schema } = next);
        await keep(options, text);
      }
      if (loggedMessage !== undefined) logger.info('The schema of the upstream can be refreshed again');
      loggedMessage = undefined;
      return undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== loggedMessage)
        logger.error({ err: error }, 'The schema could not be refreshed: the previous one stays in force');
      loggedMessage = message;
      return message;
    }
  }

  function refresh(reason: string, by?: Asker): Promise<RefreshOutcome> {
    const refreshed = refreshing.then(async (): Promise<RefreshOutcome> => {
      const problem = await refreshOnce(reason);
      const { problems = [], change } = (await options.also?.(reason, schema, by)) ?? {};
      return { problems: [...(problem === undefined ? [] : [problem]), ...problems], change };
    });
    refreshing = refreshed;
    return refreshed;
  }

  if (isFresh) await keep(options, text);
  // Jitter: gateways that were started together do not poll together.
  const waitMs = () => pollMs * (0.9 + Math.random() / 5);
  const stopPolling = pollMs === 0 ? undefined : poll(() => refresh('poll'), waitMs);
  return {
    current: () => schema,
    refresh,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      listeners.clear();
      await stopPolling?.();
      await refreshing;
    },
  };
}

interface ReadSchema {
  /** Text of the schema. The schema has changed if this text differs. */
  text: string;
  schema: GraphQLSchema;
}

/** Reads the schema of the upstream; if the upstream is unavailable, returns the stored schema. */
async function readFirst(
  options: Pick<UpstreamSchemaOptions, 'file' | 'ask' | 'kept' | 'logger'>,
): Promise<ReadSchema & { isFresh: boolean }> {
  try {
    return { ...(await read(options)), isFresh: true };
  } catch (error) {
    const found = options.file === undefined ? await options.kept?.read() : undefined;
    if (found === undefined) throw error;
    options.logger.error(
      { err: error },
      `The schema of the upstream cannot be read: prices are based on the schema stored at ${found.keptAt}`,
    );
    return { text: found.text, schema: buildIntrospected(JSON.parse(found.text)), isFresh: false };
  }
}

/**
 * Stores the schema for the next start. A folder that is not writable must not stop the gateway.
 */
async function keep(
  { file, kept, logger }: Pick<UpstreamSchemaOptions, 'file' | 'kept' | 'logger'>,
  text: string,
): Promise<void> {
  if (file !== undefined) return;
  await kept?.write(text).catch((error: unknown) => {
    logger.error(
      { err: error },
      'The schema of the upstream could not be stored: a start without the upstream may fail',
    );
  });
}

/**
 * Reads the schema.
 * @param knownText text of the previous read, whose mistakes are already logged
 */
async function read(
  { file, ask, logger }: Pick<UpstreamSchemaOptions, 'file' | 'ask' | 'logger'>,
  knownText?: string,
): Promise<ReadSchema> {
  try {
    if (file === undefined) {
      const answer = await introspect(ask);
      const schema = buildIntrospected(answer);
      // Compare only `data`: extensions such as cost or duration may differ in each response.
      return { text: JSON.stringify((answer as { data?: unknown }).data), schema };
    }
    const text = decodeText(await readFile(file));
    const { schema, warnings } = parseSchema([new Source(text, file)]);
    for (const { line, message } of text === knownText ? [] : warnings) logger.warn(`${file}:${line}: ${message}`);
    return { text, schema };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const where = file === undefined ? 'The schema of the upstream cannot be read' : `--schema ${file}`;
    const fix = file === undefined ? '; if it does not answer introspection, set --schema FILE' : '';
    throw new StartError(`${where}: ${reason}${fix}`, { cause: error });
  }
}
