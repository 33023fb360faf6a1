import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { demoRules, demoTiers } from '../../../packages/platform/src/demo-policy.js';
import { createPgDb } from '../../../src/postgres/create-pg-db.js';
import type { Db } from '../../../src/postgres/db.js';
import { migrationStatus } from '../../../src/postgres/migrate.js';
import type { Actor } from '../../../src/rules/store/create-change-log.js';
import { createRulesStore, type RulesStore } from '../../../src/rules/store/rules-store.js';
import { StartError } from '../../../src/runtime/start-error.js';
import { rulesCommand } from '../../../src/server/commands/rules/rules-command.js';
import { countCalls } from '../../helpers/count-calls.js';
import { temporaryFile } from '../../helpers/servers.js';
import { emptyDatabase, migrateAfresh, openServerDatabase } from '../../postgres/databases.js';
import { listenTo } from '../../usage/listen-to.js';

const ANN: Actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' };
const POLICY = `
tiers:
  - { name: free, displayName: Free, capacity: 1000, refillAmount: 50, isDefault: true }
  - name: pro
    capacity: 20000
    refillAmount: 500
    maxCostPerOperation: 10000
    monthlyPrice: { amountMinor: 4900, currency: EUR }
rules:
  - name: searches
    scope: USER
    field: Query.search
    measure: CALLS
    match: { tiers: [pro, free], addresses: [] }
    limits:
      - { algorithm: SLIDING_WINDOW_COUNTER, amount: 20, windowMs: 60000 }
`;

