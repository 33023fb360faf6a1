import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Of } from '../../../src/documents/sha-256-of.js';
import { ADMIN_TOKEN, type Answer, post } from '../../helpers/platform.js';
import { until } from '../../helpers/until.js';
import { countCases } from '../serve.js';
import { type OpenPlatform, PLATFORMS } from './platforms.js';

const TEXT = '{ country(code: "SE") { name } }';
const PUSH = `mutation ($input: DocumentVersionPushInput!) {
  documentVersionPush(input: $input) { documentVersion { state documentCount } userErrors { code field message } } }`;
const PUBLISH = `mutation ($input: DocumentVersionPublishInput!) {
  documentVersionPublish(input: $input) { documentVersion { state } userErrors { code message } } }`;
const RETIRE = `mutation ($input: DocumentVersionRetireInput!) {
  documentVersionRetire(input: $input) { documentVersion { state } userErrors { code message } } }`;
const CHECK = `query ($input: DocumentsCheckInput!) {
  documentsCheck(input: $input) { passed documents { problems } userErrors { code message } } }`;
const VERSIONS = '{ documentVersions(first: 100) { nodes { app version state documentCount } } }';
const VERSION = 'query ($app: String!) { documentVersion(app: $app, version: "1") { documentCount } }';

/** Names that no app and no version may have. */
const NAMES: readonly unknown[] = [
  '',
  ' ',
  'a b',
  '../../etc',
  'a~b',
  'a\0b',
  '\ud800',
  'ä',
  "a'; drop table document_versions; --",
  'a'.repeat(65),
  'a'.repeat(50_000),
  1,
  true,
  null,
  ['a'],
  { toString: 'a' },
];
/** Documents that no version may have. */
const DOCUMENTS: readonly unknown[] = [
  { id: '', text: TEXT },
  { id: 'a b', text: TEXT },
  { id: 'web~1~a', text: TEXT },
  { id: 'a\0', text: TEXT },
  { id: '\ud800', text: TEXT },
  { id: 'x'.repeat(257), text: TEXT },
  { id: 'x'.repeat(50_000), text: TEXT },
  { id: `sha256:${sha256Of('{ another }')}`, text: TEXT },
  { id: sha256Of('{ another }'), text: TEXT },
  { id: 'md5:0', text: TEXT },
  { id: 1.5, text: TEXT },
  { id: ['a'], text: TEXT },
  { id: 'a', text: '' },
  { id: 'a', text: '#' },
  { id: 'a', text: 'no document' },
  { id: 'a', text: 'fragment F on Query { __typename }' },
  { id: 'a', text: `${TEXT}#\0` },
  { id: 'a', text: `${TEXT}#\ud800` },
  { id: 'a', text: '{a'.repeat(20_000) },
  { id: 'a', text: ['{ a }'] },
  { id: 'a', text: null },
  { id: 'a' },
  {},
  'a',
  null,
];

