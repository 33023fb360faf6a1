import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Of } from '../../src/documents/sha-256-of.js';
import {
  createDocumentRegistry,
  type DocumentRegistry,
  NOTHING_NEW,
} from '../../src/registry/create-document-registry.js';
import { createLiveDocuments } from '../../src/registry/create-live-documents.js';
import { documentOfText, readManifest } from '../../src/registry/read-manifest.js';
import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { DATABASES, type TestDatabase } from '../postgres/databases.js';
import { ACTOR, pusherOf } from './pusher-of.js';

const manifest = (path: string) => readFileSync(new URL(`manifests/${path}`, import.meta.url), 'utf8');
const MANIFESTS = [
  ['Apollo', 'apollo/persisted-query-manifest.json', 3],
  ['Relay', 'relay/persisted.json', 2],
  ['GraphQL Code Generator', 'codegen/persisted-documents.json', 3],
] as const;

describe.each(DATABASES)('with $database', ({ openDatabase }) => {
  let open: TestDatabase;
  let registry: DocumentRegistry;
  const live = (shared?: Parameters<typeof createLiveDocuments>[0]['shared']) =>
    createLiveDocuments({ db: open.db, shared, maxBytes: 2 ** 20 });
  beforeAll(async () => {
    open = await openDatabase();
    registry = createDocumentRegistry(open.db, createRulesStore(open.db).write);
  });
  afterAll(() => open.dispose());

  it.each(MANIFESTS)('a manifest of %s is stored once: a second push changes nothing', async (_tool, path, count) => {
    const documents = readManifest(manifest(path));
    const push = { app: path.split('/')[0]!, version: '1', documents, publish: true };
    expect(await registry.push(push, ACTOR)).toMatchObject({
      ok: true,
      value: { state: 'PUBLISHED', documents: count },
      warnings: [],
    });
    const changes = await createRulesStore(open.db).latestChange();
    expect(await registry.push(push, ACTOR)).toMatchObject({ ok: true, warnings: [NOTHING_NEW] });
    expect(await createRulesStore(open.db).latestChange()).toBe(changes);
    const lookup = live();
    await lookup.refresh();
    for (const { id, text } of documents) {
      for (const asked of [id, `sha256:${sha256Of(text)}`, `${push.app}~1~${id}`])
        expect(await lookup.find(asked, {})).toMatchObject({ text, version: '1' });
    }
  });

  it('an id never changes its text, and a push with such an id stores nothing', async () => {
    const push = pusherOf(open.db);
    await push({ app: 'fixed', version: '1', documents: [{ id: 'a', text: '{ a }' }] });
    const second = {
      app: 'fixed',
      version: '2',
      documents: [
        { id: 'b', text: '{ b }' },
        { id: 'a', text: '{ other }' },
      ],
    };
    expect(await registry.push(second, ACTOR)).toMatchObject({
      ok: false,
      userErrors: [{ code: 'ALREADY_EXISTS', field: ['documents', 'a'] }],
    });
    expect(await push({ app: 'fixed', version: '2', documents: [{ id: 'b', text: '{ c }' }] })).toMatchObject({
      documents: 1,
    });
  });

  it('all mistakes of a push are reported, each with the id', async () => {
    const documents = [
      { id: 'a b', text: '{ a }' },
      { id: '0'.repeat(64), text: '{ a }' },
      { id: 'md5:1', text: '{ a }' },
      { id: 'twice', text: '{ a }' },
      { id: 'twice', text: '{ b }' },
      { id: 'syntax', text: '{ a' },
      { id: 'none', text: 'fragment F on Query { a }' },
      { id: 'large', text: `{ a(t: "${'x'.repeat(300_000)}") }` },
    ];
    const outcome = await registry.push({ app: 'w', version: '1', documents }, ACTOR);
    expect(outcome.ok ? [] : outcome.userErrors.map(({ field }) => field[1])).toEqual([
      'a b',
      '0'.repeat(64),
      'md5:1',
      'twice',
      'syntax',
      'none',
      'large',
    ]);
    expect(await registry.push({ app: 'a~b', version: '', documents: [] }, ACTOR)).toMatchObject({
      userErrors: [{ field: ['app'] }, { field: ['version'] }, { field: ['documents'] }],
    });
  });

  it('a draft and a retired version are unknown to callers, and a publication is found at once', async () => {
    const [document] = [documentOfText('{ drafted }')];
    await registry.push({ app: 'states', version: '1', documents: [document] }, ACTOR);
    const lookup = live();
    const seen = async () => {
      await lookup.refresh();
      return (await lookup.find(document.id, {}))?.version;
    };
    expect(await seen()).toBeUndefined();
    expect(await registry.publish({ app: 'states', version: '1' }, ACTOR)).toMatchObject({ ok: true });
    expect(await seen()).toBe('1');
    await pusherOf(open.db)({ app: 'states', version: '2', documents: [document] });
    expect(await seen()).toBe('2');
    expect((await lookup.find(document.id, { app: 'states', version: '1' }))?.version).toBe('1');
    for (const version of ['1', '2']) await registry.retire({ app: 'states', version }, ACTOR);
    expect(await seen()).toBeUndefined();
  });

  it('an id with different texts in two apps is found only for a client that names its app', async () => {
    const push = pusherOf(open.db);
    await push({ app: 'left', version: '1', documents: [{ id: 'same', text: '{ left }' }] });
    await push({ app: 'right', version: '1', documents: [{ id: 'same', text: '{ right }' }] });
    const lookup = live();
    await lookup.refresh();
    expect(await lookup.find('same', {})).toBeUndefined();
    expect((await lookup.find('same', { app: 'left' }))?.text).toBe('{ left }');
    expect((await lookup.find('right~1~same', { app: 'left' }))?.text).toBe('{ right }');
  });

  it('a copy in Redis whose text was replaced is not used', async () => {
    const { id, text } = documentOfText('{ copied }');
    await pusherOf(open.db)({ app: 'copies', version: '1', documents: [{ id, text }] });
    const forged = JSON.stringify([
      { id, app: 'copies', hash: sha256Of(text), text: '{ forged }', versions: [1], number: 1 },
    ]);
    const lookup = live({ get: async () => forged, set: async () => {} });
    await lookup.refresh();
    expect((await lookup.find(id, {}))?.text).toBe(text);
  });
});

it('the SHA-256 of a text is that of the GraphQL over HTTP specification', () => {
  const text = 'query($id:ID!){user(id:$id){name}}';
  expect(documentOfText(text).id).toBe('sha256:71f7dc5758652baac68e4a10c50be732b741c892ade2883a99358f52b555286b');
});

it.each([
  ['{', 'expected JSON'],
  ['{}', 'expected at least one document'],
  ['"text"', 'A manifest is'],
  ['{ "a": 1 }', 'a: expected the text of a document'],
  ['[["a"]]', '[0]: expected the text'],
  ['{ "format": "other", "operations": [] }', 'format: expected'],
  ['{ "format": "apollo-persisted-query-manifest", "version": 2, "operations": [] }', 'version: expected 1, got 2'],
  ['{ "operations": [{ "body": "{ a }" }] }', 'operations[0]: expected an id'],
])('the manifest %s is rejected, and the message names the mistake', (text, message) => {
  expect(() => readManifest(text)).toThrow(message);
});

it('the list of pairs that Relay writes is read', () => {
  expect(readManifest('[["a","{ a }"]]')).toEqual([{ id: 'a', text: '{ a }' }]);
});
