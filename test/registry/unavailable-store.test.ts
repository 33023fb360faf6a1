import { ApolloServer } from '@apollo/server';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentOfText } from '../../src/registry/read-manifest.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';
import { pusherOf } from './pusher-of.js';

const schema = buildSchema('type Query { name: String }');
const DOCUMENTS = [1, 2].map((number) => documentOfText(`query Name${number} { name }`));
const USER = { user: 'ann' };

let database: Awaited<ReturnType<typeof openServerDatabase>>;
beforeAll(async () => {
  database = await openServerDatabase();
  await pusherOf(database.db)({ app: 'web', version: '1', documents: DOCUMENTS });
});
afterAll(() => database.dispose());

it('a request whose registered document cannot be read costs nothing, and runs once PostgreSQL responds again', async () => {
  let isDown = false;
  const query: typeof database.db.query = (text, ...values) =>
    isDown && text.includes('document_texts')
      ? Promise.reject(new Error('the connection was closed'))
      : database.db.query(text, ...values);
  const tollgate = await createTollgate({
    schema,
    postgres: { ...database.db, query, lookups: { ...database.db, query } },
    identify: () => USER,
    tiers: [{ name: 'all', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    logger: { info() {}, warn() {}, error() {} },
  });
  const apollo = new ApolloServer({ schema, plugins: [tollgate.plugin()], documentStore: tollgate.documentStore });
  await apollo.start();
  const left = async () => (await tollgate.quota(USER))[0]!.remaining;
  const [first, second] = DOCUMENTS.map(({ id }) => ({
    extensions: { persistedQuery: { version: 1, sha256Hash: id.slice('sha256:'.length) } },
  })) as [object, object];
  try {
    await until('the documents are known', () => tollgate.analyzer.plans.built === 2);
    isDown = true;
    const answered = await tollgate.protect(first);
    expect(answered).toMatchObject({
      admitted: false,
      answer: { status: 503, body: { errors: [{ extensions: { code: 'DOCUMENT_STORE_UNAVAILABLE' } }] } },
    });
    const { body } = await apollo.executeOperation(second);
    expect(body).toMatchObject({
      singleResult: { errors: [{ extensions: { code: 'DOCUMENT_STORE_UNAVAILABLE' } }] },
    });
    expect(await left()).toBe(100);
    isDown = false;
    expect(await tollgate.protect(first)).toMatchObject({ admitted: true });
    expect((await apollo.executeOperation(second)).body).toMatchObject({ singleResult: { data: { name: null } } });
    expect(await left()).toBe(98);
  } finally {
    await apollo.stop();
    await tollgate.close();
  }
});
