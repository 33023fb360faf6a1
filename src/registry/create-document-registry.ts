import { GraphQLError, Kind, parse } from 'graphql';
import { MAX_ID_LENGTH } from '../documents/registered-documents.js';
import { sha256Of } from '../documents/sha-256-of.js';
import type { Connections, Queryable, Tx } from '../postgres/db.js';
import { differencesOf } from '../rules/policy/difference.js';
import type { Actor, ChangeWrite, Recorder } from '../rules/store/create-change-log.js';
import {
  type ChangeOptions,
  done,
  findCommentMistakes,
  type Outcome,
  rejected,
  type UserError,
} from '../rules/store/outcome.js';
import { chunksOf } from '../runtime/in-slices.js';
import { type DocumentInput, lookupKeyOf, printOf } from './document-input.js';
import { createVersionReader, readCallersOf, readVersion, type VersionRecord } from './read-version.js';

/** Limits of a push. */
const PUSH_LIMITS = { documents: 20_000, bytesPerDocument: 262_144, bytes: 64 * 2 ** 20 } as const;

const NAMES = {
  app: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  version: /^[A-Za-z0-9][A-Za-z0-9.+_-]{0,63}$/,
} as const;

/** Characters of an id. `~` separates app, version and id in a request. */
const ID = new RegExp(`^[\\x21-\\x7d]{1,${MAX_ID_LENGTH}}$`);
/** Maximum number of mistakes in one response. */
const MAX_MISTAKES = 20;
const ROWS_PER_STATEMENT = 500;
/** Maximum of `unusedDays`. */
const MAX_UNUSED_DAYS = 3650;

export interface DocumentPush extends ChangeOptions {
  app: string;
  version: string;
  documents: readonly DocumentInput[];
  /** Whether callers may send the documents by id at once. @default false */
  publish?: boolean | undefined;
  /** Called with the number of stored documents. */
  onProgress?: ((stored: number, total: number) => void) | undefined;
}

interface VersionName extends ChangeOptions {
  app: string;
  version: string;
}

interface DocumentRetire extends VersionName {
  /** Number of days without a use that a version needs to be retired. @default 7 */
  unusedDays?: number | undefined;
}

/** A document with the facts that are stored with it. */
interface PreparedDocument extends DocumentInput {
  hash: string;
  name: string | null;
  type: 'QUERY' | 'MUTATION' | 'SUBSCRIPTION';
}

type Write = <T>(change: ChangeWrite, run: (tx: Tx, record: Recorder) => Promise<T>) => Promise<T>;

/**
 * Creates the registry of documents in PostgreSQL. Every change records its actor in the same
 * transaction.
 * @param reports connections for lists
 */
