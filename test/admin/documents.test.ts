import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../src/postgres/db.js';
import { NOTHING_NEW } from '../../src/registry/create-document-registry.js';
import { createDocumentUses } from '../../src/registry/create-document-uses.js';
import { documentOfText } from '../../src/registry/read-manifest.js';
import {
  BrokenDocumentsDocument,
  DocumentsCheckDocument,
  type DocumentsCheckInput,
  DocumentVersionDocument,
  DocumentVersionPublishDocument,
  DocumentVersionPushDocument,
  type DocumentVersionPushInput,
  DocumentVersionRetireDocument,
  DocumentVersionsDocument,
  NodeOfVersionDocument,
} from '../generated/graphql.js';
import { migrateAfresh, openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { type AdminWorld, createAdminWorld } from './admin-world.js';

const COUNTRIES = 'query Countries { countries(first: 20) { name } }';
const SEARCH = 'query Search($first: Int!) { search(text: "a", first: $first) { __typename } }';
const BROKEN = 'query Broken { planets { name } }';
const WEB: DocumentVersionPushInput = {
  app: 'web',
  version: '1.4.0',
  documents: [{ text: COUNTRIES }, { id: 'search', text: SEARCH }],
};

describe('registered documents over the admin API', () => {
  let opened: TestDatabase;
  let db: Db;
  let world: AdminWorld;
  let run: AdminWorld['run'];
  beforeAll(async () => {
    opened = await openServerDatabase();
    db = opened.db;
  });
  afterAll(() => opened.dispose());
  beforeEach(async () => {
    await migrateAfresh(db);
    world = await createAdminWorld(db);
    run = world.run;
  });

  const push = async (input: DocumentVersionPushInput) =>
    (await run(DocumentVersionPushDocument, { input })).data!.documentVersionPush!;
  const read = async (app: string, version: string, filter?: { nameContains?: string; unusedSince?: string }) =>
    (await run(DocumentVersionDocument, { app, version, filter: filter ?? null })).data!.documentVersion!;
  const check = async (input: DocumentsCheckInput) =>
    (await run(DocumentsCheckDocument, { input })).data!.documentsCheck;

  /** Stores one use of each document of a version by a user. */
  async function use(app: string, version: string, user: string): Promise<void> {
    const uses = createDocumentUses({ db });
    const rows = await db.query<{ versionNumber: number; number: number }>(
      `select v.id as "versionNumber", l.document as number from document_versions v
       join version_documents l on l.version_id = v.id where v.app = $1 and v.version = $2`,
      [app, version],
    );
    const onDecision = uses.observer.onDecision!.bind(uses.observer) as (record: object) => void;
    for (const row of rows) onDecision({ document: row, subject: { user } });
    await uses.close();
  }

  it('a version is pushed once, published and retired, and each change has its author and reason', async () => {
    const dry = await push({ ...WEB, dryRun: true, publish: true });
    expect(dry).toMatchObject({
      documentVersion: { state: 'PUBLISHED', documentCount: 2 },
      differences: [{ path: 'name', after: 'web 1.4.0' }, { path: 'state' }, { path: 'documents', after: 2 }],
    });
    expect((await run(DocumentVersionsDocument, {})).data!.documentVersions.totalCount).toBe(0);

    const pushed = await push({ ...WEB, comment: 'release 7' });
    expect(pushed).toMatchObject({
      documentVersion: { app: 'web', version: '1.4.0', state: 'DRAFT', documentCount: 2, pushedBy: 'ann', uses: 0 },
      userErrors: [],
    });
    expect(await push(WEB)).toMatchObject({ warnings: [NOTHING_NEW], differences: [] });
    const name = { app: 'web', version: '1.4.0' };
    const published = await run(DocumentVersionPublishDocument, { input: { ...name, comment: 'go' } });
    expect(published.data!.documentVersionPublish).toMatchObject({
      documentVersion: { state: 'PUBLISHED' },
      differences: [{ path: 'state', before: 'DRAFT', after: 'PUBLISHED' }],
    });
    const retired = await run(DocumentVersionRetireDocument, { input: name });
    expect(retired.data!.documentVersionRetire).toMatchObject({ documentVersion: { state: 'RETIRED' } });
    expect((await read('web', '1.4.0')).history.nodes).toMatchObject([
      { action: 'RETIRE', actor: 'ann', comment: null },
      { action: 'UPDATE', actor: 'ann', comment: 'go' },
      { action: 'CREATE', actor: 'ann', comment: 'release 7' },
    ]);
  });

  it('a version that callers used is not retired: the error names them, unless no day without a use is needed', async () => {
    await push({ ...WEB, publish: true });
    await use('web', '1.4.0', 'ada');
    await use('web', '1.4.0', 'bob');
    const input = { app: 'web', version: '1.4.0' };
    const refused = await run(DocumentVersionRetireDocument, { input });
    expect(refused.data!.documentVersionRetire).toMatchObject({
      documentVersion: { state: 'PUBLISHED', uses: 4 },
      userErrors: [
        {
          code: 'IN_USE',
          field: ['version'],
          message: 'web 1.4.0 was used in the last 7 days by user ada (2), user bob (2)',
        },
      ],
    });
    const forced = await run(DocumentVersionRetireDocument, { input: { ...input, unusedDays: 0 } });
    expect(forced.data!.documentVersionRetire).toMatchObject({ documentVersion: { state: 'RETIRED' }, userErrors: [] });
    for (const unusedDays of [-1, 4000]) {
      const { data } = await run(DocumentVersionRetireDocument, { input: { ...input, unusedDays } });
      expect(data!.documentVersionRetire!.userErrors).toMatchObject([{ code: 'INVALID', field: ['unusedDays'] }]);
    }
  });

  it('a version shows its callers, and its documents with their uses and prices', async () => {
    await push({ ...WEB, documents: [...(WEB.documents as { text: string }[]), { text: BROKEN }], publish: true });
    await use('web', '1.4.0', 'ada');
    const version = await read('web', '1.4.0');
    expect(version).toMatchObject({
      uses: 3,
      callers: [{ caller: { kind: 'USER', name: 'ada' }, uses: 3 }],
      documents: {
        nodes: [
          {
            documentId: documentOfText(COUNTRIES).id,
            text: COUNTRIES,
            operationName: 'Countries',
            operationType: 'QUERY',
            uses: 1,
            price: { worstCase: 20, unbounded: [], errors: [] },
          },
          { documentId: 'search', operationName: 'Search', price: { errors: [] } },
          {
            operationName: 'Broken',
            price: { worstCase: null, errors: ['Cannot query field "planets" on type "Query".'] },
          },
        ],
      },
    });
    expect((await read('web', '1.4.0', { nameContains: 'SEARCH' })).documents.nodes).toHaveLength(1);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect((await read('web', '1.4.0', { unusedSince: later })).documents.nodes).toHaveLength(3);
    expect((await read('web', '1.4.0', { unusedSince: '2020-01-01' })).documents.nodes).toHaveLength(0);
    expect((await run(NodeOfVersionDocument, { id: version.id })).data!.node).toMatchObject({ app: 'web' });
    expect(
      (await run(NodeOfVersionDocument, { id: Buffer.from('DocumentVersion:99').toString('base64url') })).data,
    ).toEqual({
      node: null,
    });
  });

  it('the list of versions has pages, a count and filters, and the version pushed first comes last', async () => {
    for (const [app, version] of [
      ['web', '1'],
      ['web', '2'],
      ['ios', '7'],
    ] as const)
      await push({
        app,
        version,
        documents: [{ text: `{ countries(first: ${version}) { name } }` }],
        publish: app === 'web',
      });
    await use('web', '1', 'ada');
    const list = async (filter: object, first?: number, after?: string) => {
      const { data } = await run(DocumentVersionsDocument, { filter, first: first ?? 20, after: after ?? null });
      const { nodes, totalCount, pageInfo } = data!.documentVersions;
      return { names: nodes.map(({ app, version }) => `${app} ${version}`), totalCount, pageInfo };
    };
    const page = await list({}, 2);
    expect(page).toMatchObject({ names: ['ios 7', 'web 2'], totalCount: 3, pageInfo: { hasNextPage: true } });
    expect((await list({}, 2, page.pageInfo.endCursor!)).names).toEqual(['web 1']);
    expect((await list({ state: 'DRAFT' })).names).toEqual(['ios 7']);
    expect((await list({ app: 'web' })).names).toEqual(['web 2', 'web 1']);
    expect((await list({ nameContains: 'B 2' })).names).toEqual(['web 2']);
    expect(await list({ unusedSince: '2020-01-01' })).toMatchObject({ names: ['ios 7', 'web 2'], totalCount: 2 });
  });

  it('the published documents that the schema breaks are listed, of one app or of all', async () => {
    const documents = [{ text: COUNTRIES }, { id: 'broken', text: BROKEN }];
    await push({ app: 'web', version: '1', documents, publish: true });
    await push({ app: 'web', version: '2', documents, publish: true });
    await push({ app: 'ios', version: '7', documents });
    const broken = async (app: string | null) => (await run(BrokenDocumentsDocument, { app })).data!.brokenDocuments;
    const error = 'Cannot query field "planets" on type "Query".';
    expect(await broken(null)).toEqual({
      isComplete: true,
      checked: 2,
      count: 1,
      documents: [{ app: 'web', documentId: 'broken', versions: ['2', '1'], operationName: 'Broken', error }],
    });
    expect(await broken('ios')).toMatchObject({ checked: 0, count: 0, documents: [] });
  });

  it('a check reports prices, increases, broken documents and removed operations, and stores nothing', async () => {
    await push({ ...WEB, publish: true });
    const before = await world.store.latestChange();
    const passed = await check({ documents: WEB.documents, app: 'web' });
    expect(passed).toMatchObject({ passed: true, removed: [], userErrors: [] });
    const larger = 'query Countries { countries(first: 30) { name } }';
    const failed = await check({
      documents: [{ text: larger }, { id: 'b', text: BROKEN }],
      app: 'web',
      maxIncrease: 20,
    });
    expect(failed).toMatchObject({
      passed: false,
      removed: ['Search'],
      documents: [
        {
          documentId: documentOfText(larger).id,
          name: 'Countries',
          price: { worstCase: 30 },
          before: { worstCase: 20 },
          problems: ['Countries costs 30 instead of 20, above +20 %'],
        },
        { documentId: 'b', problems: ['Cannot query field "planets" on type "Query".'] },
      ],
    });
    expect(await check({ documents: [{ text: larger }], maxCost: 29 })).toMatchObject({
      documents: [{ problems: ['Countries costs 30, above 29'] }],
    });
    expect(await world.store.latestChange()).toBe(before);
  });

  it('each mistake is a user error with its place, and an invalid push stores nothing', async () => {
    expect(await push({ app: 'a b', version: '', documents: [], comment: 'x'.repeat(1001) })).toMatchObject({
      documentVersion: null,
      userErrors: [{ field: ['app'] }, { field: ['version'] }, { field: ['documents'] }, { field: ['comment'] }],
    });
    expect(
      await push({
        ...WEB,
        documents: [
          { id: 'a', text: COUNTRIES },
          { id: 'b', text: '{' },
        ],
      }),
    ).toMatchObject({
      userErrors: [{ code: 'INVALID', field: ['documents', 'b'] }],
    });
    const { data } = await run(DocumentVersionPublishDocument, { input: { app: 'web', version: '1.4.0' } });
    expect(data!.documentVersionPublish!.userErrors).toEqual([
      { code: 'NOT_FOUND', field: ['version'], message: 'no version "1.4.0" of the app "web"' },
    ]);
    expect(await check({ documents: [], maxCost: -1 })).toMatchObject({
      passed: false,
      userErrors: [{ field: ['maxCost'] }, { field: ['documents'] }],
    });
  });
});
