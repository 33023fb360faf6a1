import { LRUCache } from 'lru-cache';
import type { ClientName, RegisteredDocument, RegisteredDocuments } from '../documents/registered-documents.js';
import { sha256Of } from '../documents/sha-256-of.js';
import { requestError } from '../model/errors.js';
import type { Queryable } from '../postgres/db.js';
import type { SharedCache } from '../rules/live/shared-cache.js';
import { withTimeout } from '../runtime/with-timeout.js';
import { lookupKeyOf, printOf } from './document-input.js';
import { type PublishedDocuments, readPublished, readStoredTexts, type StoredText } from './read-published.js';

interface LiveDocumentsOptions {
  db: Queryable;
  /** Redis that all instances share. */
  shared: SharedCache | undefined;
  /** Maximum estimated size of the texts in this process, in bytes. */
  maxBytes: number;
  /** Maximum time that a request waits for a text, in milliseconds. @default 1000 */
  deadlineMs?: number;
}

/** Published documents, as this process knows them. */
export interface LiveDocuments extends RegisteredDocuments {
  /** Reads the published versions again. Rejects if the database is unavailable. */
  refresh(): Promise<void>;
  /** The published versions and their documents; undefined before the first `refresh`. */
  published(): PublishedDocuments | undefined;
  /** Estimated size of the texts in this process, in bytes. */
  readonly bytes: number;
}

/** Texts of one lookup key. Several apps may have an id with different texts. */
interface Entry {
  readonly texts: readonly StoredText[];
  /** Results by client, because choosing among versions takes time. */
  readonly chosen: Map<string, RegisteredDocument | undefined>;
}

const DEADLINE_MS = 1000;
/** Maximum number of lookups in flight. A client can cause them only with ids that exist. */
const MAX_LOOKUPS = 1000;
const COPY_TTL_MS = 3_600_000;
const BYTES_PER_TEXT = 800;
const MAX_CHOICES = 64;

/**
 * Creates the lookup of registered documents: in this process, then in Redis, then in PostgreSQL.
 *
 * This process knows a print of each published id and text, 8 bytes each. An id without a print is
 * unknown, and causes no lookup: a flood of unknown ids reaches neither Redis nor PostgreSQL. A
 * change of the published versions invalidates all entries: this process removes its own, and the
 * keys in Redis contain the fingerprint of the versions.
 */
export function createLiveDocuments(options: LiveDocumentsOptions): LiveDocuments {
  const { db, shared, maxBytes, deadlineMs = DEADLINE_MS } = options;
  let published: PublishedDocuments | undefined;
  const entries = new LRUCache<string, Entry>({ maxSize: Math.max(1, maxBytes), sizeCalculation: bytesOf });
  const lookups = new Map<string, Promise<Entry>>();

  async function refresh(): Promise<void> {
    const read = await readPublished(db);
    if (published?.fingerprint === read.fingerprint) return;
    published = read;
    entries.clear();
    lookups.clear();
  }

  async function read(key: string, current: PublishedDocuments): Promise<Entry> {
    const place = `document:${current.fingerprint}:${sha256Of(key)}`;
    const copied = parseCopy(await shared?.get(place), current);
    const texts = copied ?? (await readStoredTexts(db, key, [...current.versions.keys()]));
    if (!copied) void shared?.set(place, JSON.stringify(texts), COPY_TTL_MS);
    const entry: Entry = { texts, chosen: new Map() };
    if (published === current) entries.set(key, entry);
    return entry;
  }

  function lookUp(key: string, current: PublishedDocuments): Promise<Entry> {
    const known = lookups.get(key);
    if (known) return known;
    if (lookups.size >= MAX_LOOKUPS) return Promise.reject(unavailable());
    const lookup = withTimeout(read(key, current), deadlineMs, () => {
      throw unavailable();
    })
      .catch(() => {
        throw unavailable();
      })
      .finally(() => {
        if (lookups.get(key) === lookup) lookups.delete(key);
      });
    lookups.set(key, lookup);
    return lookup;
  }

  return {
    find(asked, client) {
      if (published === undefined) return Promise.reject(unavailable());
      if (published.versions.size === 0) return undefined;
      const { id, app, version } = readAsked(asked);
      const key = lookupKeyOf(id);
      const choose = (entry: Entry) =>
        app === undefined
          ? chosenFor(entry, client, published!)
          : exactly(entry, { app, version: version! }, published!);
      const entry = entries.get(key);
      if (entry) return choose(entry);
      return published.has(printOf(key)) ? lookUp(key, published).then(choose) : undefined;
    },
    refresh,
    published: () => published,
    get bytes() {
      return entries.calculatedSize;
    },
  };
}