export function createDocumentRegistry(db: Connections, write: Write, reports: Queryable = db) {
  /**
   * Stores the documents of a version, all or none. Documents that the version has already are left
   * unchanged, so a second push changes nothing.
   */
  async function push(given: DocumentPush, actor: Actor): Promise<Outcome<VersionRecord>> {
    const { app, version, publish = false, comment, dryRun = false, onProgress = () => {} } = given;
    const errors = [
      ...findNameMistakes({ app, version }),
      ...findLimitMistakes(given.documents),
      ...findCommentMistakes(comment ?? undefined),
    ];
    if (errors.length > 0) return rejected(errors);
    const prepared = prepare(given.documents);
    if ('errors' in prepared) return rejected(prepared.errors);
    const { documents } = prepared;
    const current = await readVersion(db, app, version);
    if (current?.state === 'RETIRED')
      return rejected(
        [{ code: 'IN_USE', field: ['version'], message: `${version} is retired: push another version` }],
        current,
      );
    const changed = await findChangedIds(db, app, documents);
    if (changed.length > 0) return rejected(changed, current);
    const missing = await countMissing(db, { app, version, documents });
    if (missing === 0 && current && (!publish || current.state === 'PUBLISHED'))
      return done(current, { warnings: [NOTHING_NEW] });
    if (dryRun) {
      const planned = plannedOf(given, current, missing);
      return done(planned, { differences: differencesOf(shownOf(current), shownOf(planned)) });
    }
    return write({ actor, comment, locks: 'POLICY' }, async (tx, record) => {
      const versionId = await insertVersion(tx, { app, version, by: actor.name });
      let stored = 0;
      for (const chunk of chunksOf(documents, ROWS_PER_STATEMENT)) {
        await insertDocuments(tx, { app, versionId, documents: chunk });
        stored += chunk.length;
        onProgress(stored, documents.length);
      }
      // Another push may have stored one of the ids since the check.
      const lost = await findChangedIds(tx, app, documents);
      if (lost.length > 0) throw new ChangedMeanwhile(lost);
      if (publish) await setState(tx, versionId, 'PUBLISHED');
      const after = (await readVersion(tx, app, version))!;
      const action = current ? 'UPDATE' : 'CREATE';
      await record({
        entity: 'DOCUMENTS',
        key: keyOf(after),
        action,
        before: shownOf(current),
        after: shownOf(after)!,
      });
      return done(after, { differences: differencesOf(shownOf(current), shownOf(after)) });
    }).catch((error: unknown): Outcome<VersionRecord> => {
      if (error instanceof ChangedMeanwhile) return rejected(error.errors, current);
      throw error;
    });
  }

  /** Makes the documents of a version available to callers. */
  function publish({ app, version, comment, dryRun }: VersionName, actor: Actor): Promise<Outcome<VersionRecord>> {
    return change({ app, version, comment, dryRun }, actor, async () => ({ state: 'PUBLISHED', action: 'UPDATE' }));
  }

  /**
   * Ends a version: callers can no longer send its documents by id, unless another published version
   * has them. Fails with `IN_USE` if it was used recently, and names the callers.
   */
  function retire(
    { app, version, comment, dryRun, unusedDays = 7 }: DocumentRetire,
    actor: Actor,
  ): Promise<Outcome<VersionRecord>> {
    return change({ app, version, comment, dryRun }, actor, async (tx, { number }) => {
      const mistake = findDaysMistake(unusedDays);
      if (mistake) return { error: mistake };
      const callers = await readCallersOf(tx, number, unusedDays);
      if (callers.length === 0) return { state: 'RETIRED', action: 'RETIRE' };
      const named = callers.slice(0, 5).map(({ caller, uses }) => `${caller} (${uses})`);
      const more = callers.length > 5 ? ` and ${callers.length - 5} more` : '';
      const message = `${app} ${version} was used in the last ${unusedDays} days by ${named.join(', ')}${more}`;
      return { error: { code: 'IN_USE', field: ['version'], message } };
    });
  }

  type Change = { state: VersionRecord['state']; action: 'UPDATE' | 'RETIRE' } | { error: UserError };

  async function change(
    { app, version, comment, dryRun }: VersionName,
    actor: Actor,
    decide: (tx: Tx, current: VersionRecord) => Promise<Change>,
  ): Promise<Outcome<VersionRecord>> {
    const errors = findCommentMistakes(comment ?? undefined);
    if (errors.length > 0) return rejected(errors);
    return write<Outcome<VersionRecord>>({ actor, comment }, async (tx, record) => {
      const before = await readVersion(tx, app, version);
      if (!before) {
        const message = `no version ${show(version)} of the app ${show(app)}`;
        return rejected([{ code: 'NOT_FOUND', field: ['version'], message }]);
      }
      const decided = await decide(tx, before);
      if ('error' in decided) return rejected([decided.error], before);
      if (before.state === decided.state) return done(before);
      const planned = { ...before, state: decided.state };
      const effects = { differences: differencesOf(shownOf(before), shownOf(planned)) };
      if (dryRun) return done(planned, effects);
      await setState(tx, before.number, decided.state);
      const after = (await readVersion(tx, app, version))!;
      await record({
        entity: 'DOCUMENTS',
        key: keyOf(after),
        action: decided.action,
        before: shownOf(before),
        after: shownOf(after),
      });
      return done(after, effects);
    });
  }

  return { push, publish, retire, ...createVersionReader(reports) };
}

export type DocumentRegistry = ReturnType<typeof createDocumentRegistry>;

export const NOTHING_NEW = 'the version has all these documents already: nothing changed';

