import { type ExecutionResult, type GraphQLField, graphql, parse, subscribe } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminContext, createAdminSchema } from '../../src/admin/create-admin-schema.js';
import { mayDo, REQUIRED_ROLES } from '../../src/admin/roles.js';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { ADMIN_ROLES } from '../../src/rules/store/admin-tokens.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store/rules-store.js';
import { openEmbeddedDatabase, type TestDatabase } from '../store/databases.js';
import { selectionOf } from './operation-of.js';
import { UNUSED_SOURCES } from './unused-sources.js';

const printable = createAdminSchema(UNUSED_SOURCES);
const FIELDS = [
  ...Object.values(printable.getQueryType()!.getFields()).map((field) => ({ field, type: 'query' })),
  ...Object.values(printable.getMutationType()!.getFields()).map((field) => ({ field, type: 'mutation' })),
  ...Object.values(printable.getSubscriptionType()!.getFields()).map((field) => ({ field, type: 'subscription' })),
];

/** An operation that asks for the field with just what it needs. */
function operationOf(field: GraphQLField<unknown, unknown>, type: string): string {
  return `${type} { ${selectionOf(field)} }`;
}

describe('roles', () => {
  let opened: TestDatabase;
  let db: Db;
  let store: RulesStore;
  beforeAll(async () => {
    opened = await openEmbeddedDatabase();
    db = opened.db;
    await migrate(db);
    store = createRulesStore(db);
  });
  afterAll(() => opened.dispose());

  it('are decided for every operation of the schema, and for nothing else', () => {
    expect([...REQUIRED_ROLES.keys()].sort()).toEqual(FIELDS.map(({ field }) => field.name).sort());
    expect(ADMIN_ROLES.map((role) => mayDo(role, 'somethingNew'))).toEqual([false, false, false]);
    // Nothing that changes something is open to those who only look.
    const open = FIELDS.filter(({ type, field }) => type === 'mutation' && mayDo('VIEWER', field.name));
    expect(open).toEqual([]);
  });

  const cases = FIELDS.flatMap(({ field, type }) =>
    ADMIN_ROLES.map((role) => ({ role, name: field.name, field, type })),
  );

  it.each(cases)('$role asks for $name', async ({ role, name, field, type }) => {
    const schema = createAdminSchema({ ...UNUSED_SOURCES, store, quotaOf: async () => [] });
    const before = await store.latestChange();
    const source = operationOf(field, type);
    const caller = { actor: { name: `a ${role}`, authMethod: 'ADMIN_TOKEN' as const }, role };
    const contextValue = createAdminContext(caller, store, UNUSED_SOURCES.usage);
    const { data, errors } =
      type === 'subscription'
        ? ((await subscribe({ schema, document: parse(source), contextValue })) as ExecutionResult)
        : await graphql({ schema, source, contextValue });
    const denials = await db.query(
      `select actor, entity_key, comment from changes where number > $1 and action = 'DENIED'`,
      [before],
    );
    if (mayDo(role, name)) {
      expect(errors?.map(({ extensions }) => extensions['code']) ?? []).not.toContain('FORBIDDEN');
      expect(denials).toEqual([]);
      return;
    }
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', http: { status: 403 } }, path: [name] }]);
    expect(data?.[name] ?? null).toBeNull();
    const comment = `role ${role}, needs ${REQUIRED_ROLES.get(name)}`;
    expect(denials).toEqual([{ actor: `a ${role}`, entity_key: name, comment }]);
    // The denial is all that was written.
    expect(await store.latestChange()).toBe(before + 1);
  });
});
