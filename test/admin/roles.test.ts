import {
  buildSchema,
  type ExecutionResult,
  type GraphQLField,
  type GraphQLSchema,
  graphql,
  parse,
  subscribe,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminContext } from '../../src/admin/context/admin-context.js';
import { guardOperations, mayDo, requiredRoleOf } from '../../src/admin/context/check-role.js';
import { createAdminSchema } from '../../src/admin/create-admin-schema.js';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { ADMIN_ROLES } from '../../src/rules/store/create-admin-token-store.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store/rules-store.js';
import { openEmbeddedDatabase, type TestDatabase } from '../postgres/databases.js';
import { selectionOf } from './operation-of.js';
import { UNUSED_SOURCES } from './unused-sources.js';

const printable = createAdminSchema(UNUSED_SOURCES);
const FIELDS = [
  ...Object.values(printable.getQueryType()!.getFields()).map((field) => ({ field, type: 'query' })),
  ...Object.values(printable.getMutationType()!.getFields()).map((field) => ({ field, type: 'mutation' })),
  ...Object.values(printable.getSubscriptionType()!.getFields()).map((field) => ({ field, type: 'subscription' })),
];

/** Returns an operation that selects the field with only its required arguments. */
function operationOf(field: GraphQLField<unknown, unknown>, type: string): string {
  return `${type} { ${selectionOf(field)} }`;
}

const OPERATORS = [
  'apiKeyCreate',
  'apiKeyRevoke',
  'apiKeyRotate',
  'apiKeyUpdate',
  'demoTrafficSet',
  'documentVersionPublish',
  'documentVersionPush',
  'documentVersionRetire',
  'openStreamsEnd',
  'ruleSetMode',
  'schemaRefresh',
  'subjectAssignTier',
  'subjectAssignTiers',
  'subjectCreate',
  'subjectDelete',
  'subjectDisable',
  'subjectResetQuota',
  'subjectSetBillingAnchor',
  'subjectSetOverride',
];
const ADMINS = [
  'adminTokenCreate',
  'adminTokenRevoke',
  'adminTokenRotate',
  'adminTokens',
  'consoleSessionEnd',
  'consoleSessions',
  'policySync',
  'ruleCreate',
  'ruleRestore',
  'ruleRetire',
  'ruleUpdate',
  'settings',
  'tierCreate',
  'tierRetire',
  'tierUpdate',
];