class ChangedMeanwhile extends Error {
  constructor(readonly errors: UserError[]) {
    super('Another push has stored an id with another text');
  }
}

function keyOf({ app, version }: Pick<VersionRecord, 'app' | 'version'>): string {
  return `${app} ${version}`;
}

function shownOf(record: VersionRecord | undefined): object | null {
  return record ? { name: keyOf(record), state: record.state, documents: record.documents } : null;
}

/** Returns the version that a push would store. */
function plannedOf(
  { app, version, documents, publish = false }: DocumentPush,
  current: VersionRecord | undefined,
  missing: number,
): VersionRecord {
  const draft: VersionRecord = {
    number: 0,
    app,
    version,
    state: 'DRAFT',
    documents: 0,
    bytes: documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    pushedAt: new Date(),
    pushedBy: '',
    publishedAt: null,
    retiredAt: null,
    uses: 0,
    lastUsedAt: null,
  };
  const before = current ?? draft;
  return { ...before, documents: before.documents + missing, state: publish ? 'PUBLISHED' : before.state };
}

function findNameMistakes(names: { app: string; version: string }): UserError[] {
  return (['app', 'version'] as const).flatMap((name) => {
    if (NAMES[name].test(names[name])) return [];
    const message = `expected 1 to 64 letters, digits and ${name === 'app' ? '. _ -' : '. + _ -'}, beginning with a letter or digit, got ${show(names[name])}`;
    return [{ code: 'INVALID' as const, field: [name], message }];
  });
}

function findDaysMistake(unusedDays: number): UserError | undefined {
  if (Number.isSafeInteger(unusedDays) && unusedDays >= 0 && unusedDays <= MAX_UNUSED_DAYS) return undefined;
  const message = `expected a whole number of days from 0 to ${MAX_UNUSED_DAYS}, got ${unusedDays}`;
  return { code: 'INVALID', field: ['unusedDays'], message };
}

function findLimitMistakes(documents: readonly DocumentInput[]): UserError[] {
  const invalid = (message: string): UserError[] => [{ code: 'INVALID', field: ['documents'], message }];
  if (documents.length === 0) return invalid('expected at least one document');
  if (documents.length > PUSH_LIMITS.documents)
    return invalid(`expected at most ${PUSH_LIMITS.documents} documents per version, got ${documents.length}`);
  const bytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes > PUSH_LIMITS.bytes)
    return invalid(`expected at most ${PUSH_LIMITS.bytes} bytes per version, got ${bytes}`);
  return [];
}

/** Checks each document, and returns the facts to store. */
function prepare(given: readonly DocumentInput[]): { documents: PreparedDocument[] } | { errors: UserError[] } {
  const documents = new Map<string, PreparedDocument>();
  const errors: UserError[] = [];
  for (const { id, text } of given) {
    if (errors.length >= MAX_MISTAKES) break;
    const error = (message: string) => errors.push({ code: 'INVALID', field: ['documents', id.slice(0, 80)], message });
    const hash = sha256Of(text);
    const known = documents.get(id);
    if (!ID.test(id)) error(`id: expected 1 to ${MAX_ID_LENGTH} printable ASCII characters without spaces and ~`);
    else if (known && known.hash !== hash) error('the manifest has two texts for this id');
    else if (/^(sha256:)?[0-9a-f]{64}$/.test(id) && lookupKeyOf(id) !== hash)
      error(`id: the text has another SHA-256: ${hash}`);
    else if (/^[^:]*:/.test(id) && !/^(sha256:|x-)/.test(id))
      error('id: expected the prefix sha256: or one that begins with x-');
    else if (Buffer.byteLength(text) > PUSH_LIMITS.bytesPerDocument)
      error(`expected at most ${PUSH_LIMITS.bytesPerDocument} bytes`);
    else {
      const operation = operationOf(text);
      if (typeof operation === 'string') error(operation);
      else documents.set(id, { id, text, hash, ...operation });
    }
  }
  return errors.length > 0 ? { errors } : { documents: [...documents.values()] };
}

