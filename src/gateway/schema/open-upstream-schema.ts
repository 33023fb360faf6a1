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

/** What came of reading it again. */
export interface RefreshOutcome {
  /** Why what was read is not in force; none: it is. */
  problems: readonly string[];
  /** What is not as it was; undefined: nothing. */
  change?: SchemaChange | undefined;
}

/** @typeParam Asker who asks for it to be read again, where it is not the gateway itself */
export interface UpstreamSchemaOptions<Asker = undefined> {
  /** SDL, of a supergraph too, or the JSON of an introspection query. @default the upstream is asked */
  file?: string | undefined;
  /** Sends a GraphQL request with the gateway's own credentials, and resolves to its answer as it was read from JSON. */
  ask(query: string): Promise<unknown>;
  /** Where what the upstream has answered is kept. @default nowhere: a start needs an upstream that answers */
  kept?: KeptSchema | undefined;
  /** How often it is read again, in milliseconds; 0: only when it is asked for. @default 0 */
  pollMs?: number | undefined;
  /** What else is read again after the schema each time, before the next turn. Must not reject. */
  also?: ((reason: string, schema: GraphQLSchema, by: Asker | undefined) => Promise<RefreshOutcome>) | undefined;
  logger: Logger;
}

/** The schema that the gateway prices by. */
export interface UpstreamSchema<Asker = undefined> {
  current(): GraphQLSchema;
  /**
   * Reads the schema again. One that has changed is put in force whole, or refused: then the one before stays, and the log
   * says why. Never rejects.
   *
   * @param reason who asked for it, for the log
   */
  refresh(reason: string, by?: Asker): Promise<RefreshOutcome>;
  /** @param listener puts a new schema in force; what it throws refuses the schema */
  onChange(listener: (schema: GraphQLSchema) => void): () => void;
  close(): Promise<void>;
}

/** @throws StartError where there is no schema to begin with */
export async function openUpstreamSchema<Asker>(options: UpstreamSchemaOptions<Asker>): Promise<UpstreamSchema<Asker>> {
  const { pollMs = 0, logger } = options;
  const listeners = new Set<(schema: GraphQLSchema) => void>();
  const first = await readFirst(options);
  const { isFresh } = first;
  let { text, schema } = first;
  let refreshing: Promise<unknown> = Promise.resolve();
  /** What was last said: an upstream that stays away, or a schema that stays wrong, is told once. */
  let said: string | undefined;

  /** @returns why it is not in force */
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
      if (said !== undefined) logger.info('The schema of the upstream can be read and used again');
      said = undefined;
      return undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== said)
        logger.error({ err: error }, 'The new schema cannot be used: the one before stays in force');
      said = message;
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
  // Gateways that were started together do not ask together.
  const waitMs = () => pollMs * (0.9 + Math.random() / 5);
  const stopPolling = pollMs === 0 ? undefined : poll(() => refresh('looked at again'), waitMs);
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
  /** As it was read: another text is another schema. */
  text: string;
  schema: GraphQLSchema;
}

/** The schema of the upstream, or, where that does not answer, what was kept of it. */
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
      `The schema of the upstream cannot be read: prices are by the one that was kept on ${found.keptAt}`,
    );
    return { text: found.text, schema: buildIntrospected(JSON.parse(found.text)), isFresh: false };
  }
}

/** A folder that cannot be written to is no reason to serve nothing. */
async function keep(
  { file, kept, logger }: Pick<UpstreamSchemaOptions, 'file' | 'kept' | 'logger'>,
  text: string,
): Promise<void> {
  if (file !== undefined) return;
  await kept?.write(text).catch((error: unknown) => {
    logger.error({ err: error }, 'The schema of the upstream could not be kept for a start while it is away');
  });
}

/** @param knownText what was read the last time: its mistakes were told */
async function read(
  { file, ask, logger }: Pick<UpstreamSchemaOptions, 'file' | 'ask' | 'logger'>,
  knownText?: string,
): Promise<ReadSchema> {
  try {
    if (file === undefined) {
      const answer = await introspect(ask);
      const schema = buildIntrospected(answer);
      // What stands beside the data may differ each time: what it cost, how long it took.
      return { text: JSON.stringify((answer as { data?: unknown }).data), schema };
    }
    const text = decodeText(await readFile(file));
    const { schema, warnings } = parseSchema([new Source(text, file)]);
    for (const { line, message } of text === knownText ? [] : warnings) logger.warn(`${file}:${line}: ${message}`);
    return { text, schema };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const where = file === undefined ? 'The schema of the upstream cannot be read' : `--schema ${file}`;
    const fix = file === undefined ? '; where it does not answer introspection, give its schema by --schema FILE' : '';
    throw new StartError(`${where}: ${reason}${fix}`, { cause: error });
  }
}
