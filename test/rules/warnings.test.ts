import { createServer, type Server } from 'node:http';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdminHandler } from '../../src/admin/create-admin-handler.js';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import type { RuleInput } from '../../src/rules/policy/parse-policy.js';
import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { rulesCommand } from '../../src/server/commands/rules/rules-command.js';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import { portOf } from '../admin/run-example.js';
import { post } from '../helpers/platform.js';
import { temporaryFile } from '../helpers/servers.js';
import { openServerDatabase } from '../postgres/databases.js';

// The author of a rule without effect gets a warning, whether the rule is in code, in a file or
// created through the admin API.

const TOKEN = 'a-token-for-warnings';
const LIMITS = [{ algorithm: 'FIXED_WINDOW' as const, amount: 5, windowMs: 60_000 }];
const RULE = { scope: 'USER' as const, field: 'Query.search', measure: 'CALLS' as const, limits: LIMITS };
const MISSPELLED = /^rule "misspelled" has no effect: its field Query\.serch is in .* did you mean Query\.search\?$/;
const INPUT = 'scope: USER, measure: CALLS, limits: [{ fixedWindow: { amount: 5, windowMs: 60000 } }]';

const schema = buildSchema('type Query { search(text: String): Int }');
let database: Awaited<ReturnType<typeof openServerDatabase>>;
let tollgate: Tollgate;
let server: Server;
let closeHandler: () => Promise<void>;
const warnings: string[] = [];

beforeAll(async () => {
  database = await openServerDatabase();
  tollgate = await createTollgate({
    schema,
    service: 'shop',
    postgres: database.db,
    rules: [{ ...RULE, name: 'in-code', priority: 50 }],
    logger: { info() {}, warn: (message: string) => void warnings.push(message), error() {} },
  });
  const handler = await createAdminHandler({ tollgate, token: TOKEN, logger: { info() {}, warn() {}, error() {} } });
  closeHandler = handler.close;
  server = createServer(handler).listen(0, '127.0.0.1');
});
afterAll(async () => {
  await closeHandler();
  server.close();
  await tollgate.close();
  await database.dispose();
});
beforeEach(async () => {
  const { store } = tollgate;
  for (const { id } of await store!.listRules())
    await store!.retireRule({ id }, { name: 'test', authMethod: 'SYSTEM' });
});

async function askAdmin(query: string) {
  const { body } = await post(`http://127.0.0.1:${await portOf(server)}/graphql`, query, {
    authorization: `Bearer ${TOKEN}`,
  });
  expect(body.errors).toBeUndefined();
  return body.data;
}