function unavailable() {
  return requestError('DOCUMENT_STORE_UNAVAILABLE', undefined, { 'retry-after': '1' });
}

function bytesOf({ texts }: Entry): number {
  return texts.reduce((sum, { text }) => sum + BYTES_PER_TEXT + text.length * 2, BYTES_PER_TEXT);
}

/** Splits an id of the form `app~version~id`. Other ids contain no `~`. */
function readAsked(asked: string): { id: string; app?: string; version?: string } {
  const first = asked.indexOf('~');
  if (first < 0) return { id: asked };
  const second = asked.indexOf('~', first + 1);
  if (second < 0) return { id: asked };
  return { app: asked.slice(0, first), version: asked.slice(first + 1, second), id: asked.slice(second + 1) };
}

/**
 * Returns the texts of a copy in Redis only if each has the hash of its entry, and is published.
 * Otherwise another program with access to Redis could replace a document.
 */
function parseCopy(copy: string | undefined, published: PublishedDocuments): StoredText[] | undefined {
  if (copy === undefined) return undefined;
  try {
    const texts = JSON.parse(copy) as StoredText[];
    const isGenuine = ({ hash, text }: StoredText) => sha256Of(text) === hash && published.has(printOf(hash));
    return texts.every(isGenuine) ? texts : undefined;
  } catch {
    return undefined;
  }
}

function exactly(
  { texts }: Entry,
  wanted: { app: string; version: string },
  { versions }: PublishedDocuments,
): RegisteredDocument | undefined {
  for (const one of texts) {
    if (one.app !== wanted.app) continue;
    for (const number of one.versions) {
      const version = versions.get(number);
      if (version?.version === wanted.version) return documentOf(one, number, wanted.version);
    }
  }
  return undefined;
}

/**
 * Returns the document for a client. A client that names an app with published versions gets only
 * documents of that app. If the document is in several versions, it counts for the version that the
 * client names, else for the one that was published last. Without an app, an id that has different
 * texts in several apps is unknown.
 */
function chosenFor(entry: Entry, client: ClientName, published: PublishedDocuments): RegisteredDocument | undefined {
  const app = client.app !== undefined && published.apps.has(client.app) ? client.app : undefined;
  const key = app === undefined ? '' : `${app} ${client.version ?? ''}`;
  if (entry.chosen.has(key)) return entry.chosen.get(key);
  if (entry.chosen.size >= MAX_CHOICES) entry.chosen.clear();
  const chosen = choose(entry, { app, version: client.version }, published);
  entry.chosen.set(key, chosen);
  return chosen;
}

function choose({ texts }: Entry, { app, version }: ClientName, { versions }: PublishedDocuments) {
  const candidates = texts
    .filter((one) => app === undefined || one.app === app)
    .flatMap((one) =>
      one.versions.flatMap((number) => {
        const of = versions.get(number);
        return of ? [{ one, number, of }] : [];
      }),
    );
  if (new Set(candidates.map(({ one }) => one.hash)).size > 1) return undefined;
  const isNamed = (name: string) => app !== undefined && name === version;
  const [first] = candidates.sort(
    (a, b) =>
      Number(isNamed(b.of.version)) - Number(isNamed(a.of.version)) ||
      b.of.publishedAtMs - a.of.publishedAtMs ||
      b.number - a.number,
  );
  return first && documentOf(first.one, first.number, first.of.version);
}

function documentOf({ app, id, hash, text, number }: StoredText, versionNumber: number, version: string) {
  return { app, version, id, hash, text, number, versionNumber };
}
