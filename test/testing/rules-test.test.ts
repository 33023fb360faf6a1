import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulesCommand } from '../../src/server/commands/rules/rules-command.js';

const SCHEMA = `
  type Query { products(first: Int): [Product], search(text: String): Int }
  type Product { id: ID }
`;
const POLICY = `
tiers:
  - { name: free, capacity: 1000, refillAmount: 1, isDefault: true }
  - { name: pro, capacity: 1000, refillAmount: 1 }
rules:
  - name: search-per-user
    scope: USER
    field: Query.search
    measure: CALLS
    match: { tiers: [free] }
    limits: [{ algorithm: FIXED_WINDOW, amount: 2, windowMs: 60000 }]
`;
const HEAD = 'schema: schema.graphql\npolicy: policy.yaml\n';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-cases-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function run(cases: string, more: Readonly<Record<string, string>> = {}, flags: string[] = []) {
  const folder = folderWith({ 'schema.graphql': SCHEMA, 'policy.yaml': POLICY, 'cases.yaml': cases, ...more });
  const output = { stdout: '', stderr: '' };
  const file = join(folder, 'cases.yaml');
  const exitCode = await rulesCommand(['test', file, ...flags], {
    stdout: { write: (text: string) => (output.stdout += text) },
    stderr: { write: (text: string) => (output.stderr += text) },
  });
  return { exitCode, ...output, stderr: output.stderr.replaceAll(folder, '.') };
}

describe('tollgate rules test', () => {
  it('tollgate rules test runs each case with fresh counters, and supports several steps, times and callers', async () => {
    const { exitCode, stdout, stderr } = await run(
      `${HEAD}
cases:
  - name: A free caller searches twice a minute
    caller: { user: anna, tier: free }
    steps:
      - { operation: '{ search }', times: 2, expect: admitted }
      - { operation: '{ search }', at: 20s, expect: { denied: { by: search-per-user, code: THROTTLED, retryAfter: 40s } } }
      - { operation: '{ search }', at: 1m, expect: admitted }
  - name: Another case begins with unused counters
    caller: { user: anna }
    operation: '{ a: search b: search }'
    expect: { admitted: { cost: 1 } }
  - name: A pro caller has no limit of searches
    caller: { user: anna, tier: pro }
    operation: '{ search }'
    times: 50
    expect: admitted
  - name: An operation from a file, with variables
    operation: products.graphql
    variables: { first: 5 }
    expect: { admitted: { cost: 5 } }
`,
      { 'products.graphql': 'query Products($first: Int) { products(first: $first) { id } }' },
    );
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([
      'passed  A free caller searches twice a minute',
      'passed  Another case begins with unused counters',
      'passed  A pro caller has no limit of searches',
      'passed  An operation from a file, with variables',
      '4 cases passed',
      '',
    ]);
    expect(exitCode).toBe(0);
  });

  it('tollgate rules test names the step, the operation and the numbers of a failed case, and runs the others', async () => {
    const { exitCode, stdout } = await run(`${HEAD}
cases:
  - name: Three searches
    steps:
      - { operation: '{ products(first: 1) { id } }', expect: admitted }
      - { operation: '{ search }', times: 3, expect: admitted }
  - name: Works
    operation: '{ search }'
    expect: admitted
`);
    expect(stdout).toMatch(
      /^FAILED {2}Three searches\n +step 2, operation 3 of 3: expected the operation to be admitted; .*search-per-user.*\npassed {2}Works\n1 of 2 cases failed\n$/,
    );
    expect(exitCode).toBe(1);
  });

  it('tollgate rules test settles an operation by its data, and holds the slot of an operation with `keepRunning`', async () => {
    const policy = `
tiers: [{ name: free, capacity: 20, refillAmount: 1, isDefault: true }]
rules:
  - { name: one-at-a-time, scope: USER, field: '*', measure: REQUESTS, limits: [{ algorithm: CONCURRENCY, capacity: 1, leaseMs: 60000 }] }
`;
    const { stdout, exitCode } = await run(
      `${HEAD}
cases:
  - name: Refunds what the response does not have
    steps:
      - { operation: '{ products(first: 18) { id } }', data: { products: [] }, expect: admitted }
      - { operation: '{ products(first: 18) { id } }', expect: admitted }
      - { operation: '{ products(first: 18) { id } }', expect: { denied: { by: 'tier:free' } } }
  - name: One at a time
    steps:
      - { operation: '{ search }', keepRunning: true, expect: admitted }
      - { operation: '{ search }', expect: { denied: { by: one-at-a-time } } }
`,
      { 'policy.yaml': policy },
    );
    expect(stdout).toContain('2 cases passed');
    expect(exitCode).toBe(0);
  });

  it('tollgate rules test lists every mistake in the file of cases with its position, and then runs no case', async () => {
    const { exitCode, stdout, stderr } = await run(`
schema: schema.graphql
polcy: policy.yaml
cases:
  - { name: One, operation: '{ search }', expect: allowed }
  - { name: Two, operation: '{ search }', at: soon, expect: admitted }
  - { name: Three, steps: [{ operation: '{ search }', tmes: 2, expect: admitted }] }
  - { name: Four, steps: [{ operation: '{ search }', at: 60s, expect: admitted }, { operation: '{ search }', at: 5s, expect: admitted }] }
`);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/cases\.yaml: .*"polcy"; did you mean policy\?/);
    expect(stderr).toMatch(/cases\[0\] \("One"\)\.expect: expected admitted, denied, .*/);
    expect(stderr).toMatch(/cases\[1\] \("Two"\)\.at: expected a duration such as .*"soon"/);
    expect(stderr).toMatch(/cases\[2\] \("Three"\)\.steps\[0\]: .*"tmes"/);
    expect(stderr).toMatch(/cases\[3\] \("Four"\)\.steps\[1\]\.at: expected a time that is not before/);
    expect(exitCode).toBe(2);
  });

  it('tollgate rules test names a missing or invalid file, an unknown tier, and a flag that belongs to plan and apply', async () => {
    const oneCase = `cases: [{ name: One, operation: '{ search }', expect: admitted }]\n`;
    const missing = await run(`schema: schema.graphql\npolicy: nowhere.yaml\n${oneCase}`);
    expect(missing).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/policy: cannot read .*nowhere\.yaml/),
    });
    const wrong = await run(`${HEAD}${oneCase}`, { 'policy.yaml': 'tiers: [{ name: free }]' });
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/policy\.yaml: tiers\[0\] \("free"\)/) });
    const costs = await run(`${HEAD}costs: costs.yaml\n${oneCase}`, { 'costs.yaml': 'Query.serch: { weight: 5 }' });
    expect(costs).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/costs\.yaml:1: Query\.serch/) });
    const flag = await run(`${HEAD}${oneCase}`, {}, ['--prune']);
    expect(flag).toMatchObject({ exitCode: 2, stderr: 'tollgate rules: --prune: expected only with plan or apply\n' });
    const tier = await run(
      `${HEAD}cases: [{ name: One, caller: { user: a, tier: fre }, operation: '{ search }', expect: admitted }]\n`,
    );
    expect(tier).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/there is no tier "fre"/) });
  });

  it('tollgate rules test uses the weights of a price file', async () => {
    const { stdout } = await run(
      `${HEAD}costs: costs.yaml\ncases: [{ name: One, operation: '{ search }', expect: { admitted: { cost: 5 } } }]\n`,
      { 'costs.yaml': 'Query.search: { weight: 5 }' },
    );
    expect(stdout).toContain('1 case passed');
  });
});
