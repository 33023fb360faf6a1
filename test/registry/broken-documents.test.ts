import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBrokenDocuments } from '../../src/registry/find-broken-documents.js';
import { documentOfText } from '../../src/registry/read-manifest.js';
import { publishedSchemaOf } from '../../src/services/published-schema.js';
import { publishSchema } from '../../src/services/published-service.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';
import { pusherOf } from './pusher-of.js';

const BEFORE = buildSchema('type Query { user: User } type User { id: ID name: String }');
const AFTER = buildSchema('type Query { user: User } type User { id: ID fullName: String }');
const GOOD = documentOfText('query Good { user { id } }');
const BROKEN = documentOfText('query Broken { user { name } }');

describe('registered documents that a schema breaks', () => {
  let database: Awaited<ReturnType<typeof openServerDatabase>>;
  beforeAll(async () => {
    database = await openServerDatabase();
    const push = pusherOf(database.db);
    await push({ app: 'web', version: '1', documents: [GOOD, BROKEN] });
    await push({ app: 'web', version: '2', documents: [BROKEN] });
    await push({ app: 'ios', version: '1', documents: [{ id: 'own', text: '{ user { name id } }' }] });
    await push({ app: 'web', version: '3', publish: false, documents: [documentOfText('{ drafted }')] });
  });
  afterAll(() => database.dispose());

  it('are found with their apps, versions and reasons, and drafts are not checked', async () => {
    const { db } = database;
    expect(await findBrokenDocuments({ db, schema: BEFORE })).toEqual({
      isComplete: true,
      checked: 3,
      count: 0,
      documents: [],
    });
    const error = 'Cannot query field "name" on type "User".';
    const web = { app: 'web', id: BROKEN.id, versions: ['2', '1'], operationName: 'Broken', error };
    const ios = { app: 'ios', id: 'own', versions: ['1'], operationName: null, error };
    expect(await findBrokenDocuments({ db, schema: AFTER })).toEqual({
      isComplete: true,
      checked: 3,
      count: 2,
      documents: [ios, web],
    });
    expect(await findBrokenDocuments({ db, schema: AFTER, app: 'web' })).toEqual({
      isComplete: true,
      checked: 2,
      count: 1,
      documents: [web],
    });
    expect(await findBrokenDocuments({ db, schema: AFTER, limit: 1 })).toMatchObject({ count: 2, documents: [ios] });
  });

  it('are named by the log and by the problems of a process, until the schema fits again', async () => {
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const tollgate = await createTollgate({
      schema: BEFORE,
      postgres: database.db,
      identify: () => ({ user: 'ann' }),
      logger: { info: log, warn: log, error: (_, line) => log(line) },
    });
    try {
      tollgate.protectWith({ schema: AFTER });
      await until('the process reports them', () => tollgate.problems().length > 0);
      const reasons = 'ios 1, own: Cannot query field "name" on type "User".; web 2, Broken: Cannot query field';
      expect(tollgate.problems()).toEqual([
        expect.stringContaining(`registered documents that are invalid on the schema in force: 2: ${reasons}`),
      ]);
      expect(lines.filter((line) => line.startsWith('Registered documents that are invalid'))).toHaveLength(1);
      tollgate.protectWith({ schema: BEFORE });
      await until('the process no longer reports them', () => tollgate.problems().length === 0);
      expect(lines).toContainEqual('All registered documents are valid on the schema in force again');
    } finally {
      await tollgate.close();
    }
  });

  it('include operations whose root type the schema lacks', async () => {
    const { db } = database;
    await pusherOf(db)({ app: 'admin', version: '1', documents: [documentOfText('mutation Save { save }')] });
    expect(await findBrokenDocuments({ db, schema: BEFORE, app: 'admin' })).toMatchObject({
      documents: [{ error: 'The schema has no root type for mutation operations.' }],
    });
  });

  it('are not those of another service: an app without a valid document is omitted if services share the database', async () => {
    const { db } = database;
    for (const [service, schema] of [
      ['shop', AFTER],
      ['blog', BEFORE],
    ] as const)
      await publishSchema(db, publishedSchemaOf(service, schema));
    expect((await findBrokenDocuments({ db, schema: AFTER })).documents.map(({ app }) => app)).toEqual(['web']);
  });
});