describe('policy files', () => {
  let opened: Awaited<ReturnType<typeof openServerDatabase>>;
  let db: Db;
  let store: RulesStore;
  beforeAll(async () => {
    opened = await openServerDatabase();
    db = opened.db;
  });
  afterAll(() => opened.dispose());
  beforeEach(async () => {
    await migrateAfresh(db);
    store = createRulesStore(db);
  });

  const apply = (document: string, prune = false) => store.syncPolicy({ document, prune, apply: true }, ANN);
  const stepsOf = async (result: ReturnType<typeof apply>) => {
    const { plan, userErrors } = await result;
    return plan?.steps.map(({ action, kind, name }) => `${action} ${kind} ${name}`) ?? userErrors;
  };

  it('the work of reading a policy file grows linearly with its number of keys', async () => {
    const withKeys = (count: number) =>
      `rules:\n  - name: many\n${Array.from({ length: count }, (_, index) => `    k${index}: 1`).join('\n')}`;
    const callsOf = (count: number) =>
      countCalls(async () => {
        const { userErrors } = await store.syncPolicy({ document: withKeys(count) }, ANN);
        expect(userErrors.length).toBeGreaterThan(0);
      });
    await callsOf(500);
    const few = await callsOf(2000);
    // The second file has eight times as many keys. Comparing each key with all previous keys would
    // take 64 times as many calls.
    expect((await callsOf(16_000)) / few).toBeLessThan(10);
  });

  const manyRules = (count: number, capacity: number) =>
    JSON.stringify({
      tiers: [{ name: 'free', capacity: 1000, refillAmount: 50, isDefault: true }],
      rules: Array.from({ length: count }, (_, index) => ({
        name: `rule ${index}`,
        scope: 'USER',
        field: `Type${index}.field`,
        measure: 'CALLS',
        match: { tiers: ['free'] },
        limits: [{ algorithm: 'TOKEN_BUCKET', capacity: capacity + index, refillAmount: 1, refillPeriodMs: 1000 }],
      })),
    });

  it('hundreds of rules in a policy file are applied with a few statements, and each change is recorded', async () => {
    const statements: string[] = [];
    const counted = createRulesStore(listenTo(db, (sql) => statements.push(sql)));
    const applyCounted = (document: string, prune = false) => counted.syncPolicy({ document, prune, apply: true }, ANN);
    expect(await applyCounted(manyRules(400, 100))).toMatchObject({ applied: true });
    expect(statements.length).toBeLessThan(40);
    const created = await store.listRules();
    expect(created.map(({ name }) => name)).toEqual(Array.from({ length: 400 }, (_, index) => `rule ${index}`));
    expect(created[399]).toMatchObject({ match: { tiers: ['free'] }, limits: [{ capacity: 499 }], version: 1 });

    statements.length = 0;
    expect(await applyCounted(manyRules(300, 200), true)).toMatchObject({ applied: true });
    expect(statements.length).toBeLessThan(40);
    const edited = await store.listRules();
    expect(edited).toHaveLength(300);
    expect(edited[299]).toMatchObject({ id: created[299]!.id, limits: [{ capacity: 499 }], version: 2 });
    const { id } = created[0]!;
    const [latest, first] = await store.historyOf('RULE', [id], { before: Number.MAX_SAFE_INTEGER, limit: 10 });
    expect([first!.action, latest!.action]).toEqual(['CREATE', 'UPDATE']);
    expect(latest).toMatchObject({ before: { version: 1 }, after: { version: 2, limits: [{ capacity: 200 }] } });
    const [retired] = await store.historyOf('RULE', [created[399]!.id], { before: Number.MAX_SAFE_INTEGER, limit: 1 });
    expect(retired!.action).toBe('RETIRE');
  });

  it('a policy file is planned again if another administrator changes the policy in the meantime', async () => {
    await apply(POLICY);
    let isMeanwhile = true;
    const observed = listenTo(db, () => {});
    const late = createRulesStore({
      ...observed,
      async tx(run, options) {
        const result = await observed.tx(run, options);
        if (isMeanwhile) {
          isMeanwhile = false;
          await store.updateTier({ name: 'pro', capacity: 7 }, ANN);
        }
        return result;
      },
    });
    const { plan } = await late.syncPolicy({ document: POLICY, apply: true }, ANN);
    expect(plan?.steps).toMatchObject([
      { action: 'UPDATE', name: 'pro', differences: [{ path: 'capacity', before: '7', after: '20000' }] },
    ]);
    expect(await store.getTier('pro')).toMatchObject({ capacity: 20_000 });
  });

  it('callers can be changed while a policy file is written, and the policy is recorded after these changes', async () => {
    await apply('tiers: [{ name: free, capacity: 1000, refillAmount: 50, isDefault: true }]');
    const slow = createRulesStore({
      query: db.query,
      tx: (run, options) =>
        db.tx(
          (tx) =>
            run({
              script: (sql) => tx.script(sql),
              async query(sql, params) {
                // This write uses another connection. It would wait forever if it needed a lock
                // that the transaction holds.
                if (sql.startsWith('insert into rules')) await other.upsertSubject({ user: 'meanwhile' }, ANN);
                return tx.query(sql, params);
              },
            }),
          options,
        ),
    });
    const second = await createPgDb({ url: opened.url });
    const other = createRulesStore(second);
    expect(await slow.syncPolicy({ document: manyRules(3, 100), apply: true }, ANN)).toMatchObject({ applied: true });
    await second.close();
    const changes = await store.pageChanges({}, { before: Number.MAX_SAFE_INTEGER, limit: 4 });
    expect(changes.map(({ entity }) => entity)).toEqual(['RULE', 'RULE', 'RULE', 'SUBJECT']);
  });

  it('a repeated key in a JSON policy file is reported with its position', async () => {
    const { userErrors } = await store.syncPolicy({ document: '{"tiers": [],\n "tiers": []}' }, ANN);
    expect(userErrors).toMatchObject([{ message: 'Map keys must be unique at line 2, column 2' }]);
  });

  it('a mistake in a long policy file is reported with its line', async () => {
    const filling = `# ${'x'.repeat(100)}\n`.repeat(2000);
    const { userErrors } = await store.syncPolicy({ document: `${filling}rules: [}` }, ANN);
    expect(userErrors[0]!.message).toContain('at line 2001');
    const twice = await store.syncPolicy({ document: `${filling}rules: []\nrules: []` }, ANN);
    expect(twice.userErrors).toMatchObject([{ message: 'Map keys must be unique at line 2002, column 1' }]);
  });

  it('planning a policy file changes nothing, applying it puts it in force, and applying it again changes nothing', async () => {
    const planned = await store.syncPolicy({ document: POLICY }, ANN);
    expect(planned).toMatchObject({ applied: false, userErrors: [] });
    expect(await store.latestChange()).toBe(0);
    expect(await stepsOf(apply(POLICY))).toEqual(['CREATE tier free', 'CREATE tier pro', 'CREATE rule searches']);
    expect(await store.listTiers()).toMatchObject([
      { name: 'free', isDefault: true, refillPeriodMs: 1000 },
      { name: 'pro', displayName: 'pro', monthlyPrice: { amountMinor: 4900, currency: 'EUR' } },
    ]);
    const number = await store.latestChange();
    const again = await apply(POLICY);
    expect(again.plan).toMatchObject({
      steps: [],
      unchanged: 3,
      text: '0 to create, 0 to update, 0 to retire, 3 unchanged',
    });
    expect(await store.latestChange()).toBe(number);
  });

  it('the plan of a policy file is printed as a diff', async () => {
    await apply(POLICY);
    const edited = POLICY.replace('amount: 20, windowMs: 60000', 'amount: 30, windowMs: 1000').replace(
      '1000,',
      '1500,',
    );
    const { plan } = await store.syncPolicy({ document: edited }, ANN);
    expect(plan?.text.split('\n')).toEqual([
      '~ tier free',
      '    capacity: 1000 -> 1500',
      '~ rule searches',
      '    limits[0].amount: 20 -> 30',
      '    limits[0].windowMs: 60000 -> 1000',
      expect.stringMatching(/^ {4}! limits\[0\] continues with another counter/),
      '0 to create, 2 to update, 0 to retire, 1 unchanged',
    ]);
    // Plans the return to the first policy, while the usage of the last minute still counts.
    await apply(edited);
    const back = (await store.syncPolicy({ document: POLICY }, ANN)).plan!.text;
    expect(back).toMatch(/capacity: 1500 -> 1000\n {4}! the bucket gets smaller/);
    expect(back).toMatch(/ {4}! limits\[0\] returns to the counter of version 1: usage in that counter counts again/);
  });

  it('a policy file keeps the rules and tiers that it does not name, except with `prune`', async () => {
    await apply(POLICY);
    const part = 'tiers: [{ name: team, capacity: 5, refillAmount: 1, isDefault: true }]';
    const planned = await store.syncPolicy({ document: part }, ANN);
    expect(planned.plan!.steps[0]!.warnings).toEqual([expect.stringContaining('all callers without an assigned tier')]);
    expect(await stepsOf(apply(part))).toEqual(['CREATE tier team']);
    expect(await store.listTiers()).toMatchObject([{ isDefault: false }, { isDefault: false }, { isDefault: true }]);
    await store.upsertSubject({ user: '42', tier: 'pro' }, ANN);
    const number = await store.latestChange();
    const warningsByTier = async () => {
      const { plan } = await store.syncPolicy({ document: part, prune: true }, ANN);
      const tiers = plan!.steps.filter(({ kind }) => kind === 'tier');
      return Object.fromEntries(tiers.map(({ name, warnings }) => [name, warnings]));
    };
    expect(await warningsByTier()).toEqual({
      free: [],
      pro: ['this step cannot be applied: a user or tenant is on pro: assign it another tier first'],
    });
    expect(await apply(part, true)).toMatchObject({ applied: false, userErrors: [{ code: 'IN_USE' }] });
    expect(await store.latestChange()).toBe(number);
    await store.upsertSubject({ user: '42', tier: null }, ANN);
    expect(await warningsByTier()).toEqual({ free: [], pro: [] });
    expect(await stepsOf(apply(part, true))).toEqual(['RETIRE rule searches', 'RETIRE tier free', 'RETIRE tier pro']);
    expect((await store.listTiers()).map(({ name }) => name)).toEqual(['team']);
    expect(await apply(POLICY)).toMatchObject({
      userErrors: [{ message: expect.stringContaining('"free" was retired') }, {}],
    });
  });

  it('a new tier whose name resembles an existing tier gets a warning, except if the file retires that tier', async () => {
    await apply(POLICY);
    const document = 'tiers: [{ name: FREE, capacity: 5, refillAmount: 1, isDefault: true }]';
    const warningsOf = async (prune: boolean) =>
      (await store.syncPolicy({ document, prune }, ANN)).plan!.steps[0]!.warnings;
    const ofDefault = expect.stringContaining('all callers without an assigned tier');
    expect(await warningsOf(false)).toEqual([expect.stringMatching(/^tier "FREE" differs from "free"/), ofDefault]);
    expect(await warningsOf(true)).toEqual([ofDefault]);
  });

  it('a policy file moves the default to another tier with one change of each tier', async () => {
    await apply(POLICY);
    const number = await store.latestChange();
    const moved = POLICY.replace(', isDefault: true', '').replace('name: pro\n', 'name: pro\n    isDefault: true\n');
    expect(await stepsOf(apply(moved))).toEqual(['UPDATE tier free', 'UPDATE tier pro']);
    expect(await store.changesSince(number)).toMatchObject([{ key: 'free' }, { key: 'pro' }]);
    expect(await store.listTiers()).toMatchObject([
      { isDefault: false, version: 2 },
      { isDefault: true, version: 2 },
    ]);
  });

  it.each([
    ['tiers: [', /flow/i],
    ['tiers: 5', /tiers.*expected array/],
    ['tires: []', /Unrecognized key.*tires/],
    ['rules: [{ name: a, name: b }]', /unique/],
    ['a: &x [1]\nb: [*x, *x]', /aliases|Unrecognized/],
    ['rules: [{ id: "7", name: a, scope: USER, field: "*", limits: [] }]', /rules\[0\]\.id.*identifies rules by name/],
    [`${POLICY}    match: {}`, /unique/],
    [POLICY.replace('Query.search', 'Query..search'), /rules\[0\] \("searches"\)\.field: expected "Type\.field"/],
    [POLICY.replace('[pro, free]', '[gold]'), /no tier "gold"/],
    [POLICY.replace(', isDefault: true', ''), /exactly one with isDefault/],
  ])('the policy file %j is rejected with a message and changes nothing', async (document, message) => {
    const result = await apply(document);
    expect(result.applied).toBe(false);
    expect(result.userErrors.map((one) => one.message).join('\n')).toMatch(message);
    expect(await store.latestChange()).toBe(0);
  });

  it.each([
    '',
    '# made by a script that failed\n',
    '---\n',
  ])('an empty policy file such as %j is rejected, with and without `prune`', async (document) => {
    for (const prune of [false, true]) {
      expect(await apply(document, prune)).toMatchObject({
        applied: false,
        userErrors: [{ field: ['document'], message: 'expected `tiers` and `rules`, got an empty document' }],
      });
    }
  });

  it.each([
    '{}',
    'rules: []',
  ])('the policy file %s with `prune` is rejected, because no default tier would remain', async (text) => {
    await apply(POLICY);
    const number = await store.latestChange();
    for (const doIt of [false, true]) {
      const { applied, userErrors } = await store.syncPolicy({ document: text, prune: true, apply: doIt }, ANN);
      expect(applied).toBe(false);
      expect(userErrors).toMatchObject([{ code: 'INVALID', message: expect.stringMatching(/^tiers: .* the default/) }]);
    }
    expect(await store.latestChange()).toBe(number);
  });

  it('a policy file can express all rules that code can', async () => {
    const document = stringify({ tiers: demoTiers, rules: demoRules });
    expect(await apply(document)).toMatchObject({ applied: true });
    expect((await store.listRules()).map(({ name }) => name)).toEqual(demoRules.map(({ name }) => name));
    expect((await apply(document)).plan?.steps).toEqual([]);
  });

  it('the command line plans and applies a policy file', async () => {
    const file = temporaryFile('policy.yaml', POLICY);
    expect(await command('plan', file)).toMatchObject({
      status: 0,
      text: expect.stringContaining('+ rule searches'),
    });
    expect(await store.listRules()).toEqual([]);
    const applied = await command('apply', file, '--comment', 'release 7');
    expect(applied).toMatchObject({ status: 0, text: expect.stringContaining('Applied.') });
    const changes = await db.query('select distinct auth_method, comment from changes');
    expect(changes).toEqual([{ auth_method: 'COMMAND_LINE', comment: 'release 7' }]);
    expect(await command('plan', temporaryFile('bad.yaml', 'rules: 5'))).toMatchObject({ status: 1 });
    expect(await command('plan', '/nowhere/policy.yaml')).toMatchObject({
      status: 1,
      text: expect.stringContaining('ENOENT'),
    });
    expect(await command('undo', file)).toMatchObject({ status: 2 });
    expect(await command('plan', file, '--purge')).toMatchObject({ status: 2 });
  });

  it('the command line reports an unavailable database without its credentials', async () => {
    const file = temporaryFile('policy.yaml', POLICY);
    const away = await commandOn('postgres://ann:hunter2@127.0.0.1:1/policies', 'plan', file).catch((error) => error);
    expect(away).toBeInstanceOf(StartError);
    expect(away.message).toMatch(/^PostgreSQL cannot be used at 127\.0\.0\.1:1\/policies: .*ECONNREFUSED/);
    expect(away.message).not.toContain('hunter2');
    const encrypted = await commandOn(`${opened.url}?sslmode=verify-full`, 'plan', file).catch((error) => error);
    expect(encrypted).toBeInstanceOf(StartError);
    expect(encrypted.message).toMatch(/^PostgreSQL cannot be used at /);
  });

  it('the command line plans a policy file on a read-only database', async () => {
    const file = temporaryFile('policy.yaml', POLICY);
    const readOnlyUrl = `${opened.url}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`;
    expect(await commandOn(readOnlyUrl, 'plan', file)).toMatchObject({ status: 0 });
    await expect(commandOn(readOnlyUrl, 'apply', file)).rejects.toThrow(/read-only/);
  });

  it('`plan` rejects an outdated database and does not migrate it', async () => {
    await emptyDatabase(db);
    const file = temporaryFile('policy.yaml', POLICY);
    const planned = await command('plan', file);
    expect(planned.status).toBe(1);
    expect(planned.text).toMatch(/older than this version .* run "tollgate migrate up" first\. Pending: 0001_/);
    expect((await migrationStatus(db)).applied).toEqual([]);
    expect(await command('apply', file)).toMatchObject({
      status: 0,
      text: expect.stringMatching(/^Applied migration 0001_[\s\S]*\nApplied\.\n$/),
    });
  });

  it('the command line creates no embedded database for a plan', async () => {
    const folder = join(dirname(temporaryFile('policy.yaml', POLICY)), 'nobody-started-it');
    const planned = await command('plan', temporaryFile('policy.yaml', POLICY), '--data-dir', folder);
    expect(planned).toMatchObject({
      status: 1,
      text: expect.stringContaining('run "tollgate start" with this folder first'),
    });
    expect(existsSync(folder)).toBe(false);
  });

  async function command(...args: string[]) {
    return commandOn(opened.url, ...args);
  }

  async function commandOn(url: string, ...args: string[]) {
    const env = process.env['DATABASE_URL'];
    process.env['DATABASE_URL'] = url;
    const printed: string[] = [];
    const output = { write: (text: string) => printed.push(text) };
    try {
      const status = await rulesCommand(args, { stdout: output, stderr: output });
      return { status, text: printed.join('') };
    } finally {
      if (env === undefined) delete process.env['DATABASE_URL'];
      else process.env['DATABASE_URL'] = env;
    }
  }
});
