import type { DecisionRecord, OperationObserver } from '../model/decision-record.js';
import type { Subject } from '../model/subject.js';
import type { Connections } from '../postgres/db.js';
import { poll } from '../runtime/poll.js';

interface DocumentUsesOptions {
  db: Connections;
  /** Interval between writes, in milliseconds. @default 10000 */
  flushMs?: number;
}

interface DocumentUses {
  readonly observer: OperationObserver;
  /** Writes the counts that are still in memory. */
  close(): Promise<void>;
}

/** Maximum number of documents, and of callers per version, that are counted between two writes. */
const MAX_DOCUMENTS = 20_000;
const MAX_CALLERS = 100;
/** Maximum length of the name of a caller, in characters. */
const MAX_NAME = 100;
/** Number of callers per version, and of days, that are stored. */
const KEPT_CALLERS = 1000;
const KEPT_DAYS = 400;

/**
 * Counts the uses of registered documents, and who uses which version. The counts are written every
 * few seconds. While the database is unavailable they stay in memory.
 */
export function createDocumentUses({ db, flushMs = 10_000 }: DocumentUsesOptions): DocumentUses {
  let uses = createCounts();
  let callers = new Map<number, Map<string, number>>();

  function onDecision({ document, subject }: DecisionRecord): void {
    if (!document) return;
    const { versionNumber, number } = document;
    if (!uses.add(versionNumber, number, 1)) return;
    const ofVersion = callers.get(versionNumber) ?? new Map<string, number>();
    callers.set(versionNumber, ofVersion);
    const named = callerOf(subject);
    const caller = ofVersion.has(named) || ofVersion.size < MAX_CALLERS ? named : OTHERS;
    ofVersion.set(caller, (ofVersion.get(caller) ?? 0) + 1);
  }

  async function flush(): Promise<void> {
    const ofDocuments = uses.all();
    if (ofDocuments.length === 0) return;
    const [writtenUses, writtenCallers] = [uses, callers];
    uses = createCounts();
    callers = new Map();
    const ofCallers = [...writtenCallers].flatMap(([version, counts]) =>
      [...inStorableNames(counts)].map(([caller, count]) => ({ version, caller, count })),
    );
    try {
      await db.tx(
        async (tx) => {
          await tx.query(
            `insert into document_uses (version_id, document, day, uses, last_used_at)
             select version_id, document, current_date, uses, now()
             from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as used (version_id, document, uses)
             order by version_id, document
             on conflict (version_id, document, day)
             do update set uses = document_uses.uses + excluded.uses, last_used_at = excluded.last_used_at`,
            [0, 1, 2].map((index) => ofDocuments.map((one) => one[index]!)),
          );
          await tx.query(
            `insert into document_callers (version_id, caller, uses, last_used_at)
             select version_id, caller, uses, now()
             from unnest($1::bigint[], $2::text[], $3::bigint[]) as used (version_id, caller, uses)
             order by version_id, caller
             on conflict (version_id, caller)
             do update set uses = document_callers.uses + excluded.uses, last_used_at = excluded.last_used_at`,
            [
              ofCallers.map(({ version }) => version),
              ofCallers.map(({ caller }) => caller),
              ofCallers.map(({ count }) => count),
            ],
          );
          await tx.query(
            `delete from document_callers c using (
               select version_id, caller, row_number() over (partition by version_id order by last_used_at desc) as place
               from document_callers where version_id = any($1::bigint[])
             ) old where old.place > ${KEPT_CALLERS} and old.version_id = c.version_id and old.caller = c.caller`,
            [[...writtenCallers.keys()]],
          );
          await tx.query(`delete from document_uses where day < current_date - ${KEPT_DAYS}`);
        },
        { isGuarded: false },
      );
    } catch {
      // The maximum bounds memory during an outage. Counts of the failed write precede newer ones.
      for (const [version, document, count] of uses.all()) writtenUses.add(version, document, count);
      for (const [version, counts] of callers) if (!writtenCallers.has(version)) writtenCallers.set(version, counts);
      uses = writtenUses;
      callers = writtenCallers;
    }
  }

  const stop = poll(flush, flushMs);
  return {
    observer: { onDecision },
    async close() {
      await stop();
      await flush();
    },
  };
}

/** Numbers of uses, by version and document. Nested maps need no key per decision. */
function createCounts() {
  const versions = new Map<number, Map<number, number>>();
  let size = 0;
  return {
    /** Returns false for a document beyond the maximum, which is not counted. */
    add(version: number, document: number, count: number): boolean {
      const ofVersion = versions.get(version) ?? new Map<number, number>();
      const before = ofVersion.get(document);
      if (before === undefined && size >= MAX_DOCUMENTS) return false;
      if (before === undefined) size++;
      ofVersion.set(document, (before ?? 0) + count);
      versions.set(version, ofVersion);
      return true;
    },
    all: () => [...versions].flatMap(([version, counts]) => [...counts].map((one) => [version, ...one] as const)),
  };
}

const OTHERS = '(other callers)';

function callerOf({ tenant, user, apiKey }: Subject): string {
  const name = tenant ? `tenant ${tenant}` : user ? `user ${user}` : apiKey ? `key ${apiKey}` : 'anonymous';
  return name.slice(0, MAX_NAME);
}

/** Returns counts by names that PostgreSQL can store: without NUL and half of a surrogate pair. */
function inStorableNames(counts: ReadonlyMap<string, number>): Map<string, number> {
  const storable = new Map<string, number>();
  for (const [name, count] of counts) {
    const shown = Buffer.from(name.replaceAll('\0', '')).toString();
    storable.set(shown, (storable.get(shown) ?? 0) + count);
  }
  return storable;
}
