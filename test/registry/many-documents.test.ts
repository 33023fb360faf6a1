import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLiveDocuments } from '../../src/registry/create-live-documents.js';
import { printOf } from '../../src/registry/document-input.js';
import { documentOfText } from '../../src/registry/read-manifest.js';
import { documentsCommand } from '../../src/server/commands/documents/documents-command.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';

const COUNT = 100_000;
const textOf = (number: number) => `query Q${number} { item { id } }`;

describe('100,000 registered documents', () => {
  let database: Awaited<ReturnType<typeof openServerDatabase>>;
  beforeAll(async () => {
    database = await openServerDatabase();
    await database.db.tx(
      async (tx) => {
        const versions = await tx.query<{ id: number }>(
          `insert into document_versions (app, version, state, pushed_by, published_at)
       values ('web', '1', 'PUBLISHED', 'test', now()) returning id`,
        );
        await tx.query(
          `create temporary table many as select n, body, encode(sha256(convert_to(body, 'UTF8')), 'hex') as hash
       from (select n, 'query Q' || n || ' { item { id } }' as body from generate_series(0, ${COUNT - 1}) n) texts`,
        );
        await tx.query('insert into document_texts (hash, body) select hash, body from many');
        await tx.query(
          `insert into registered_documents (app, document_id, hash, operation_type, id_print, hash_print)
       select 'web', 'sha256:' || hash, hash, 'QUERY', print, print
       from (select hash, ('x' || left(hash, 13))::bit(52)::bigint as print from many) prints`,
        );
        await tx.query(
          'insert into version_documents (version_id, document) select $1, number from registered_documents',
          [versions[0]!.id],
        );
      },
      { isGuarded: false },
    );
  });
  afterAll(() => database.dispose());

  it('are found by their ids, and their texts stay within the maximum size of the cache', async () => {
    const maxBytes = 256 * 1024;
    const live = createLiveDocuments({ db: database.db, shared: undefined, maxBytes });
    await live.refresh();
    for (let number = 0; number < COUNT; number += 97) {
      const { id, text } = documentOfText(textOf(number));
      expect((await live.find(id, {}))?.text).toBe(text);
      expect(live.bytes).toBeLessThanOrEqual(maxBytes);
    }
    expect(live.bytes).toBeGreaterThan(maxBytes / 2);
    expect(live.published()!.has(printOf(documentOfText(textOf(COUNT)).id.slice('sha256:'.length)))).toBe(false);
  });

  it('fill at most half of the cache of parsed documents before their first requests', async () => {
    const documentCacheBytes = 512 * 1024;
    const tollgate = await createTollgate({
      schema: buildSchema('type Query { item: Item } type Item { id: ID }'),
      postgres: database.db,
      identify: () => ({ user: 'ann' }),
      documentCacheBytes,
      logger: { info() {}, warn() {}, error() {} },
    });
    try {
      await until('half of the cache is full', () => tollgate.documentStore.bytes >= documentCacheBytes / 2);
      const { built } = tollgate.analyzer.plans;
      expect(tollgate.documentStore.bytes).toBeLessThan(documentCacheBytes);
      expect(built).toBeLessThan(1000);
      for (let number = 0; number < 3000; number++) {
        const request = await tollgate.protect({ documentId: documentOfText(textOf(number)).id });
        expect(request.admitted).toBe(true);
        if (request.admitted) request.abandon();
      }
      expect(tollgate.documentStore.bytes).toBeLessThanOrEqual(documentCacheBytes);
      expect(tollgate.analyzer.cachedPlans().count).toBeLessThanOrEqual(1000);
    } finally {
      await tollgate.close();
    }
  });
});

it('10,000 documents are pushed by one command, and its progress bar never goes back', async () => {
  const database = await openServerDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  process.env['DATABASE_URL'] = database.url;
  try {
    const file = join(folder, 'manifest.json');
    const documents = Array.from({ length: 10_000 }, (_, number) => documentOfText(textOf(number)));
    writeFileSync(file, JSON.stringify(documents.map(({ id, text }) => [id, text])));
    let [shown, printed] = ['', ''];
    const status = await documentsCommand(['push', file, '--app', 'web', '--version', '1'], {
      stdout: { write: (text) => (printed += text) },
      stderr: { isTTY: true, write: (text) => (shown += text) },
    });
    expect({ status, printed }).toEqual({
      status: 0,
      printed: expect.stringContaining('web 1: draft, 10000 documents'),
    });
    const steps = [...shown.matchAll(/\] (\d+) of 10000/g)].map(([, stored]) => Number(stored));
    expect(steps.length).toBeGreaterThan(10);
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
    expect(steps.at(-1)).toBe(10_000);
  } finally {
    delete process.env['DATABASE_URL'];
    rmSync(folder, { recursive: true });
    await database.dispose();
  }
});
