import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedOutline, UsageRecord } from '../../src/model/usage-record.js';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createUsageReader } from '../../src/usage/query/usage-reader.js';
import { createDeniedDocuments } from '../../src/usage/record/create-denied-documents.js';
import { createUsageRecorder } from '../../src/usage/record/create-usage-recorder.js';
import { dropOldUsage } from '../../src/usage/record/drop-old-usage.js';
import { DATABASES, type TestDatabase } from '../postgres/databases.js';
import { recordOf } from './one-record.js';

interface Printing extends RecordedOutline {
  printed: number;
}

/** Returns the outline of an operation. It counts how often the document is printed. */
function outlineOf(text: string, differs: Partial<RecordedOutline> = {}): Printing {
  const outline = {
    plan: {},
    documentLength: text.length,
    printed: 0,
    document: () => {
      outline.printed++;
      return text;
    },
    variables: () => ({}),
    ...differs,
  };
  return outline;
}

function denialOf(outline: RecordedOutline | undefined, differs: Partial<UsageRecord> = {}): UsageRecord {
  return recordOf({ denial: 'THROTTLED', deniedBy: 'tier:free', actualCost: undefined, outline, ...differs });
}

const START = Date.parse('2026-03-01T12:00:00Z');

describe('documents of denied operations', () => {
  it('a document is printed once a day, however often it is denied', () => {
    const documents = createDeniedDocuments();
    const outline = outlineOf('{ a }');
    const first = documents.of(denialOf(outline, { atMs: START }));
    for (let index = 0; index < 1000; index++) {
      expect(documents.of(denialOf(outline, { atMs: START + index }))).toEqual(first);
    }
    expect(outline.printed).toBe(1);
    expect(documents.take()).toEqual([{ hash: first.document, text: '{ a }' }]);
    expect(documents.take()).toEqual([]);
    expect(documents.of(denialOf(outline, { atMs: START + 86_400_000 }))).toEqual(first);
    expect([outline.printed, documents.take().length]).toEqual([2, 1]);
  });

  it('at most twenty new documents a minute are printed and kept, and at most five of one caller', () => {
    const documents = createDeniedDocuments();
    let printed = 0;
    let kept = 0;
    for (let user = 0; user < 50; user++) {
      for (let index = 0; index < 50; index++) {
        const outline = outlineOf(`{ a${user}_${index} }`);
        const { document } = documents.of(denialOf(outline, { atMs: START, subject: { user: `user ${user}` } }));
        printed += outline.printed;
        if (document !== null) kept++;
        if (index === 4 && user === 0) expect([kept, printed]).toEqual([5, 5]);
      }
      if (user === 0) expect(kept).toBe(5);
    }
    expect([kept, printed]).toEqual([20, 20]);
    // Operations with an earlier start time belong to the previous minute. They must not start
    // another budget.
    for (let index = 0; index < 50; index++) {
      const outline = outlineOf(`{ slow${index} }`);
      documents.of(denialOf(outline, { atMs: START - (index % 2) * 60_000, subject: { user: `slow ${index}` } }));
      expect(outline.printed).toBe(0);
    }
    const later = outlineOf('{ later }');
    expect(documents.of(denialOf(later, { atMs: START + 60_000 })).document).not.toBeNull();
  });

  it('denied documents are still kept after a clock moved back from a wrong time', () => {
    const documents = createDeniedDocuments();
    const known = outlineOf('{ known }');
    const keep = (name: string, atMs: number) => {
      let kept = 0;
      for (let index = 0; index < 50; index++) {
        const outline = outlineOf(`{ ${name}${index} }`);
        if (documents.of(denialOf(outline, { atMs, subject: { user: `user ${index}` } })).document !== null) kept++;
      }
      documents.of(denialOf(known, { atMs }));
      documents.take();
      return kept;
    };
    const YEAR_MS = 365 * 86_400_000;
    documents.of(denialOf(known, { atMs: START + YEAR_MS }));
    expect(keep('ahead', START + YEAR_MS)).toBe(19);
    expect(keep('back', START)).toBe(20);
    documents.of(denialOf(known, { atMs: START + 60_000 }));
    // A known document is printed once for each day, so the step back to another day prints it
    // again.
    expect(known.printed).toBe(2);
  });

  it('the number of denied documents in memory is bounded while nothing is stored', () => {
    const documents = createDeniedDocuments();
    for (let minute = 0; minute < 100; minute++) {
      for (let index = 0; index < 20; index++) {
        const subject = { user: `user ${index}` };
        documents.of(denialOf(outlineOf(`{ a${minute}_${index} }`), { atMs: START + minute * 60_000, subject }));
      }
    }
    expect(documents.take()).toHaveLength(100);
  });

  it('a document is not kept if it is long, cannot be printed or has no price', () => {
    const documents = createDeniedDocuments();
    const long = outlineOf('{ a }', { documentLength: 20_000 });
    expect(documents.of(denialOf(long, { atMs: START })).document).toBeNull();
    expect(long.printed).toBe(0);
    const grown = outlineOf('a'.repeat(20_000), { documentLength: 10 });
    const failing = outlineOf('', {
      document: () => {
        throw new RangeError('Maximum call stack size exceeded');
      },
    });
    for (const outline of [grown, failing, undefined]) {
      expect(documents.of(denialOf(outline, { atMs: START }))).toEqual({ document: null, variables: null });
    }
    expect(documents.take()).toEqual([]);
  });

  it('a document is kept without variables that are too large', () => {
    const documents = createDeniedDocuments();
    const many = outlineOf('{ a }', { variables: () => ({ of: 'x'.repeat(3000) }) });
    expect(documents.of(denialOf(many, { atMs: START }))).toEqual({ document: expect.any(String), variables: null });
  });
});

