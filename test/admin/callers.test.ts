import { buildSchema, type GraphQLObjectType } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdminAuthenticator } from '../../src/admin/context/create-admin-authenticator.js';
import type { Db } from '../../src/postgres/db.js';
import {
  AdminTokenCreateDocument,
  AdminTokenRevokeDocument,
  AdminTokenRotateDocument,
  ApiKeyCreateDocument,
  ApiKeyRevokeDocument,
  ApiKeyRotateDocument,
  ApiKeyUpdateDocument,
  AssignTierDocument,
  AssignTiersDocument,
  ChangesDocument,
  CreateSubjectDocument,
  DeleteSubjectDocument,
  FieldsWithRulesDocument,
  RuleCreateDocument,
  RuleRetireDocument,
  RuleSetModeDocument,
  RuleUpdateDocument,
  SchemaFieldsDocument,
  type SchemaFieldsQuery,
  SchemaSdlDocument,
  TotalsDocument,
} from '../generated/graphql.js';
import { migrateAfresh, openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { type AdminWorld, ANN, createAdminWorld } from './admin-world.js';

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
  const bucket = { capacity: 100, refillAmount: 1, refillPeriodMs: 1000 };
  await world.store.ensureTiers(
    [
      { name: 'free', isDefault: true, ...bucket },
      { name: 'pro', ...bucket },
    ],
    ANN,
  );
});

const lastChanges = async (first: number) => (await run(ChangesDocument, { first })).data!.changes.nodes;

