import type { GraphQLSchema } from 'graphql';
import type { Logger } from '../model/logger.js';
import type { Queryable } from '../postgres/db.js';
import { isOutage } from '../postgres/is-outage.js';
import { inSlices } from '../runtime/in-slices.js';
import { poll } from '../runtime/poll.js';
import type { LiveDocuments } from './create-live-documents.js';
import { type BrokenDocument, type BrokenDocuments, findBrokenDocuments } from './find-broken-documents.js';
import { readMostUsedTexts } from './read-published.js';

export interface WatchDocumentsOptions {
  db: Queryable;
  documents: Pick<LiveDocuments, 'published'>;
  /** Returns the schema in force. */
  schema(): GraphQLSchema;
  /**
   * Parses, validates and compiles a document, and caches it. Called for the documents that were used
   * most. Resolves to false if there is no more room.
   */
  warm(document: { hash: string; text: string }): Promise<boolean>;
  logger: Logger;
  /** Interval of checks for changes of the schema or of the documents, in milliseconds. @default 1000 */
  pollMs?: number;
}

export interface DocumentsWatch {
  /** Returns a message for operators if documents are invalid on the schema in force. */
  problems(): string[];
  close(): Promise<void>;
}

const POLL_MS = 1000;
/** Pause after each 10 ms of work, in milliseconds: the work uses at most a tenth of a processor. */
const REST_MS = 90;
/** Maximum number of documents that are cached before their first requests. */
const MAX_WARM = 1000;

/**
 * Prepares the published documents for the schema in force, in the background. It does so at the
 * start, and after each change of the schema or of the published versions. First it caches the
 * documents that were used most. Then it finds those that are invalid on the schema, and the log
 * names them.
 */
export function watchDocuments(options: WatchDocumentsOptions): DocumentsWatch {
  const { db, documents, schema, warm, logger, pollMs = POLL_MS } = options;
  let checkedSchema: GraphQLSchema | undefined;
  let checkedFingerprint: string | undefined;
  let message: string | undefined;
  let failure: string | undefined;
  let isClosed = false;

  async function check(): Promise<void> {
    const current = schema();
    const published = documents.published();
    if (published === undefined) return;
    const { fingerprint } = published;
    if (checkedSchema === current && checkedFingerprint === fingerprint) return;
    const isStopped = () => isClosed || schema() !== current;
    for await (const one of inSlices(await readMostUsedTexts(db, MAX_WARM), { restMs: REST_MS })) {
      if (isStopped() || !(await warm(one))) break;
    }
    if (isStopped()) return;
    const found = await findBrokenDocuments({ db, schema: current, restMs: REST_MS, isStopped });
    if (isStopped()) return;
    checkedSchema = current;
    checkedFingerprint = fingerprint;
    const before = message;
    message = describeBroken(found);
    if (message !== undefined && message !== before) logger.warn(`${capitalized(message)}`);
    if (message === undefined && before !== undefined)
      logger.info('All registered documents are valid on the schema in force again');
  }

  function report(error: unknown): void {
    // Other messages report an outage. The next poll tries again, and logs only a new failure.
    const reason = String(error);
    if (isOutage(error) || failure === reason) return;
    failure = reason;
    logger.error({ err: error }, 'Registered documents could not be checked; Tollgate tries again');
  }

  const stop = poll(() => check().catch(report), pollMs);
  return {
    problems: () => (message === undefined ? [] : [message]),
    close() {
      isClosed = true;
      return stop();
    },
  };
}

const MAX_NAMED = 5;

/** Describes invalid documents in one line; returns undefined if there are none. */
function describeBroken({ count, documents }: BrokenDocuments): string | undefined {
  if (count === 0) return undefined;
  const named = documents.slice(0, MAX_NAMED).map(describeOne).join('; ');
  const more = count > MAX_NAMED ? `; and ${count - MAX_NAMED} more` : '';
  return `registered documents that are invalid on the schema in force: ${count}: ${named}${more}. "tollgate documents check" lists all`;
}

function describeOne({ app, versions, id, operationName, error }: BrokenDocument): string {
  return `${app} ${versions[0]}, ${operationName ?? id.slice(0, 80)}: ${error}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