/** Returns the name and type of a document's first operation, or what is wrong with its text. */
function operationOf(text: string): Pick<PreparedDocument, 'name' | 'type'> | string {
  if (text.includes('\0')) return 'expected a text without NUL, which PostgreSQL does not store';
  try {
    const { definitions } = parse(text, { noLocation: true });
    const operation = definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
    if (!operation) return 'expected an operation, found none';
    const type = operation.operation.toUpperCase() as PreparedDocument['type'];
    return { name: operation.name?.value.slice(0, 200) ?? null, type };
  } catch (error) {
    return error instanceof GraphQLError ? error.message : String(error);
  }
}

/** Returns an error for each id that is stored with another text. */
async function findChangedIds(
  on: Pick<Connections, 'query'>,
  app: string,
  documents: readonly PreparedDocument[],
): Promise<UserError[]> {
  const errors: UserError[] = [];
  for (const chunk of chunksOf(documents, ROWS_PER_STATEMENT * 4)) {
    const rows = await on.query<{ id: string }>(
      `select d.document_id as id from registered_documents d
       join unnest($2::text[], $3::text[]) as given (id, hash) on given.id = d.document_id
       where d.app = $1 and d.hash <> given.hash limit ${MAX_MISTAKES}`,
      [app, chunk.map(({ id }) => id), chunk.map(({ hash }) => hash)],
    );
    for (const { id } of rows) {
      const message = 'the id has another text already, and an id never changes its text: use another id';
      errors.push({ code: 'ALREADY_EXISTS', field: ['documents', id.slice(0, 80)], message });
    }
    if (errors.length > 0) break;
  }
  return errors;
}

/** Counts the documents that the version does not have yet. */
async function countMissing(
  on: Pick<Connections, 'query'>,
  { app, version, documents }: { app: string; version: string; documents: readonly PreparedDocument[] },
): Promise<number> {
  let missing = documents.length;
  for (const chunk of chunksOf(documents, ROWS_PER_STATEMENT * 4)) {
    const [row] = await on.query<{ known: number }>(
      `select count(*)::int as known from version_documents l
       join document_versions v on v.id = l.version_id
       join registered_documents d on d.number = l.document
       where v.app = $1 and v.version = $2 and d.document_id = any($3::text[])`,
      [app, version, chunk.map(({ id }) => id)],
    );
    missing -= row!.known;
  }
  return missing;
}

async function insertVersion(tx: Tx, given: { app: string; version: string; by: string }): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into document_versions (app, version, pushed_by) values ($1, $2, $3)
     on conflict (app, version) do update set pushed_at = now(), pushed_by = excluded.pushed_by
     returning id`,
    [given.app, given.version, given.by],
  );
  return row!.id;
}

async function insertDocuments(
  tx: Tx,
  { app, versionId, documents }: { app: string; versionId: number; documents: readonly PreparedDocument[] },
): Promise<void> {
  await tx.query(
    `insert into document_texts (hash, body) select distinct on (hash) hash, body
     from unnest($1::text[], $2::text[]) as given (hash, body) order by hash on conflict do nothing`,
    [documents.map(({ hash }) => hash), documents.map(({ text }) => text)],
  );
  await tx.query(
    `insert into registered_documents
       (app, document_id, hash, operation_name, operation_type, id_print, hash_print)
     select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
     on conflict (app, document_id) do nothing`,
    [
      app,
      documents.map(({ id }) => id),
      documents.map(({ hash }) => hash),
      documents.map(({ name }) => name),
      documents.map(({ type }) => type),
      documents.map(({ id }) => printOf(lookupKeyOf(id))),
      documents.map(({ hash }) => printOf(hash)),
    ],
  );
  await tx.query(
    `insert into version_documents (version_id, document)
     select $1, number from registered_documents where app = $2 and document_id = any($3::text[])
     on conflict do nothing`,
    [versionId, app, documents.map(({ id }) => id)],
  );
}

async function setState(tx: Tx, number: number, state: VersionRecord['state']): Promise<void> {
  await tx.query(
    `update document_versions set state = $2,
       published_at = case when $2 = 'PUBLISHED' then now() else published_at end,
       retired_at = case when $2 = 'RETIRED' then now() end
     where id = $1`,
    [number, state],
  );
}

function show(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