describe.each(DATABASES)('stored documents of denied operations on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    opened = await openDatabase();
    db = opened.db;
    await migrate(db);
  });
  afterAll(() => opened.dispose());

  const denialsOf = (operation: string) => {
    const now = Date.now();
    const range = { from: new Date(now - 3_600_000), to: new Date(now + 60_000) };
    return createUsageReader(db).denials({ range, filter: { operation }, after: undefined, limit: 10 });
  };

  it('several processes store a denied document once, with the variables of each denial', async () => {
    const plan = {};
    for (let process = 0; process < 2; process++) {
      const recorder = createUsageRecorder({ db, flushMs: 3_600_000 });
      for (const first of [1, 2]) {
        const outline = outlineOf('query Shared { a }', { plan, variables: () => ({ first }) });
        recorder.record(denialOf(outline, { operationName: 'Shared' }));
        await recorder.flush();
      }
      await recorder.close();
    }
    const denials = await denialsOf('Shared');
    const hashes = new Set(denials.map(({ document }) => document!));
    expect(denials.map(({ variables }) => variables).sort()).toEqual([1, 1, 2, 2].map((first) => `{"first":${first}}`));
    expect(hashes.size).toBe(1);
    expect(await createUsageReader(db).deniedDocuments([...hashes, 'unknown'])).toEqual([
      { hash: [...hashes][0], text: 'query Shared { a }' },
    ]);
  });

  it('a document is not printed if documents are not kept or if the operation is admitted', async () => {
    const outline = outlineOf('{ secret }');
    const recorder = createUsageRecorder({ db, flushMs: 3_600_000, keepDeniedDocuments: false });
    recorder.record(denialOf(outline, { operationName: 'Off' }));
    await recorder.close();
    const keeping = createUsageRecorder({ db, flushMs: 3_600_000 });
    keeping.record(recordOf({ outline }));
    // The document is not printed in an outage either, although each decision is then an event.
    keeping.record(recordOf({ outline, degraded: true }));
    await keeping.close();
    expect(outline.printed).toBe(0);
    expect(await denialsOf('Off')).toMatchObject([{ document: null, variables: null }]);
  });

  it('documents are removed with the last denial that can refer to them, and at most ten thousand are kept', async () => {
    await db.query('delete from denied_documents');
    await db.query(
      `insert into denied_documents (hash, text, last_seen_on)
       select lpad(n::text, 22, '0'), '{ a }', current_date - (n % 7) from generate_series(1, 10500) n`,
    );
    await dropOldUsage(db, { eventsDays: 3 });
    const count = async () =>
      (await db.query<{ n: number }>('select count(*)::integer as n from denied_documents'))[0]!.n;
    expect(await count()).toBe(7500);
    await dropOldUsage(db, { eventsDays: 3 });
    expect(await count()).toBe(7500);
    await db.query(
      `insert into denied_documents (hash, text, last_seen_on)
       select 'b' || lpad(n::text, 21, '0'), '{ a }', current_date from generate_series(1, 9000) n`,
    );
    await dropOldUsage(db, { eventsDays: 3 });
    expect(await count()).toBe(10_000);
    const [row] = await db.query<{ n: number }>(
      `select count(*)::integer as n from denied_documents where hash like 'b%' and last_seen_on = current_date`,
    );
    expect(row!.n).toBe(9000);
  });
});
