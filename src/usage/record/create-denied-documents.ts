import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { rootOf } from '../../model/subject.js';
import type { RecordedOutline, UsageRecord } from '../../model/usage-record.js';
import { atMost } from '../../runtime/sized-cache.js';
import { dayOf } from './create-usage-partitions.js';
import { endOf, isAnotherWindow } from './is-another-window.js';

/** A row of `denied_documents`. */
export interface DeniedDocument {
  hash: string;
  text: string;
}

/** Document and variables of an operation, for its event. A member is null if it is not stored. */
export interface AskedFor {
  document: string | null;
  variables: string | null;
}

export interface DeniedDocuments {
  /** Returns the document and variables of an operation. Never throws. */
  of(record: UsageRecord): AskedFor;
  /**
   * Returns the documents that are not stored yet. From then on, these documents count as stored.
   */
  take(): DeniedDocument[];
  /** Marks documents as not stored, because storing them failed. */
  forget(documents: readonly DeniedDocument[]): void;
  /** Marks all documents as not stored. */
  forgetAll(): void;
}

export const NOT_KEPT: AskedFor = { document: null, variables: null };
/** Maximum length of a document in a request, in characters. Longer documents are not stored. */
const MAX_SENT_LETTERS = 16_384;
const MAX_STORED_BYTES = 16_384;
const MAX_VARIABLES_LETTERS = 2_000;
/**
 * Maximum number of new documents per minute. Printing a document takes up to two milliseconds, and
 * each document becomes a row.
 */
const NEW_IN_A_MINUTE = 20;
/**
 * Maximum number of new documents per caller and minute, so that no caller uses the entire budget.
 */
const NEW_OF_A_CALLER = 5;
const MAX_WAITING = 100;
const MAX_KNOWN = 10_000;

/**
 * Collects the documents of denied operations that are not stored yet. A document is printed
 * (converted to text) once a day, and the number of new documents per minute is limited. A caller
 * who sends a new document with each request therefore cannot raise this cost. Beyond the limit,
 * events are stored without their documents.
 */
export function createDeniedDocuments(): DeniedDocuments {
  /** Hashes by the cost plan of the operation. Null if the document is not stored. */
  const hashes = new WeakMap<object, string | null>();
  const known = new LRUCache<string, true>(atMost(MAX_KNOWN));
  let waiting = new Map<string, string>();
  let [day, minute] = [Number.NaN, Number.NaN];
  let made = 0;
  const madeBy = new Map<string, number>();

  function mayMake(record: UsageRecord): boolean {
    const now = Math.floor(endOf(record) / 60_000);
    if (isAnotherWindow(now, minute)) {
      minute = now;
      made = 0;
      madeBy.clear();
    }
    if (made >= NEW_IN_A_MINUTE || waiting.size >= MAX_WAITING) return false;
    const caller = rootOf(record.subject);
    const own = madeBy.get(caller) ?? 0;
    if (own >= NEW_OF_A_CALLER) return false;
    made++;
    madeBy.set(caller, own + 1);
    return true;
  }

  function make({ plan, document }: RecordedOutline): string | null {
    const text = document();
    const isKept = text !== '' && Buffer.byteLength(text) <= MAX_STORED_BYTES;
    const hash = isKept ? createHash('sha256').update(text).digest('base64url').slice(0, 22) : null;
    hashes.set(plan, hash);
    if (hash !== null && !known.has(hash)) {
      waiting.set(hash, text);
      known.set(hash, true);
    }
    return hash;
  }

  function hashOf(record: UsageRecord, outline: RecordedOutline): string | null {
    const hash = hashes.get(outline.plan);
    if (hash === null || (hash !== undefined && known.has(hash))) return hash;
    if (outline.documentLength > MAX_SENT_LETTERS) return null;
    return mayMake(record) ? make(outline) : (hash ?? null);
  }

  return {
    of(record) {
      const { outline } = record;
      if (outline === undefined) return NOT_KEPT;
      // Storing documents again once a day updates their last use in the database.
      const today = dayOf(endOf(record));
      if (isAnotherWindow(today, day)) {
        day = today;
        known.clear();
      }
      try {
        const document = hashOf(record, outline);
        return document === null ? NOT_KEPT : { document, variables: variablesOf(outline) };
      } catch {
        // Printing failed, for example because a value is nested too deeply.
        hashes.set(outline.plan, null);
        return NOT_KEPT;
      }
    },
    take() {
      const taken = [...waiting].map(([hash, text]) => ({ hash, text }));
      waiting = new Map();
      return taken;
    },
    forget(documents) {
      for (const { hash } of documents) known.delete(hash);
    },
    forgetAll: () => known.clear(),
  };
}

function variablesOf(outline: RecordedOutline): string | null {
  const variables = outline.variables();
  if (variables === undefined) return null;
  const text = JSON.stringify(variables);
  return text.length > MAX_VARIABLES_LETTERS ? null : text;
}
