import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createAdminHandler } from '../../src/admin/create-admin-handler.js';
import { parsePolicy } from '../../src/rules/policy/parse-policy.js';
import { rulesCommand } from '../../src/server/commands/rules/rules-command.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../src/tollgate/tollgate-options.js';
import { portOf } from '../admin/run-example.js';
import { post } from '../helpers/platform.js';
import { openServerDatabase } from '../postgres/databases.js';
import { ROOT } from './documents.js';

// These tests check that each policy of docs/recipes.md has the effect that its cases show.

const TOKEN = 'a-token-for-recipes';
const page = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8');
const [, schema = ''] = /```graphql\n([\s\S]*?)```/.exec(page) ?? [];
const recipes = page
  .split(/\n(?=### )/)
  .slice(1)
  .map((text) => ({
    title: text.slice(4, text.indexOf('\n')),
    blocks: [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => yaml),
    code: /```ts\n(const tollgate = [\s\S]*?)```/.exec(text)?.[1],
    text,
  }));
const policies = recipes.filter(({ blocks }) => blocks.length > 1);
const operations = [...page.matchAll(/```graphql\n([\s\S]*?)```/g)].slice(1).map(([, operation = '']) => operation);

describe('policies of the recipes', () => {
  it('each policy has cases', () => {
    expect(policies.length).toBeGreaterThan(15);
    for (const { title, blocks } of policies) {
      expect([title, blocks.map((yaml) => /^(\w+):/.exec(yaml)?.[1])]).toEqual([title, ['tiers', 'cases']]);
    }
  });

  it.each(policies)('$title: the cases pass', async ({ blocks: [policy = '', cases = ''] }) => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-recipe-'));
    writeFileSync(join(folder, 'schema.graphql'), schema);
    writeFileSync(join(folder, 'policy.yaml'), policy);
    writeFileSync(join(folder, 'cases.yaml'), `schema: schema.graphql\npolicy: policy.yaml\n${cases}`);
    let output = '';
    const write = (text: string) => (output += text);
    const exitCode = await rulesCommand(['test', join(folder, 'cases.yaml')], { stdout: { write }, stderr: { write } });
    expect(output).toMatch(/^(passed {2}.*\n)+\d+ cases? passed\n$/);
    expect(exitCode).toBe(0);
  });
});

/** Recipes of calendar budgets, which are also shown in code and in the console. */
const BUDGETS = [
  'Include an amount in a monthly plan',
  'Give free callers an amount per local day',
  'Reset a limit on Monday morning',
  'Renew a budget on the billing day',
  'Bill usage above the included amount',
];

describe('budgets in code', () => {
  it.each(BUDGETS)('%s: the code defines the same tiers and rules as the policy in YAML', async (title) => {
    const { blocks, code = '', text } = recipes.find((recipe) => recipe.title === title)!;
    let given: TollgateOptions<object> | undefined;
    const { code: script } = transformSync(`async () => { ${code} }`, { loader: 'ts' });
    const run = new Function('createTollgate', 'schema', `return (${script.replace(/;\s*$/, '')})()`);
    await run(async (options: TollgateOptions<object>) => {
      given = options;
      // The real one checks the tiers and rules.
      await (await createTollgate({ ...options, schema: buildSchema(schema) })).close();
    }, undefined);
    const { tiers, rules = [] } = parse(blocks[0]!);
    expect(given).toMatchObject({ tiers, ...(rules.length > 0 && { rules }) });
    expect(parsePolicy({ tiers: given!.tiers!, rules: given!.rules ?? [] })).toEqual(parsePolicy({ tiers, rules }));
    expect(text).toContain('In the console: ');
  });
});

describe('operations of the recipes', () => {
  it('the admin API executes each of them without an error', async () => {
    const database = await openServerDatabase();
    const logger = { info() {}, warn() {}, error() {} };
    const tollgate = await createTollgate({ schema: buildSchema(schema), postgres: database.db, logger });
    const admin = await createAdminHandler({ tollgate, token: TOKEN, logger });
    const server = createServer(admin).listen(0, '127.0.0.1');
    try {
      const url = `http://127.0.0.1:${await portOf(server)}/graphql`;
      const execute = (query: string) => post(url, query, { authorization: `Bearer ${TOKEN}` });
      await execute('mutation { subjectCreate(input: { user: "anna" }) { userErrors { message } } }');
      expect(operations.length).toBeGreaterThan(3);
      for (const operation of operations) {
        const { body } = await execute(operation);
        expect([operation, body.errors]).toEqual([operation, undefined]);
        for (const { userErrors = [] } of Object.values<{ userErrors?: unknown[] }>(body.data)) {
          expect([operation, userErrors]).toEqual([operation, []]);
        }
      }
    } finally {
      await admin.close();
      server.close();
      await tollgate.close();
      await database.dispose();
    }
  });
});
