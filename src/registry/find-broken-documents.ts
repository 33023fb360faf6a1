import { type GraphQLSchema, Kind, parse, validate } from 'graphql';
import type { Queryable } from '../postgres/db.js';
import { inSlices } from '../runtime/in-slices.js';
import { readServices } from '../services/published-service.js';
import { printOf } from './document-input.js';

/** A published document that is invalid on a schema. */
export interface BrokenDocument {
  readonly app: string;
  readonly id: string;
  /** Published versions that contain the document, the most recently published first. */
  readonly versions: readonly string[];
  readonly operationName: string | null;
  /** First reason why the document is invalid. */
  readonly error: string;
}

/** The published documents that are invalid on a schema. */
export interface BrokenDocuments {
  /** Whether all documents were checked: false if `isStopped` ended the search. */
  readonly isComplete: boolean;
  /** Number of documents that were checked. */
  readonly checked: number;
  /** Number of invalid documents. */
  readonly count: number;
  /** The first invalid documents, sorted by app and then by push. */
  readonly documents: readonly BrokenDocument[];
}

export interface FindBrokenOptions {
  db: Queryable;
  schema: GraphQLSchema;
  /** App whose documents are checked. @default all apps */
  app?: string | undefined;
  /** Maximum number of documents in the result. @default 100 */
  limit?: number;
  /** Pause after each 10 ms of work, in milliseconds. @default none */
  restMs?: number;
  /** Returns whether to stop: the search then ends with the documents found so far. @default never */
  isStopped?(): boolean;
}

/** A published document. */
interface PublishedText {
  readonly number: number;
  readonly app: string;
  readonly id: string;
  readonly hash: string;
  readonly operationName: string | null;
  readonly text: string;
  readonly versions: readonly string[];
}

interface BrokenOfApp {
  valid: number;
  count: number;
  documents: BrokenDocument[];
}

const PAGE = 200;
const LIMIT = 100;

/**
 * Finds the published documents that are invalid on a schema. If several services share the
 * database, an app without any valid document belongs to another service, and is omitted.
 *
 * Valid texts are cached per schema, so a further search does not validate them again. The first
 * search over 100,000 documents validates for about a minute. It yields to requests every 10 ms.
 */
export async function findBrokenDocuments(options: FindBrokenOptions): Promise<BrokenDocuments> {
  const { db, schema, app, limit = LIMIT, restMs, isStopped = () => false } = options;
  const known = validOn(schema);
  const apps = new Map<string, BrokenOfApp>();
  let checked = 0;
  let isComplete = true;
  for await (const one of inSlices(readPublishedTexts(db, app), { restMs })) {
    if (isStopped()) {
      isComplete = false;
      break;
    }
    checked++;
    const ofApp = apps.get(one.app) ?? { valid: 0, count: 0, documents: [] };
    apps.set(one.app, ofApp);
    const print = printOf(one.hash);
    const error = known.has(print) ? undefined : errorOn(schema, one.text);
    if (error === undefined) {
      known.add(print);
      ofApp.valid++;
      continue;
    }
    ofApp.count++;
    const { app: name, id, versions, operationName } = one;
    if (ofApp.documents.length < limit) ofApp.documents.push({ app: name, id, versions, operationName, error });
  }
  const sharesDatabase = (await readServices(db)).length > 1;
  const own = [...apps].filter(([, { valid }]) => valid > 0 || !sharesDatabase).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    isComplete,
    checked,
    count: own.reduce((sum, [, { count }]) => sum + count, 0),
    documents: own.flatMap(([, { documents }]) => documents).slice(0, limit),
  };
}

/** Yields the documents of the published versions, in the order of their first pushes. */
export async function* readPublishedTexts(db: Queryable, app: string | undefined): AsyncGenerator<PublishedText> {
  for (let after = 0; ; ) {
    const page = await db.query<PublishedText>(
      `select d.number, d.app, d.document_id as id, d.hash, d.operation_name as "operationName", t.body as text,
         to_json(of_document.versions) as versions
       from registered_documents d
       join document_texts t on t.hash = d.hash
       join lateral (
         select array_agg(v.version order by v.published_at desc, v.id desc) as versions
         from version_documents l join document_versions v on v.id = l.version_id
         where l.document = d.number and v.state = 'PUBLISHED'
       ) of_document on of_document.versions is not null
       where d.number > $1 and ($2::text is null or d.app = $2)
       order by d.number limit ${PAGE}`,
      [after, app ?? null],
    );
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.number;
  }
}

/** Prints of the texts that are valid on a schema. */
const validTexts = new WeakMap<GraphQLSchema, Set<number>>();

function validOn(schema: GraphQLSchema): Set<number> {
  const known = validTexts.get(schema) ?? new Set();
  validTexts.set(schema, known);
  return known;
}

/** Returns the first reason why a text is invalid on a schema; undefined if it is valid. */
function errorOn(schema: GraphQLSchema, text: string): string | undefined {
  try {
    const document = parse(text);
    // The validation of graphql-js accepts an operation without a root type.
    for (const one of document.definitions) {
      if (one.kind === Kind.OPERATION_DEFINITION && !schema.getRootType(one.operation))
        return `The schema has no root type for ${one.operation} operations.`;
    }
    const [error] = validate(schema, document, undefined, { maxErrors: 1, hideSuggestions: true });
    return error?.message;
  } catch (error) {
    return (error as Error).message;
  }
}
