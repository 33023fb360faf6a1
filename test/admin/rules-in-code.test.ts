import { createServer, type Server } from 'node:http';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminHandler } from '../../src/admin/create-admin-handler.js';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import { post } from '../helpers/platform.js';
import { openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { portOf } from './run-example.js';

const TOKEN = 'a-token-for-rules-in-code';
const QUIET = { info() {}, warn() {}, error() {} };
const LIMITS = [{ algorithm: 'FIXED_WINDOW' as const, amount: 5, windowMs: 60_000 }];
const RULE = { field: 'Query.search', measure: 'CALLS' as const, limits: LIMITS };
const INPUT =
  'field: "Query.search", scope: IP, measure: CALLS, limits: [{ fixedWindow: { amount: 5, windowMs: 60000 } }]';

let database: TestDatabase;
let tollgate: Tollgate;
let server: Server;
let close: () => Promise<void>;
beforeAll(async () => {
  database = await openServerDatabase();
  tollgate = await createTollgate({
    schema: buildSchema('type Query { search: Int }'),
    postgres: database.db,
    rules: [
      { ...RULE, name: 'code-a', scope: 'USER' },
      { ...RULE, name: 'code-b', scope: 'TENANT', mode: 'SHADOW' },
    ],
    logger: QUIET,
  });
  const handler = await createAdminHandler({ tollgate, token: TOKEN, logger: QUIET });
  close = handler.close;
  server = createServer(handler).listen(0, '127.0.0.1');
  await ask(`mutation { ruleCreate(input: { name: "stored", ${INPUT} }) { rule { id } } }`);
});
afterAll(async () => {
  await close();
  server.close();
  await tollgate.close();
  await database.dispose();
});

async function ask(query: string) {
  const url = `http://127.0.0.1:${await portOf(server)}/graphql`;
  const { body } = await post(url, query, { authorization: `Bearer ${TOKEN}` });
  expect(body.errors).toBeUndefined();
  return body.data;
}

describe('rules in code over the admin API', () => {
  it('rules in code are listed after stored rules, and are paged, filtered and counted with them', async () => {
    const { rules } = await ask('{ rules { totalCount nodes { name source version history { nodes { id } } } } }');
    const untouched = { version: 1, history: { nodes: [] } };
    expect(rules).toMatchObject({
      totalCount: 3,
      nodes: [
        { name: 'stored', source: 'STORED' },
        { name: 'code-a', source: 'CODE', ...untouched },
        { name: 'code-b', source: 'CODE', ...untouched },
      ],
    });
    const names: string[] = [];
    for (let after = ''; ; ) {
      const page = (await ask(`{ rules(first: 1${after}) { nodes { name } pageInfo { endCursor hasNextPage } } }`))
        .rules;
      names.push(...page.nodes.map(({ name }: { name: string }) => name));
      if (!page.pageInfo.hasNextPage) break;
      after = `, after: "${page.pageInfo.endCursor}"`;
    }
    expect(names).toEqual(['stored', 'code-a', 'code-b']);
    const found = await ask(`{
      shadow: rules(filter: { mode: SHADOW }) { nodes { name } }
      named: rules(filter: { nameContains: "CODE-A" }) { nodes { name } }
      retired: rules(filter: { retired: true }) { nodes { name } } }`);
    expect(found).toEqual({
      shadow: { nodes: [{ name: 'code-b' }] },
      named: { nodes: [{ name: 'code-a' }] },
      retired: { nodes: [] },
    });
  });

  it('a rule in code is found by its name and by its id as the same node', async () => {
    const { rule } = await ask('{ rule(name: "code-a") { id name source scope } }');
    expect(rule).toMatchObject({ name: 'code-a', source: 'CODE', scope: 'USER' });
    expect(await ask(`{ rule(id: "${rule.id}") { id name } node(id: "${rule.id}") { id __typename } }`)).toEqual({
      rule: { id: rule.id, name: 'code-a' },
      node: { id: rule.id, __typename: 'Rule' },
    });
  });

  it('every change of a rule in code is rejected, and the error names the place of its definition', async () => {
    const { rule } = await ask('{ rule(name: "code-a") { id } }');
    const error = {
      code: 'DEFINED_IN_CODE',
      message: expect.stringMatching(
        /^code-a is defined in code, in the `rules` of the server .* create a stored rule with its name/,
      ),
    };
    const rejected = (field: string) => ({ rule: null, userErrors: [{ ...error, field: [field] }] });
    const WHAT = '{ rule { id } userErrors { code field message } }';
    expect(
      await ask(`mutation {
        setMode: ruleSetMode(input: { name: "code-a", mode: OFF }) ${WHAT}
        update: ruleUpdate(input: { id: "${rule.id}", priority: 1 }) ${WHAT}
        retire: ruleRetire(input: { id: "${rule.id}" }) ${WHAT}
        restore: ruleRestore(input: { name: "code-a" }) ${WHAT} }`),
    ).toEqual({ setMode: rejected('name'), update: rejected('id'), retire: rejected('id'), restore: rejected('name') });
  });

  it('a stored rule replaces the rule in code of the same name until it is retired', async () => {
    const sourceOf = async () =>
      (await ask('{ rules(filter: { nameContains: "code-b" }) { nodes { source } } }')).rules.nodes;
    await ask(`mutation { ruleCreate(input: { name: "code-b", ${INPUT} }) { rule { id } } }`);
    expect(await sourceOf()).toEqual([{ source: 'STORED' }]);
    const { ruleSetMode, ruleRetire } = await ask(`mutation {
      ruleSetMode(input: { name: "code-b", mode: OFF }) { userErrors { message } }
      ruleRetire(input: { name: "code-b" }) { userErrors { message } } }`);
    expect([ruleSetMode.userErrors, ruleRetire.userErrors]).toEqual([[], []]);
    expect(await sourceOf()).toEqual([{ source: 'CODE' }]);
  });

  it('a rule in code can be replaced in a simulation', async () => {
    const { ruleSimulate } = await ask(`{ ruleSimulate(input: { replacesName: "code-a", rule: { name: "code-a",
      field: "Query.search", scope: USER, measure: CALLS, limits: [{ fixedWindow: { amount: 1, windowMs: 60000 } }] } }) {
      simulation { warnings } userErrors { message } } }`);
    expect(ruleSimulate).toEqual({ simulation: { warnings: [] }, userErrors: [] });
  });
});