describe('warnings about rules that have no effect', () => {
  it('the start warns about rules in code that have no effect, and about denials without a body', async () => {
    const logged: string[] = [];
    const rules: RuleInput[] = [
      { ...RULE, name: 'misspelled', field: 'Query.serch' },
      { ...RULE, name: 'wide', priority: 1 },
      { ...RULE, name: 'narrow', match: { operationTypes: ['QUERY'] } },
      { ...RULE, name: 'silent', scope: 'IP', response: { status: 204 } },
    ];
    const started = await createTollgate({
      schema,
      rules,
      logger: { info() {}, warn: (message: string) => void logged.push(message), error() {} },
    });
    await started.close();
    expect(logged).toEqual([
      expect.stringMatching(MISSPELLED),
      expect.stringMatching(/^rule "silent" denies without an error message: a response with status 204 has no body/),
      expect.stringMatching(/^rule "narrow" never applies: .*"wide"/),
    ]);
    expect(warnings).toEqual([]);
  });

  it('a rule or tier whose name resembles an existing name gets a warning', async () => {
    const { store } = tollgate;
    await store!.createRule({ ...RULE, name: 'monthly report' }, { name: 'test', authMethod: 'SYSTEM' });
    const { ruleCreate } =
      await askAdmin(`mutation { ruleCreate(input: { name: "Monthly  Report", field: "*", ${INPUT}, dryRun: true }) {
      warnings userErrors { message } } }`);
    expect(ruleCreate).toEqual({
      warnings: [expect.stringMatching(/^rule "Monthly {2}Report" differs from "monthly report" only in letter case/)],
      userErrors: [],
    });
    const [tier] = await store!.listTiers();
    const input = `{ name: "${tier!.name.toUpperCase()}", capacity: 1, refillAmount: 1, refillPeriodMs: 1000, dryRun: true }`;
    const { tierCreate } = await askAdmin(
      `mutation { tierCreate(input: ${input}) { warnings userErrors { message } } }`,
    );
    expect(tierCreate).toEqual({ warnings: [expect.stringMatching(/^tier ".*" differs from/)], userErrors: [] });
  });

  it('a dry run and the mutation itself warn about a rule that has no effect, including rules that lose to rules in code', async () => {
    const create = (name: string, field: string, dryRun: boolean) =>
      askAdmin(`mutation { ruleCreate(input: { name: "${name}", field: "${field}", ${INPUT}, dryRun: ${dryRun} }) {
        rule { id } warnings userErrors { message } } }`);
    for (const dryRun of [true, false]) {
      const { ruleCreate } = await create('misspelled', 'Query.serch', dryRun);
      expect(ruleCreate).toMatchObject({ warnings: [expect.stringMatching(MISSPELLED)], userErrors: [] });
    }
    const late = await create('late', 'Query.search', false);
    expect(late.ruleCreate.warnings).toEqual([
      expect.stringMatching(/^rule "late" never applies: .*"in-code" \(priority 50 before 100\)/),
    ]);
    const id = late.ruleCreate.rule.id;
    const update = (priority: number) =>
      askAdmin(`mutation { ruleUpdate(input: { id: "${id}", priority: ${priority}, dryRun: true }) { warnings } }`);
    expect((await update(60)).ruleUpdate.warnings).toEqual([expect.stringMatching(/"late" never applies/)]);
    expect((await update(40)).ruleUpdate.warnings).toEqual([
      expect.stringMatching(/"in-code" would stop applying: "late" \(priority 40 before 50\) takes its place\./),
    ]);
    const replaced = await create('in-code', 'Query.search', true);
    // The new rule replaces the rule in code. It has lower precedence than the stored rule "late".
    expect(replaced.ruleCreate.warnings).toEqual([
      expect.stringMatching(/"in-code" would never apply: "late" \(equal/),
    ]);
  });

  it('a list of rules shows which of them never apply, in as many statements for many rules as for one', async () => {
    const { store } = tollgate;
    const names = ['late', 'never-1', 'never-2', 'elsewhere', 'shadow'];
    const fieldOf = (name: string) => (name === 'elsewhere' ? '*' : 'Query.search');
    const modeOf = (name: string) => (name === 'shadow' ? 'SHADOW' : 'ENFORCE');
    for (const name of names) {
      const input = `name: "${name}", field: "${fieldOf(name)}", mode: ${modeOf(name)}, priority: ${name === 'late' ? 10 : 100}`;
      await askAdmin(`mutation { ruleCreate(input: { ${input}, ${INPUT} }) { rule { id } } }`);
    }
    const { rules } = await askAdmin('{ rules { nodes { name neverApplies warnings } } }');
    const warned = expect.stringMatching(/never applies: "late" \(priority 10 before \d+\) takes its place/);
    const never = { neverApplies: true, warnings: [warned] };
    expect(rules.nodes).toEqual([
      { name: 'late', neverApplies: false, warnings: [] },
      { name: 'never-1', ...never },
      { name: 'never-2', ...never },
      { name: 'elsewhere', neverApplies: false, warnings: [] },
      { name: 'shadow', ...never },
      // The stored rule also wins over the rule in code.
      { name: 'in-code', ...never },
    ]);
    await askAdmin('mutation { ruleRetire(input: { name: "late" }) { userErrors { message } } }');
    const { retired, rule } = await askAdmin(`{
      rule(name: "never-1") { warnings }
      retired: rules(filter: { retired: true, nameContains: "late" }) { nodes { neverApplies warnings } } }`);
    expect(rule.warnings).toEqual([expect.stringMatching(/never applies: "in-code" \(priority 50 before 100\)/)]);
    expect(retired.nodes).toContainEqual({ neverApplies: false, warnings: [] });

    let statements = 0;
    const query: Db['query'] = (...statement) => {
      statements++;
      return database.db.query(...statement);
    };
    const counting = createRulesStore({ ...database.db, query });
    const stored = await store!.listRules();
    const ask = async (some: typeof stored) => {
      statements = 0;
      await counting.warningsOfRules(some, { fields: undefined, rulesInCode: [] });
      return statements;
    };
    expect(await ask(stored)).toBe(await ask(stored.slice(0, 1)));
  });

  it('a change of an unknown rule or tier is rejected, and the message suggests the most similar name', async () => {
    await askAdmin(
      `mutation { ruleCreate(input: { name: "searches", field: "Query.search", ${INPUT} }) { rule { id } } }`,
    );
    const { ruleSetMode, ruleRetire } = await askAdmin(`mutation {
      ruleSetMode(input: { name: "serches", mode: OFF }) { userErrors { code field message } }
      ruleRetire(input: { name: "nothing like it" }) { userErrors { code field message } } }`);
    const error = { code: 'NOT_FOUND', field: ['name'] };
    expect(ruleSetMode.userErrors).toEqual([
      { ...error, message: 'there is no rule in use named serches; did you mean searches?' },
    ]);
    expect(ruleRetire.userErrors).toEqual([{ ...error, message: 'there is no rule in use named nothing like it' }]);
    const { tierRetire, ruleUpdate } = await askAdmin(`mutation {
      tierRetire(input: { name: "defualt" }) { userErrors { message } }
      ruleUpdate(input: { name: "searches", match: { tiers: ["defaults"] } }) { userErrors { message } } }`);
    expect(tierRetire.userErrors).toEqual([{ message: 'there is no tier named defualt; did you mean default?' }]);
    expect(ruleUpdate.userErrors).toEqual([{ message: 'there is no tier named defaults; did you mean default?' }]);
  });

  it('a simulation warns about a rule that has no effect', async () => {
    const simulate = (field: string) =>
      askAdmin(`{ ruleSimulate(input: { rule: { name: "misspelled", field: "${field}", ${INPUT} } }) {
        simulation { denied warnings } userErrors { message } } }`);
    expect((await simulate('Query.serch')).ruleSimulate).toMatchObject({
      simulation: { denied: 0, warnings: [expect.stringMatching(MISSPELLED)] },
    });
    expect((await simulate('Query.search')).ruleSimulate.simulation.warnings).toEqual([
      expect.stringMatching(/"misspelled" would never apply: .*"in-code"/),
    ]);
  });

  it('the plan of a policy file warns about rules that have no effect, in the command line and over GraphQL', async () => {
    await migrate(database.db);
    const file = `
rules:
  - { name: misspelled, scope: USER, field: Query.serch, measure: CALLS, limits: [{ algorithm: FIXED_WINDOW, amount: 5, windowMs: 1000 }] }
  - { name: first, priority: 7, scope: IP, field: Query.search, measure: CALLS, limits: [{ algorithm: FIXED_WINDOW, amount: 5, windowMs: 1000 }] }
  - { name: second, scope: IP, field: Query.search, measure: CALLS, limits: [{ algorithm: FIXED_WINDOW, amount: 5, windowMs: 1000 }] }
`;
    const planned = await askAdmin(`mutation { policySync(input: { document: ${JSON.stringify(file)}, dryRun: true }) {
      plan { steps { name warnings } } userErrors { message } } }`);
    expect(planned.policySync.plan.steps).toEqual([
      { name: 'misspelled', warnings: [expect.stringMatching(MISSPELLED)] },
      { name: 'first', warnings: [] },
      {
        name: 'second',
        warnings: [expect.stringMatching(/"second" would never apply: .*"first" \(priority 7 before 100\)/)],
      },
    ]);
    const before = process.env['DATABASE_URL'];
    process.env['DATABASE_URL'] = database.url;
    try {
      let printed = '';
      const output = { write: (text: string) => (printed += text) };
      const path = temporaryFile('policy.yaml', file);
      expect(await rulesCommand(['plan', path], { stdout: output, stderr: output })).toBe(0);
      expect(printed).toMatch(
        /\+ rule misspelled\n( {4}.*\n)+ {4}! rule "misspelled" has no effect: .*Query\.search\?\n/,
      );
      expect(printed).toMatch(/ {4}! rule "second" would never apply/);
    } finally {
      if (before === undefined) delete process.env['DATABASE_URL'];
      else process.env['DATABASE_URL'] = before;
    }
  });
});