describe('the roles of administrators', () => {
  let opened: TestDatabase;
  let db: Db;
  let store: RulesStore;
  let schema: GraphQLSchema;
  beforeAll(async () => {
    opened = await openEmbeddedDatabase();
    db = opened.db;
    await migrate(db);
    store = createRulesStore(db);
    schema = createAdminSchema({ ...UNUSED_SOURCES, store, quotaOf: async () => [] });
  });
  afterAll(() => opened.dispose());

  it('every operation of the admin schema requires the listed role, and no mutation is open to viewers', () => {
    const namesOf = (role: string | undefined) =>
      FIELDS.filter(({ field }) => requiredRoleOf(field) === role).map(({ field }) => field.name);
    expect(namesOf(undefined)).toEqual([]);
    expect(namesOf('OPERATOR').sort()).toEqual(OPERATORS);
    expect(namesOf('ADMIN').sort()).toEqual(ADMINS);
    const open = FIELDS.filter(({ type, field }) => type === 'mutation' && mayDo('VIEWER', requiredRoleOf(field)));
    expect(open).toEqual([]);
  });

  it('an operation without a required role is forbidden to every role', async () => {
    const another = buildSchema('type Query { somethingNew: String } type Subscription { somethingElse: String }');
    const ran: string[] = [];
    another.getQueryType()!.getFields()['somethingNew']!.resolve = () => ran.push('somethingNew');
    another.getSubscriptionType()!.getFields()['somethingElse']!.subscribe = async function* () {
      ran.push('somethingElse');
      yield {};
    };
    guardOperations(another, { store, around: (run) => run() });
    for (const role of ADMIN_ROLES) {
      const caller = { actor: { name: 'ann', authMethod: 'ADMIN_TOKEN' as const }, role };
      const contextValue = createAdminContext(caller, { store, usage: UNUSED_SOURCES.usage });
      const { errors } = await graphql({ schema: another, source: '{ somethingNew }', contextValue });
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
      const watched = await subscribe({
        schema: another,
        document: parse('subscription { somethingElse }'),
        contextValue,
      });
      expect(watched).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    }
    expect(ran).toEqual([]);
  });

  const cases = FIELDS.flatMap(({ field, type }) =>
    ADMIN_ROLES.map((role) => ({ role, name: field.name, field, type })),
  );

  it.each(cases)('the required role decides whether $role may use $name', async ({ role, name, field, type }) => {
    const before = await store.latestChange();
    const source = operationOf(field, type);
    const caller = { actor: { name: `a ${role}`, authMethod: 'ADMIN_TOKEN' as const }, role };
    const contextValue = createAdminContext(caller, { store, usage: UNUSED_SOURCES.usage });
    const { data, errors } =
      type === 'subscription'
        ? ((await subscribe({ schema, document: parse(source), contextValue })) as ExecutionResult)
        : await graphql({ schema, source, contextValue });
    const denials = await db.query(
      `select actor, entity_key, comment from changes where number > $1 and action = 'DENIED'`,
      [before],
    );
    if (mayDo(role, requiredRoleOf(field))) {
      expect(errors?.map(({ extensions }) => extensions['code']) ?? []).not.toContain('FORBIDDEN');
      expect(denials).toEqual([]);
      return;
    }
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', http: { status: 403 } }, path: [name] }]);
    expect(data?.[name] ?? null).toBeNull();
    const comment = `role ${role}, needs ${requiredRoleOf(field)}`;
    expect(denials).toEqual([{ actor: `a ${role}`, entity_key: name, comment }]);
    // The only new change is the record of the denial.
    expect(await store.latestChange()).toBe(before + 1);
  });

  it('a denied request is recorded once, and each operation once an hour for each actor', async () => {
    const before = await store.latestChange();
    const caller = { actor: { name: 'curious', authMethod: 'ADMIN_TOKEN' as const }, role: 'VIEWER' as const };
    const ask = async (source: string, who = caller) => {
      const contextValue = createAdminContext(who, { store, usage: UNUSED_SOURCES.usage });
      const { errors } = await graphql({ schema, source, contextValue });
      return errors?.map(({ extensions }) => extensions['code']);
    };
    const aliases = Array.from({ length: 50 }, (_, index) => `a${index}: settings { name }`).join(' ');
    expect(await ask(`{ ${aliases} }`)).toEqual(['FORBIDDEN']);
    const both =
      'query { viewer { name } settings { name } ...Rest } fragment Rest on Query { s: adminTokens { totalCount } }';
    for (let round = 0; round < 3; round += 1) await ask(both);
    const revoke = (name: string) => `${name}: adminTokenRevoke(input: { name: "ann" }) { warnings }`;
    await ask(`mutation { tierRetire(input: { name: "free" }) { warnings } ${revoke('b')} ${revoke('c')} }`);
    await ask(`mutation { ${revoke('d')} }`);
    await ask('{ settings { name } }', { ...caller, actor: { ...caller.actor, name: 'another' } });

    const denials = await db.query('select actor, entity_key as key, comment from changes where number > $1', [before]);
    expect(denials).toEqual([
      { actor: 'curious', key: 'settings', comment: 'role VIEWER, needs ADMIN' },
      { actor: 'curious', key: 'adminTokens', comment: 'role VIEWER, needs ADMIN; also denied: settings' },
      { actor: 'curious', key: 'tierRetire', comment: 'role VIEWER, needs ADMIN; also denied: adminTokenRevoke' },
      { actor: 'curious', key: 'adminTokenRevoke', comment: 'role VIEWER, needs ADMIN' },
      { actor: 'another', key: 'settings', comment: 'role VIEWER, needs ADMIN' },
    ]);
  });

  it('only admins see the changes of administrators’ tokens and sessions, on every path', async () => {
    const boss = { actor: { name: 'boss', authMethod: 'ADMIN_TOKEN' as const }, role: 'ADMIN' as const };
    const ask = async (role: (typeof ADMIN_ROLES)[number], source: string, variableValues = {}) => {
      const contextValue = createAdminContext({ ...boss, role }, { store, usage: UNUSED_SOURCES.usage });
      const { data, errors } = await graphql({ schema, source, contextValue, variableValues });
      expect(errors).toBeUndefined();
      return JSON.parse(JSON.stringify(data));
    };
    await ask('ADMIN', 'mutation { adminTokenCreate(input: { name: "of-boss", role: OPERATOR }) { secret } }');
    const shown = 'id entity before after differences { path } node { id }';
    const list = `{ changes(first: 1, filter: { entity: ADMIN_TOKEN }) { nodes { ${shown} } } }`;
    const [whole] = (await ask('ADMIN', list)).changes.nodes;
    expect(whole).toMatchObject({ before: null, after: { name: 'of-boss', role: 'OPERATOR' } });
    expect(whole.differences.length).toBeGreaterThan(0);
    const hidden = { ...whole, before: null, after: null, differences: null, node: null };
    for (const role of ['VIEWER', 'OPERATOR'] as const) {
      expect((await ask(role, list)).changes.nodes).toEqual([hidden]);
      const byId = `query ($id: ID!) { node(id: $id) { ... on Change { ${shown} } } }`;
      expect((await ask(role, byId, { id: whole.id })).node).toEqual(hidden);
    }
    // Viewers see all other changes completely.
    await ask('OPERATOR', 'mutation { subjectCreate(input: { user: "seen" }) { userErrors { code } } }');
    const other = `{ changes(first: 1, filter: { entity: SUBJECT, name: "seen" }) { nodes { ${shown} } } }`;
    expect((await ask('VIEWER', other)).changes.nodes).toEqual((await ask('ADMIN', other)).changes.nodes);
    expect((await ask('VIEWER', other)).changes.nodes).toMatchObject([{ after: { user: 'seen' } }]);
  });
});