describe.each(PLATFORMS)('the administration of registered documents, $on', ({ open }) => {
  let opened: OpenPlatform;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  const admin = (query: string, variables: object = {}, token = ADMIN_TOKEN): Promise<Answer> =>
    post(
      `${opened.platform.url}/admin/graphql`,
      { query, variables: variables as Record<string, unknown> },
      { authorization: `Bearer ${token}` },
    );
  const api = (body: object, headers: Record<string, string> = {}) =>
    post(`${opened.platform.url}/graphql`, body, headers);
  const versions = async (): Promise<object[]> => (await admin(VERSIONS)).body.data.documentVersions.nodes;
  const push = (input: object, token?: string) => admin(PUSH, { input: { publish: true, ...input } }, token);
  const tokenOf = async (role: string): Promise<string> => {
    const create = `mutation { adminTokenCreate(input: { name: "${role} ${Math.random()}", role: ${role} }) { secret } }`;
    return (await admin(create)).body.data.adminTokenCreate.secret;
  };

  /** Expects that a request is rejected with a clear error, without a status of 5xx. */
  function expectRejection({ status, body }: Answer, sent: unknown): void {
    const asked = JSON.stringify(sent).slice(0, 200);
    expect(status, `${asked}: ${JSON.stringify(body).slice(0, 500)}`).toBeLessThan(500);
    expect(status, asked).not.toBe(429);
    const [result] = Object.values(body.data ?? {}) as { userErrors: { message: string }[] }[];
    const messages = [...(body.errors ?? []), ...(result?.userErrors ?? [])].map(({ message }) => message);
    expect(messages, asked).not.toEqual([]);
    for (const message of messages) expect(message.length, message.slice(0, 200)).toBeLessThan(2000);
  }

  it('A48: names, ids, texts and sizes that are invalid store nothing, and each gets its error', async (context) => {
    const before = await versions();
    const document = { id: 'a', text: TEXT };
    const inputs = [
      ...NAMES.flatMap((name) => [
        { app: name, version: '1', documents: [document] },
        { app: 'web', version: name, documents: [document] },
      ]),
      ...DOCUMENTS.map((one) => ({ app: 'web', version: '1', documents: [document, one] })),
      { app: 'web', version: '1', documents: [] },
      { app: 'web', version: '1', documents: [document, { id: 'a', text: `${TEXT} ` }] },
      { app: 'web', version: '1', documents: [document], publish: 'true' },
      { app: 'web', version: '1', documents: [document], comment: 'x'.repeat(50_000) },
      { app: 'web', version: '1', documents: [{ id: 'a', text: `${TEXT}#${'x'.repeat(2 ** 20)}` }] },
    ];
    for (const input of inputs) expectRejection(await push(input), input);
    for (const name of NAMES) {
      expectRejection(await admin(PUBLISH, { input: { app: name, version: '1' } }), name);
      expectRejection(await admin(RETIRE, { input: { app: 'web', version: name } }), name);
      const { status, body } = await admin(VERSION, { app: name });
      expect(status).toBeLessThan(500);
      expect(body.data?.documentVersion ?? null).toBeNull();
    }
    expect(await versions()).toEqual(before);
    countCases(context, inputs.length + 3 * NAMES.length);
  });

  it('A48: only an OPERATOR may push, publish and retire, and a VIEWER may check', async (context) => {
    const input = { app: 'roles', version: '1', documents: [{ id: 'roles', text: TEXT }] };
    const viewer = await tokenOf('VIEWER');
    for (const [token, status] of [
      ['guess', 401],
      [viewer, 403],
    ] as const) {
      expect((await push(input, token)).status).toBe(status);
      for (const change of [PUBLISH, RETIRE])
        expect((await admin(change, { input: { app: 'roles', version: '1' } }, token)).status).toBe(status);
    }
    expect(JSON.stringify(await versions())).not.toContain('roles');
    const checked = await admin(CHECK, { input: { documents: input.documents, maxCost: 100 } }, viewer);
    expect(checked.body.data.documentsCheck).toMatchObject({ passed: true, userErrors: [] });
    const operator = await tokenOf('OPERATOR');
    expect((await push(input, operator)).body.data.documentVersionPush.userErrors).toEqual([]);
    expect((await admin(CHECK, { input: { documents: input.documents } }, operator)).status).toBe(200);
    countCases(context, 8);
  });

  it('A48: an id never changes its text, and a version of an app has no documents of another app', async () => {
    const other = '{ countries(first: 2) { name } }';
    const errorsOf = ({ body }: Answer) => body.data.documentVersionPush.userErrors;
    expect(errorsOf(await push({ app: 'mine', version: '1', documents: [{ id: 'shared', text: TEXT }] }))).toEqual([]);
    const changed = { id: 'shared', text: other };
    for (const version of ['1', '2'])
      expect(errorsOf(await push({ app: 'mine', version, documents: [changed] }))).toMatchObject([
        { code: 'ALREADY_EXISTS', field: ['documents', 'shared'] },
      ]);
    expect(errorsOf(await push({ app: 'theirs', version: '1', documents: [changed] }))).toEqual([]);
    const of = (app: string) => api({ documentId: 'shared' }, { 'apollographql-client-name': app });
    await until(
      'the version of the app is in force',
      async () => (await of('mine')).body.data?.country?.name === 'Sweden',
    );
    await until('that of the other app, too', async () => (await of('theirs')).body.data?.countries?.length === 2);
    // Without an app, the id has two texts, so it is unknown.
    expect((await api({ documentId: 'shared' })).body.errors[0].extensions.code).toBe('DOCUMENT_NOT_FOUND');
    expect((await api({ documentId: 'mine~1~shared' })).body.data.country).toEqual({ name: 'Sweden' });
    expect((await api({ documentId: 'mine~2~shared' })).body.errors[0].extensions.code).toBe('DOCUMENT_NOT_FOUND');
  });

  it('A48: a version in use is retired only by an OPERATOR who asks for it, and days out of range are rejected', async (context) => {
    const input = { app: 'used', version: '1', documents: [{ id: 'used', text: TEXT }] };
    await push(input);
    await until(
      'the version is in force',
      async () => (await api({ documentId: 'used' })).body.data?.country !== undefined,
    );
    const retire = (unusedDays?: unknown) => admin(RETIRE, { input: { app: 'used', version: '1', unusedDays } });
    const uses = async () =>
      (await admin('{ documentVersion(app: "used", version: "1") { uses } }')).body.data.documentVersion.uses;
    const days = [-1, 1.5, 1e9, 'all', null, []];
    for (const unusedDays of days) {
      const { status, body } = await retire(unusedDays);
      expect(status).toBeLessThan(500);
      expect(body.data?.documentVersionRetire?.documentVersion?.state ?? 'PUBLISHED').toBe('PUBLISHED');
    }
    const codes = async () =>
      (await retire(7)).body.data.documentVersionRetire.userErrors.map(({ code }: { code: string }) => code);
    // Uses are stored every few seconds, and until then, the version counts as unused.
    await until('the use is stored', async () => (await uses()) > 0);
    expect(await codes()).toEqual(['IN_USE']);
    expect((await retire(0)).body.data.documentVersionRetire.userErrors).toEqual([]);
    const code = async () => (await api({ documentId: 'used' })).body.errors?.[0].extensions.code;
    await until('the id is unknown', async () => (await code()) === 'DOCUMENT_NOT_FOUND');
    countCases(context, days.length);
  });

  it('A45: each unknown id, however it is sent, costs the fee, and a flood of them ends in 429', async (context) => {
    const code = ({ body }: Answer) => body.errors[0].extensions.code;
    const unknown = (index: number): object => {
      const hash = sha256Of(`${index}`);
      const forms = [
        { documentId: `sha256:${hash}` },
        { documentId: `unknown-${index}` },
        { doc_id: `mine~1~${index}` },
        { extensions: { persistedQuery: { version: 1, sha256Hash: hash } } },
      ];
      return forms[index % forms.length]!;
    };
    for (let index = 0; index < 4; index++) {
      const { status, body } = await api(unknown(index), { 'graphql-cost': 'report' });
      expect(status).toBeLessThan(500);
      expect(body.extensions.cost).toMatchObject({ fee: 1 });
      expect(JSON.stringify(body)).not.toContain(sha256Of(`${index}`));
    }
    let sent = 4;
    let isThrottled = false;
    await until('the flood is throttled', async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => api(unknown(sent++))));
      for (const { status } of answers) expect([200, 400, 404, 429]).toContain(status);
      isThrottled = answers.some((answer) => answer.status === 429 && code(answer) === 'THROTTLED');
      return isThrottled;
    });
    countCases(context, sent);
  });
});