describe('users and tenants over the admin API', () => {
  it('a mistyped assignment stores a user with a warning, and the user can be removed again', async () => {
    const wrong = { user: '24', tier: 'pro' };
    const { data } = await run(AssignTierDocument, { input: wrong });
    const { subject, warnings } = data!.subjectAssignTier!;
    expect(warnings).toEqual([expect.stringMatching(/was not stored before.*subjectDelete/)]);
    const tried = await run(DeleteSubjectDocument, { input: { user: '24', dryRun: true } }, 'OPERATOR');
    expect(tried.data!.subjectDelete).toMatchObject({ deletedId: subject!.id, userErrors: [] });
    expect(await world.store.getSubject({ user: '24' })).not.toBeNull();
    const removed = await run(DeleteSubjectDocument, { input: { user: '24', expectedVersion: 1 } }, 'OPERATOR');
    expect(removed.data!.subjectDelete).toMatchObject({ deletedId: subject!.id, subject: null, userErrors: [] });
    expect(await world.store.getSubject({ user: '24' })).toBeNull();
    expect((await world.store.resolveSubject({ user: '24' })).subject.tier).toBeUndefined();
    expect(await lastChanges(1)).toMatchObject([
      { entity: 'SUBJECT', action: 'DELETE', actor: 'ann', before: { user: '24', tier: 'pro' }, after: null },
    ]);
  });

  it('a subject is not removed while it has a valid key, at another version, or a second time', async () => {
    await run(CreateSubjectDocument, { input: { tenant: 'acme' } });
    const key = (await run(ApiKeyCreateDocument, { input: { tenant: 'acme' } })).data!.apiKeyCreate!;
    const removal = async (more: object = {}) =>
      (await run(DeleteSubjectDocument, { input: { tenant: 'acme', ...more } })).data!.subjectDelete!;
    expect(await removal()).toMatchObject({
      deletedId: null,
      subject: { version: 1 },
      userErrors: [{ code: 'IN_USE', message: 'this user or tenant has one valid API key: revoke the key first' }],
    });
    await run(ApiKeyRevokeDocument, { input: { id: key.apiKey!.id } });
    expect((await removal({ expectedVersion: 7 })).userErrors).toMatchObject([{ code: 'STALE_VERSION' }]);
    expect((await removal()).userErrors).toEqual([]);
    expect((await removal()).userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect((await run(DeleteSubjectDocument, { input: {} })).data!.subjectDelete!.userErrors).toHaveLength(1);
    // The change history of the key survives the removal of its tenant.
    expect((await run(ChangesDocument, { filter: { key: key.apiKey!.prefix } })).data!.changes.nodes).toHaveLength(2);
  });

  it('the removal of a disabled tenant enables its users, with a warning', async () => {
    await world.store.disableSubject({ tenant: 'acme' }, ANN);
    await world.store.upsertSubject({ tenant: 'acme', tier: 'pro' }, ANN);
    const { data } = await run(DeleteSubjectDocument, { input: { tenant: 'acme' } });
    expect(data!.subjectDelete!.warnings).toEqual([
      expect.stringContaining('was disabled'),
      expect.stringContaining('default tier'),
    ]);
    expect(await world.store.resolveSubject({ tenant: 'acme', user: '1' })).toMatchObject({ disabled: false });
  });

  it('a subject is created once with its own tier and bucket, also if the request is repeated', async () => {
    const expiresAt = '2999-01-01T00:00:00.000Z';
    const bucket = { capacity: 7, refillAmount: 1, refillPeriodMs: 1000 };
    const input = { user: '42', tenant: 'acme', tier: 'pro', bucket, expiresAt, idempotencyKey: 'once' };
    const create = async (more: object) =>
      (await run(CreateSubjectDocument, { input: { ...input, ...more } }, 'OPERATOR')).data!.subjectCreate!;
    expect((await create({ dryRun: true })).subject).toMatchObject({ version: 1, tier: { name: 'pro' } });
    expect(await world.store.getSubject(input)).toBeNull();
    const made = await create({});
    expect(made).toMatchObject({
      subject: { caller: { name: '42', tenant: 'acme' }, override: { capacity: 7, expiresAt } },
      userErrors: [],
    });
    expect((await create({})).subject!.id).toBe(made.subject!.id);
    expect((await create({ tier: 'free' })).userErrors).toMatchObject([{ code: 'KEY_REUSED' }]);
    expect(await create({ idempotencyKey: null })).toMatchObject({
      subject: { id: made.subject!.id },
      userErrors: [{ code: 'ALREADY_EXISTS' }],
    });
  });

  it.each([
    [{}, []],
    [{ user: '' }, ['user']],
    [{ user: '1', tier: 'gold' }, ['tier']],
    [{ user: '1', expiresAt: '2999-01-01T00:00:00.000Z' }, ['expiresAt']],
  ])('a subject is not created from the input %j', async (input, field) => {
    const { data } = await run(CreateSubjectDocument, { input });
    const { subject, userErrors } = data!.subjectCreate!;
    expect(subject).toBeNull();
    expect(userErrors[0]).toMatchObject({ field });
  });
});

describe('references by name instead of id', () => {
  const limits = [{ fixedWindow: { amount: 5, windowMs: 1000 } }];

  it('every change of a rule accepts its name instead of its id', async () => {
    await run(RuleCreateDocument, { input: { name: 'search', scope: 'USER', field: '*', limits } });
    const mode = await run(RuleSetModeDocument, { input: { name: 'search', mode: 'SHADOW' } }, 'OPERATOR');
    expect(mode.data!.ruleSetMode).toMatchObject({ rule: { mode: 'SHADOW', version: 2 }, userErrors: [] });
    const update = async (input: object) =>
      (await run(RuleUpdateDocument, { input: { priority: 5, ...input } })).data!.ruleUpdate!;
    const renamed = await update({ name: 'search', newName: 'find' });
    expect(renamed).toMatchObject({ rule: { name: 'find', priority: 5 }, userErrors: [] });
    expect((await update({ name: 'search' })).userErrors).toMatchObject([{ code: 'NOT_FOUND', field: ['name'] }]);
    const bad = await update({ name: 'find', newName: 'tier:x' });
    expect(bad.userErrors).toMatchObject([{ code: 'INVALID', field: ['newName'] }]);
    // A `name` together with an `id` is rejected: it is a second reference, and earlier versions
    // used it for the new name.
    expect((await update({ id: renamed.rule!.id, name: 'search' })).userErrors).toMatchObject([
      { code: 'INVALID', message: expect.stringContaining('newName') },
    ]);
    expect((await update({})).userErrors).toMatchObject([{ code: 'INVALID', field: [] }]);
    const retired = await run(RuleRetireDocument, { input: { name: 'find' } });
    expect(retired.data!.ruleRetire).toMatchObject({ rule: { retiredAt: expect.any(String) }, userErrors: [] });
  });

  it('enforcing a shadow rule warns about the counter that the rule continues with', async () => {
    const create = (name: string, mode: 'SHADOW' | 'ENFORCE') =>
      run(RuleCreateDocument, { input: { name, mode, scope: 'USER', field: '*', measure: 'REQUESTS', limits } });
    await create('tried', 'SHADOW');
    const enforce = async () =>
      (await run(RuleSetModeDocument, { input: { name: 'tried', mode: 'ENFORCE', dryRun: true } })).data!.ruleSetMode!
        .warnings;
    expect(await enforce()).toEqual([
      expect.stringContaining('another counter, because shadow mode has its own counter'),
    ]);
    await create('general', 'ENFORCE');
    expect(await enforce()).toEqual([
      'limits[0] continues with the counter that the rule "general" uses: usage in that counter counts',
    ]);
    await run(RuleSetModeDocument, { input: { name: 'general', mode: 'SHADOW' } });
    expect(await enforce()).toEqual([expect.stringContaining('another counter')]);
  });

  it('the budget and the fields of a key can be changed and removed, and the history contains each change', async () => {
    await run(CreateSubjectDocument, { input: { user: '42' } });
    const budget = { capacity: 500, refillAmount: 5, refillPeriodMs: 1000 };
    const created = await run(ApiKeyCreateDocument, {
      input: { user: '42', kind: 'AGENT', budget, fields: ['Query.a'] },
    });
    const { id, prefix } = created.data!.apiKeyCreate!.apiKey!;
    const update = async (input: object) =>
      (await run(ApiKeyUpdateDocument, { input: { id, ...input } })).data!.apiKeyUpdate!;
    const wider = { ...budget, capacity: 900 };
    expect(await update({ budget: wider, expectedVersion: 1 })).toMatchObject({
      apiKey: { version: 2, kind: 'AGENT', budget: wider, fields: ['Query.a'] },
      differences: [{ path: 'budget.capacity', before: 500, after: 900 }],
      secret: null,
      userErrors: [],
    });
    expect((await update({ name: 'stale', expectedVersion: 1 })).userErrors).toMatchObject([
      { code: 'STALE_VERSION', message: 'the API key was changed by another request: expected version 1, it is at 2' },
    ]);
    expect(await update({ dryRun: true, fields: null })).toMatchObject({ apiKey: { fields: null, version: 3 } });
    expect(await update({ budget: null, fields: null })).toMatchObject({
      apiKey: { budget: null, fields: null, version: 3 },
    });
    expect((await lastChanges(2)).map(({ action }) => action)).toEqual(['UPDATE', 'UPDATE']);
    await run(ApiKeyRevokeDocument, { input: { id } });
    expect((await update({ name: 'late' })).userErrors).toMatchObject([
      { code: 'INVALID', message: `${prefix} is revoked: create a new key instead` },
    ]);
  });

  it('a key has a bucket or a calendar budget, and a change to another counter warns', async () => {
    await run(CreateSubjectDocument, { input: { user: '42' } });
    const calendar = { amount: 5000, every: 'MONTH' as const, timeZone: 'Europe/Berlin', hardCap: 6000 };
    const created = await run(ApiKeyCreateDocument, { input: { user: '42', budget: { calendar } } });
    const { id } = created.data!.apiKeyCreate!.apiKey!;
    const update = async (budget: object) =>
      (await run(ApiKeyUpdateDocument, { input: { id, budget } })).data!.apiKeyUpdate!;
    expect(await update({ calendar: { ...calendar, amount: 4000, hardCap: 4500 } })).toMatchObject({
      apiKey: { budget: { capacity: null, calendar: { ...calendar, amount: 4000, hardCap: 4500 } } },
      warnings: [expect.stringMatching(/the budget gets smaller/)],
      userErrors: [],
    });
    expect((await update({ calendar: { ...calendar, every: 'DAY' } })).warnings).toMatchObject([
      expect.stringMatching(/another counter/),
    ]);
    const bucket = { capacity: 500, refillAmount: 5, refillPeriodMs: 1000 };
    expect(await update(bucket)).toMatchObject({
      apiKey: { budget: { ...bucket, calendar: null } },
      warnings: [expect.stringMatching(/another counter/)],
    });
  });

  it('each wrong budget and list of fields is a user error that names the member and the expected value', async () => {
    await run(CreateSubjectDocument, { input: { user: '42' } });
    const bucket = { capacity: 5, refillAmount: 1, refillPeriodMs: 1000 };
    const wrong: [object, string, RegExp][] = [
      [
        { budget: { ...bucket, capacity: 0 } },
        'budget.capacity',
        /expected a whole number from 1 to 2147483647, got 0/,
      ],
      [{ budget: { ...bucket, refillAmount: -3 } }, 'budget.refillAmount', /expected a whole number from 1/],
      [
        { budget: { ...bucket, capacity: 2147483647, refillPeriodMs: 2 ** 40 - 1 } },
        'budget.refillPeriodMs',
        /expected at most \d+ with a capacity/,
      ],
      [
        { budget: { calendar: { amount: 5, every: 'WEEK', anchorDay: 8 } } },
        'budget.calendar.anchorDay',
        /expected a day from 1 \(Monday\) to 7 for WEEK, got 8/,
      ],
      [
        { budget: { calendar: { amount: 5, every: 'DAY', timeZone: 'Europe/Berlim' } } },
        'budget.calendar.timeZone',
        /expected an IANA time zone, .*did you mean Europe\/Berlin/,
      ],
      [
        { budget: { calendar: { amount: 5, every: 'DAY' }, capacity: 5 } },
        'budget',
        /expected either calendar, or the members of a bucket/,
      ],
      [{ fields: [] }, 'fields', /expected at least one field/],
      [{ fields: ['users'] }, 'fields.0', /expected a field such as Query.user or User.\*, got "users"/],
      [{ fields: ['Query.a', '*'] }, 'fields.1', /expected a field such as Query.user or User.\*/],
      [{ fields: ['Query.a', 'Query.a'] }, 'fields', /expected each value once/],
    ];
    for (const [members, path, message] of wrong) {
      const { data } = await run(ApiKeyCreateDocument, { input: { user: '42', ...members } });
      const { userErrors, apiKey } = data!.apiKeyCreate!;
      expect([apiKey, userErrors.map(({ field }) => field.join('.'))], JSON.stringify(members)).toEqual([null, [path]]);
      const updated = await run(ApiKeyUpdateDocument, { input: { prefix: 'tg_none', ...members } });
      expect(updated.data!.apiKeyUpdate!.userErrors).toMatchObject([{ code: 'NOT_FOUND', field: ['prefix'] }]);
      const stored = (await run(ApiKeyCreateDocument, { input: { user: '42' } })).data!.apiKeyCreate!.apiKey!;
      const edit = await run(ApiKeyUpdateDocument, { input: { id: stored.id, ...members } });
      expect(edit.data!.apiKeyUpdate!.userErrors).toMatchObject([{ message: expect.stringMatching(message) }]);
    }
  });

  it('every change of an API key accepts its prefix instead of its id', async () => {
    await run(CreateSubjectDocument, { input: { user: '42' } });
    const { apiKey } = (await run(ApiKeyCreateDocument, { input: { user: '42' } })).data!.apiKeyCreate!;
    const { prefix } = apiKey!;
    const rotated = (await run(ApiKeyRotateDocument, { input: { prefix } })).data!.apiKeyRotate!;
    expect(rotated).toMatchObject({ secret: expect.any(String), userErrors: [] });
    const revoke = async (input: object) => (await run(ApiKeyRevokeDocument, { input })).data!.apiKeyRevoke!;
    expect(await revoke({ prefix: rotated.apiKey!.prefix })).toMatchObject({
      apiKey: { revokedAt: expect.any(String) },
    });
    expect((await revoke({ prefix: 'tg_nobody' })).userErrors).toMatchObject([
      { code: 'NOT_FOUND', field: ['prefix'] },
    ]);
    expect((await revoke({ prefix, id: apiKey!.id })).userErrors).toMatchObject([{ code: 'INVALID' }]);
    expect((await revoke({})).userErrors).toMatchObject([{ code: 'INVALID' }]);
  });

  it('a date without a time is the beginning of the day in UTC, and an impossible date is rejected', async () => {
    const create = async (expiresAt: string) =>
      run(AdminTokenCreateDocument, { input: { name: 'bo', role: 'VIEWER', expiresAt } });
    const made = await create('2999-12-01');
    const [token] = await world.store.pageAdminTokens({ after: 0, limit: 1 });
    expect(made.errors).toBeUndefined();
    expect(token!.expiresAt).toEqual(new Date('2999-12-01T00:00:00Z'));
    for (const wrong of ['2999-02-30', '2999-13-01', '2999-1-1', 'tomorrow', '32503680000']) {
      expect((await create(wrong)).errors).toHaveLength(1);
    }
    expect((await run(ChangesDocument, { filter: { since: '2999-12-01' } })).data!.changes.nodes).toEqual([]);
  });
});

describe('lists of the admin API', () => {
  it('a list returns its total count only on request, with one statement', async () => {
    for (let index = 0; index < 7; index++) await world.store.upsertSubject({ user: `u${index}`, tenant: 'acme' }, ANN);
    world.statements.length = 0;
    const { data, errors } = await run(TotalsDocument, { first: 2, tenant: 'acme' });
    expect(errors).toBeUndefined();
    const { tiers, rules, subjects, changes, adminTokens, denials, schemaFields } = data!;
    expect(subjects).toMatchObject({ totalCount: 7, nodes: [{ history: { totalCount: null } }, {}] });
    expect([tiers, rules, changes, adminTokens, denials].map(({ totalCount }) => totalCount)).toEqual([2, 0, 9, 0, 0]);
    expect(schemaFields.totalCount).toBeGreaterThan(10);
    // Two statements for each of six lists, for the page and the count, and one for the histories
    // of the subjects.
    expect(world.statements).toHaveLength(2 * 6 + 1);
  });

  it('every field in `schemaFields` is part of the schema in `schemaSdl`', async () => {
    const described = buildSchema((await run(SchemaSdlDocument, {}, 'VIEWER')).data!.schemaSdl);
    const { data } = await run(SchemaFieldsDocument, { first: 100 });
    for (const { coordinate } of data!.schemaFields.nodes) {
      const [type, field] = coordinate.split('.');
      expect(described.getType(type!)).toMatchObject({ name: type });
      expect((described.getType(type!) as GraphQLObjectType).getFields()).toHaveProperty(field!);
    }
  });

  it('`schemaFields` lists the cost of each field and the source of its list size, and can sort by cost', async () => {
    const costOf = ({ cost }: { cost?: number | null }) => cost ?? Number.MAX_VALUE;
    const seen: string[] = [];
    let after: string | null = null;
    for (let more = true; more; ) {
      const page: SchemaFieldsQuery = (await run(SchemaFieldsDocument, { first: 7, ...(after && { after }) })).data!;
      seen.push(...page.schemaFields.nodes.map(({ coordinate }) => coordinate));
      ({ hasNextPage: more, endCursor: after = null } = page.schemaFields.pageInfo);
    }
    expect(seen).toEqual([...new Set(seen)].sort());
    expect(seen.some((coordinate) => coordinate.startsWith('__'))).toBe(false);
    const { data } = await run(SchemaFieldsDocument, { first: 100, startsWith: 'Query.' }, 'VIEWER');
    const field = (name: string) => data!.schemaFields.nodes.find(({ coordinate }) => coordinate === name);
    expect(field('Query.countries')).toMatchObject({
      sizeSource: 'ARGUMENTS',
      sizeArguments: ['first'],
      isSizeInferred: false,
    });
    expect(data!.schemaFields.nodes.every(({ coordinate }) => coordinate.startsWith('Query.'))).toBe(true);
    const all = (await run(SchemaFieldsDocument, { first: 100 })).data!.schemaFields.nodes.map(costOf);
    const byCost: number[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const variables = { first: 7, orderBy: 'COST' as const, ...(after && { after }) };
      const page: SchemaFieldsQuery = (await run(SchemaFieldsDocument, variables)).data!;
      byCost.push(...page.schemaFields.nodes.map(costOf));
      ({ hasNextPage: more, endCursor: after = null } = page.schemaFields.pageInfo);
    }
    expect(byCost).toEqual(all.sort((a, b) => b - a));
    const borders = (await run(SchemaFieldsDocument, { first: 1, startsWith: 'Country.borders' })).data!.schemaFields;
    expect(borders.nodes).toMatchObject([
      { sizeSource: 'ASSUMED_SIZE', assumedSize: 16, sizeArguments: [], callCost: 0, itemCost: 1, cost: 16 },
    ]);
  });

  it('`schemaFields` lists the rules of each field, in one statement for all', async () => {
    const limits = [{ algorithm: 'FIXED_WINDOW' as const, amount: 5, windowMs: 1000 }];
    const rules = { all: '*', type: 'Query.*', name: '*.name', one: 'Query.countries', other: 'Country.borders' };
    for (const [name, field] of Object.entries(rules)) {
      expect((await world.store.createRule({ name, scope: 'USER', field, limits }, ANN)).ok).toBe(true);
    }
    const gone = await world.store.createRule({ name: 'gone', scope: 'IP', field: 'Query.countries', limits }, ANN);
    await world.store.retireRule({ id: gone.ok ? gone.value.id : '' }, ANN);
    const rulesOf = async (startsWith: string, first = 100) => {
      world.statements.length = 0;
      const { data } = await run(FieldsWithRulesDocument, { first, startsWith }, 'VIEWER');
      expect(world.statements).toHaveLength(1);
      return new Map(data!.schemaFields.nodes.map((one) => [one.coordinate, one.rules.map(({ name }) => name)]));
    };
    expect((await rulesOf('Query.countries')).get('Query.countries')).toEqual(['type', 'one']);
    const all = await rulesOf('');
    expect([all.get('Country.name'), all.get('Country.borders')]).toEqual([['name'], ['other']]);
  });
});

describe('the record of changes', () => {
  it('changes are found by the current or a former name of an object, also after its removal', async () => {
    const limits = [{ algorithm: 'FIXED_WINDOW' as const, amount: 5, windowMs: 1000 }];
    const made = await world.store.createRule({ name: 'old', scope: 'USER', field: '*', limits }, ANN);
    const id = made.ok ? made.value.id : '';
    await world.store.updateRule({ id, name: 'search' }, ANN);
    await world.store.upsertSubject({ user: '24', tenant: 'acme', tier: 'pro' }, ANN);
    await world.store.deleteSubject({ user: '24', tenant: 'acme' }, ANN);
    await run(AdminTokenCreateDocument, { input: { name: 'bo', role: 'VIEWER' } });
    const found = async (name: string, role: 'ADMIN' | 'VIEWER' = 'VIEWER') => {
      const { nodes } = (await run(ChangesDocument, { filter: { name } }, role)).data!.changes;
      return nodes.map(({ action, node }) => [action, node?.__typename ?? null]);
    };
    expect(await found('search')).toEqual([
      ['UPDATE', 'Rule'],
      ['CREATE', 'Rule'],
    ]);
    expect(await found('old')).toEqual([['CREATE', 'Rule']]);
    for (const name of ['24', 'acme']) {
      expect(await found(name)).toEqual([
        ['DELETE', null],
        ['CREATE', null],
      ]);
    }
    expect(await found('pro')).toEqual([['CREATE', 'Tier']]);
    expect(await found('bo', 'ADMIN')).toEqual([['CREATE', 'AdminToken']]);
    // Only admins may see the tokens of administrators.
    expect(await found('bo')).toEqual([['CREATE', null]]);
    await run(AdminTokenCreateDocument, { input: { name: 'no', role: 'VIEWER' } }, 'VIEWER');
    expect(await found('adminTokenCreate')).toEqual([['DENIED', null]]);
  });

  it('the objects of changes are read in a number of statements that is independent of the number of changes', async () => {
    const count = async (first: number) => {
      world.statements.length = 0;
      await run(ChangesDocument, { first });
      return world.statements.length;
    };
    for (let index = 0; index < 20; index++) await world.store.upsertSubject({ user: `u${index}` }, ANN);
    expect(await count(20)).toBe(await count(1));
  });
});

describe('assignment of tiers in bulk', () => {
  const assign = async (assignments: object[], more: object = {}) =>
    (await run(AssignTiersDocument, { input: { assignments, ...more } } as never, 'OPERATOR')).data!
      .subjectAssignTiers!;
  const hundred = Array.from({ length: 100 }, (_, index) => ({ user: `user ${index}`, tier: 'pro' }));

  it('a hundred assignments of tiers take as many statements as one, and each is recorded', async () => {
    await world.store.upsertSubject({ user: 'user 3', tier: 'pro' }, ANN);
    await world.store.upsertSubject({ user: 'user 4', tier: 'free' }, ANN);
    world.statements.length = 0;
    const one = await assign([{ tenant: 'acme', tier: 'pro' }]);
    const statements = world.statements.length;
    expect(one).toMatchObject({ assigned: 1, created: 1, unchanged: 0, userErrors: [] });
    world.statements.length = 0;
    const many = await assign(hundred, { comment: 'moved' });
    expect(world.statements).toHaveLength(statements);
    expect(many).toMatchObject({ assigned: 99, created: 98, unchanged: 1, userErrors: [] });
    expect(many.differences).toContainEqual({ path: 'assignments[4].tier', before: 'free', after: 'pro' });
    const changes = await lastChanges(99);
    expect(new Set(changes.map(({ action }) => action))).toEqual(new Set(['CREATE', 'UPDATE']));
    expect(changes.map(({ after }) => (after as { user: string }).user).sort()).toEqual(
      hundred.flatMap(({ user }) => (user === 'user 3' ? [] : [user])).sort(),
    );
    expect(await world.store.getSubject({ user: 'user 4' })).toMatchObject({ tier: 'pro', version: 2 });
    // Assignments without a tier remove the tiers of these users. A listener receives only the
    // latest change, and reads all changes from the record.
    const before = await world.store.latestChange();
    const notified: number[] = [];
    world.store.onChange(({ number }) => void notified.push(number));
    expect(await assign(hundred.map(({ user }) => ({ user })))).toMatchObject({ assigned: 100, created: 0 });
    const made = await world.store.changesSince(before);
    expect(new Set(made.map(({ key }) => key)).size).toBe(100);
    expect(notified).toEqual([made.at(-1)!.number]);
    expect((await world.store.getSubject({ user: 'user 3' }))!.tier).toBeNull();
  });

  it('one mistake prevents all assignments, and every mistake is reported with its path', async () => {
    await world.store.upsertSubject({ user: 'user 0', tier: 'free' }, ANN);
    const { assigned, userErrors } = await assign([
      { user: 'user 0', tier: 'pro' },
      { user: 'user 1', tier: 'gold' },
      { user: 'user 0', tenant: 'acme', tier: 'pro', expectedVersion: 3 },
    ]);
    expect(assigned).toBeNull();
    expect(userErrors.map(({ code, field }) => [code, field.join('.')])).toEqual([
      ['INVALID', 'assignments.1.tier'],
      ['STALE_VERSION', 'assignments.2.expectedVersion'],
    ]);
    const twice = await assign([{ user: 'a', tier: 'pro' }, { tier: 'pro' }, { user: 'a', tier: 'free' }]);
    expect(twice.userErrors.map(({ field }) => field.join('.'))).toEqual(['assignments.1', 'assignments.2']);
    expect(await world.store.getSubject({ user: 'user 0' })).toMatchObject({ tier: 'free', version: 1 });
  });

  it('a dry run of a bulk assignment writes nothing, and the number of assignments is limited', async () => {
    const tried = await assign(hundred, { dryRun: true });
    expect(tried).toMatchObject({ assigned: 100, created: 100 });
    expect(tried.warnings).toEqual([expect.stringContaining('100 users or tenants were not stored')]);
    expect(await world.store.getSubject({ user: 'user 0' })).toBeNull();
    const tooMany = Array.from({ length: 501 }, (_, index) => ({ user: String(index), tier: 'pro' }));
    for (const wrong of [[], tooMany]) {
      expect((await assign(wrong)).userErrors).toMatchObject([{ code: 'INVALID', field: ['assignments'] }]);
    }
  });
});

describe('the tokens of administrators', () => {
  const token = async (input: object) =>
    (await run(AdminTokenCreateDocument, { input: { name: 'bo', role: 'OPERATOR', ...input } })).data!
      .adminTokenCreate!;
  const rotate = async (input: object) => (await run(AdminTokenRotateDocument, { input })).data!.adminTokenRotate!;
  const isGood = async (secret: string | null | undefined) => {
    const authenticate = createAdminAuthenticator({ store: world.store });
    return authenticate(`Bearer ${secret}`).then(
      ({ actor, role }) => `${actor.name} ${role}`,
      () => null,
    );
  };

  it('an administrator’s token is rotated immediately or with an overlap, and keeps its name', async () => {
    const first = await token({});
    const second = await rotate({ id: first.adminToken!.id });
    expect(second).toMatchObject({ adminToken: { name: 'bo', role: 'OPERATOR', replacedAt: null }, userErrors: [] });
    expect(await isGood(first.secret)).toBeNull();
    expect(await isGood(second.secret)).toBe('bo OPERATOR');
    const tried = await rotate({ name: 'BO', overlapMs: 60_000, dryRun: true });
    expect(tried).toMatchObject({ secret: null, warnings: [expect.stringContaining('60000 ms')] });
    const third = await rotate({ name: 'BO', overlapMs: 60_000 });
    expect(await isGood(second.secret)).toBe('bo OPERATOR');
    expect(await isGood(third.secret)).toBe('bo OPERATOR');
    await db.query('update admin_tokens set expires_at = now() where replaced_at is not null');
    expect(await isGood(second.secret)).toBeNull();
    expect(await isGood(third.secret)).toBe('bo OPERATOR');
    const recorded = await lastChanges(4);
    expect(recorded.map(({ action }) => action)).toEqual(['ROTATE', 'CREATE', 'ROTATE', 'CREATE']);
    expect(JSON.stringify(recorded)).not.toContain(third.secret);
  });

  it('an administrator’s token is rotated only once, not after its revocation, and not with an expiry in the past', async () => {
    const first = await token({});
    const second = await rotate({ id: first.adminToken!.id, overlapMs: 60_000 });
    expect((await rotate({ id: first.adminToken!.id })).userErrors).toMatchObject([{ code: 'INVALID', field: ['id'] }]);
    expect((await rotate({ name: 'bo', expiresAt: '2020-01-01T00:00:00.000Z' })).userErrors).toMatchObject([
      { field: ['expiresAt'] },
    ]);
    expect((await rotate({ name: 'bo', overlapMs: 91 * 86_400_000 })).userErrors).toMatchObject([
      { field: ['overlapMs'] },
    ]);
    expect((await rotate({ name: 'nobody' })).userErrors).toMatchObject([{ code: 'NOT_FOUND', field: ['name'] }]);
    expect((await rotate({})).userErrors).toHaveLength(1);
    expect((await rotate({ id: second.adminToken!.id, name: 'bo' })).userErrors).toHaveLength(1);
    const revoked = await run(AdminTokenRevokeDocument, { input: { name: 'bo' } });
    expect(revoked.data!.adminTokenRevoke!.userErrors).toEqual([]);
    // Revocation by name ends both tokens, including the replaced token in its overlap.
    expect(await isGood(first.secret)).toBeNull();
    expect(await isGood(second.secret)).toBeNull();
    expect((await rotate({ id: second.adminToken!.id })).userErrors).toMatchObject([{ code: 'INVALID' }]);
    expect((await token({})).userErrors).toEqual([]);
  });
});
