import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { COST_PRESETS } from '../../src/cost/settings/cost-presets.js';
import { runCostCommand } from '../../src/server/commands/cost/run-cost-command.js';
import { readCostsFile } from '../../src/server/costs/costs-file.js';
import { createUsageRecorder } from '../../src/usage/record/create-usage-recorder.js';
import { openServerDatabase } from '../postgres/databases.js';
import { recordOf } from '../usage/one-record.js';

const folder = mkdtempSync(join(tmpdir(), 'cost-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const github = fileURLToPath(new URL('../../node_modules/@octokit/graphql-schema/schema.graphql', import.meta.url));

let count = 0;
const file = (name: string, text: string): string => {
  const path = join(folder, `${++count}-${name}`);
  writeFileSync(path, text);
  return path;
};
const sdl = file(
  'schema.graphql',
  `type Query { shop: Shop cart: Cart }
   type Mutation { add: AddPayload drop: DropPayload rename: RenamePayload }
   type AddPayload { userErrors: [UserError!]! cart: Cart }
   type DropPayload { userErrors: [UserError!]! }
   type RenamePayload { userErrors: [UserError!]! shop: Shop }
   type UserError { message: String }
   type Shop { tags: [Tag] orders(first: Int): OrderConnection }
   type Cart { tags: [Tag] lines: [Line] }
   type Line { price: Int tags: [Tag] }
   type Tag { name: String }
   type OrderConnection { nodes: [Order] }
   type Order { id: ID }`,
);

interface Checked {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly lines: string[];
}

const check = (...argv: string[]) => checkOf(sdl, ...argv);
async function checkOf(schema: string, ...argv: string[]): Promise<Checked> {
  let out = '';
  let err = '';
  const code = await runCostCommand(['--schema', schema, '--check-schema', ...argv], {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  });
  return { code, out, err, lines: out.trimEnd().split('\n') };
}

const DONE = ['OK: all annotations are valid'];

describe('tollgate cost --check-schema', () => {
  it('--check-schema prints one line per list name, with the count, examples and the entry to add', async () => {
    const { code, lines } = await check();
    expect(code).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(
        /^warning: tags \(3 lists: .*\): these lists have no known size: .*add "\*\.tags": \{ defaultSize: 10 \} with their maximum/,
      ),
      expect.stringMatching(
        /^warning: userErrors \(3 lists: AddPayload\.userErrors, DropPayload\.userErrors, RenamePayload\.userErrors\): .*add "\*\.userErrors": \{ assumedSize: 1 \}$/,
      ),
      expect.stringMatching(
        /^warning: Cart\.lines: this list has no known size.*in a file of prices: "Cart\.lines": \{ defaultSize: 10 \}$/,
      ),
      expect.stringMatching(
        /^warning: Shop\.orders: if first is not given.*"OrderConnection\.nodes": \{ defaultSize: 10 \}$/,
      ),
      '8 sizes are guesses: --write-costs FILE writes entries for them, which --costs reads',
      ...DONE,
    ]);
  });

  it('--check-schema prints fewer than 20 lines for a schema with hundreds of lists, and every coordinate with --json', async () => {
    const { lines } = await check('--schema', github);
    expect(lines.length).toBeLessThan(20);
    expect(lines.at(-2)).toMatch(
      /^and \d+ more groups .* sizes are guesses: .* the preset "github" is made for this schema/,
    );
    const { groups, preset } = JSON.parse((await check('--schema', github, '--json')).out);
    expect(preset).toBe('github');
    expect(groups.flatMap(({ guesses }: { guesses: unknown[] }) => guesses).length).toBeGreaterThan(390);
  });

  it('--check-schema sorts warnings by their share of the cost of the given operations', async () => {
    const operations = file(
      'operations.graphql',
      'query Cart { cart { lines { price tags { name } } } } query Orders($n: Int!) { shop { orders(first: $n) { nodes { id } } } }',
    );
    const { code, lines } = await check('--query', operations);
    expect(code).toBe(0);
    // The cost of Cart is 1 cart + 10 lines + 10 * 10 tags. The cost of Orders is 1 shop + 1 page +
    // 10 orders.
    expect(lines.map((line) => /^warning: (\S+).*?(\d+) % of the cost of 2 operations/.exec(line)?.slice(1))).toEqual([
      ['Cart.lines:', '89'],
      ['tags', '81'],
      ['userErrors', '0'],
      ['Shop.orders:', '0'],
      undefined,
      undefined,
    ]);
    const { groups, operations: priced } = JSON.parse((await check('--query', operations, '--json')).out);
    expect(priced).toEqual({ count: 2, cost: 123 });
    expect(groups.map(({ name, cost }: { name: string; cost: number }) => [name, cost])).toEqual([
      ['lines', 110],
      ['tags', 100],
      ['userErrors', 0],
      ['nodes', 0],
    ]);
  });

  it('--check-schema shows the cost of lists whose size argument is missing in operations, and reads manifests of persisted documents', async () => {
    const manifest = file('persisted.json', JSON.stringify({ abc: '{ shop { orders { nodes { id } } } }' }));
    const { lines } = await check('--query', manifest);
    expect(lines[0]).toMatch(/^warning: Shop\.orders: 83 % of the cost of the operation; if first is not given/);
  });

  it('--check-schema reports an operation that cannot be priced, and still checks the schema', async () => {
    const { code, err, lines } = await check('--query', '{ shop { nothing } }');
    expect([code, err]).toEqual([2, expect.stringContaining('Cannot query field "nothing"')]);
    expect(lines.at(-1)).toBe(DONE[0]);
  });
});

describe('tollgate cost --check-schema --recorded', () => {
  it('--recorded sorts warnings by their share of the cost of recorded operations', async () => {
    const { db, url, dispose } = await openServerDatabase();
    onTestFinished(dispose);
    const measured = (coordinate: string, cost: number) => {
      return { coordinate, estimated: { calls: 1, cost }, actual: undefined };
    };
    const withBelow = [measured('Query.shop', 31), measured('Shop.tags', 30), measured('Cart.lines', 5)];
    const recorder = createUsageRecorder({ db, decisionsPerSecond: 1000 });
    for (const _ of [1, 2]) {
      recorder.record(recordOf({ estimatedCost: 40, fields: { ...recordOf().fields!, measured: () => withBelow } }));
    }
    await recorder.close();
    vi.stubEnv('DATABASE_URL', url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { lines } = await check('--recorded', '7');
    expect(lines.slice(0, 4)).toEqual([
      expect.stringMatching(/^warning: tags .*: 75 % of the cost of 2 recorded operations; /),
      expect.stringMatching(/^warning: Cart\.lines: 13 % of the cost of 2 recorded operations; /),
      expect.stringMatching(/^warning: userErrors .*: 0 % of the cost of 2 recorded operations; /),
      expect.stringMatching(/^warning: Shop\.orders: if first is not given/),
    ]);
    expect(await check('--recorded', '7', '--query', '{ shop { tags { name } } }')).toMatchObject({ code: 2 });
  });
});

describe('tollgate cost --check-schema --write-costs', () => {
  it.each(['costs.yaml', 'costs.json'])('--write-costs writes a file that leaves no warnings: %s', async (name) => {
    const costs = join(folder, `new-${name}`);
    const { code, lines } = await check('--write-costs', costs);
    expect([code, lines.at(-1)]).toEqual([0, `${costs}: 4 entries added`]);
    expect((await check('--costs', costs)).lines).toEqual(DONE);
    expect((await readCostsFile(costs)).overlay).toEqual({
      '*.tags': { defaultSize: 10 },
      '*.userErrors': { assumedSize: 1 },
      'Cart.lines': { defaultSize: 10 },
      'OrderConnection.nodes': { defaultSize: 10 },
    });
  });

  it('--write-costs keeps all existing lines and comments, and adds no entry twice', async () => {
    const before = '# Ours\nShop.tags: 7   # a weight\n\n"*.userErrors": { assumedSize: 3 } # up to three\n';
    const costs = file('costs.yaml', before);
    expect((await check('--write-costs', costs)).lines.at(-1)).toBe(`${costs}: 3 entries added`);
    const after = readFileSync(costs, 'utf8');
    expect(after.startsWith(before)).toBe(true);
    expect((await check('--costs', costs)).lines).toEqual(DONE);
    expect((await check('--write-costs', costs)).lines.at(-1)).toBe(`${costs}: 0 entries added`);
    expect(readFileSync(costs, 'utf8')).toBe(after);
  });

  it('--write-costs never overwrites an entry and prints the size to write into it', async () => {
    const costs = file('costs.json', '{ "*.lines": 2, "Cart.lines": { "weight": 2 } }');
    const { lines } = await check('--write-costs', costs);
    expect(lines.find((line) => line.includes('Cart.lines'))).toMatch(
      /an entry exists: change it to "Cart\.lines": \{ defaultSize: 10 \}$/,
    );
    expect((await readCostsFile(costs)).overlay).toMatchObject({ '*.lines': 2, 'Cart.lines': { weight: 2 } });
  });

  it.each([
    ['a map in braces', '{ Shop.tags: 7, # a weight\n}\n', '# a weight'],
    ['a document between its marks', '--- # Ours\nShop.tags: 7\n...\n', '# Ours'],
    ['a file with comments alone', '# Ours\n', '# Ours'],
    ['an empty file', '', ''],
    ['a file that ends without a line break', 'Shop.tags: 7 # a weight', '# a weight'],
  ])('--write-costs adds entries to %s', async (_, before, kept) => {
    const costs = file('costs.yaml', before);
    expect((await check('--write-costs', costs)).code).toBe(0);
    expect(readFileSync(costs, 'utf8')).toContain(kept);
    expect((await check('--costs', costs)).lines).toEqual(DONE);
  });

  it.each([
    ['a schema', 'schema.graphql', 'type Query { a: Int }'],
    ['another YAML file', 'compose.yaml', 'services: { redis: { image: redis } }'],
    ['a text file', 'notes.md', 'Some notes'],
    ['a JSON list', 'list.json', '[1, 2]'],
  ])('--write-costs rejects %s and leaves it unchanged', async (_, name, text) => {
    const other = file(name, text);
    const { code, out, err } = await check('--write-costs', other);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`--write-costs: expected a file of prices, which ${other} is not`);
    expect(readFileSync(other, 'utf8')).toBe(text);
  });

  it('--write-costs exits with 2 when the file cannot be written or --check-schema is missing', async () => {
    const nowhere = join(folder, 'nowhere', 'costs.yaml');
    expect(await check('--write-costs', nowhere)).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot be written'),
    });
    expect(existsSync(nowhere)).toBe(false);
    let err = '';
    const code = await runCostCommand(
      ['--schema', sdl, '--write-costs', nowhere, '--query', '{ shop { tags { name } } }'],
      {
        stdout: { write: () => undefined },
        stderr: { write: (text: string) => (err += text) },
      },
    );
    expect([code, err]).toEqual([2, expect.stringContaining('--write-costs: expected together with --check-schema')]);
  });
});

describe('presets of prices', () => {
  it('entries of a price file override its presets', async () => {
    const costs = file('costs.yaml', 'presets: [errors]\nDropPayload.userErrors: { assumedSize: 4 }\n');
    expect((await check('--costs', costs)).out).not.toContain('userErrors');
    const priced = async (query: string) => (await price('--costs', costs, '--query', query)).out.split(': ').at(-1);
    expect(await priced('mutation { add { userErrors { message } } }')).toBe('12\n');
    expect(await priced('mutation { drop { userErrors { message } } }')).toBe('15\n');
  });

  it('an unknown preset in a price file is reported with its line and a suggestion', async () => {
    const costs = file('costs.yaml', 'Cart.lines: 1\npresets: [eror]\n');
    const { code, err } = await check('--costs', costs);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/costs\.yaml:2: presets\[0\]: expected "errors".*did you mean "errors"\?/),
    ]);
  });

  it('--print-preset prints a preset as entries of a price file', async () => {
    const { out } = await price('--print-preset', 'shopify');
    const { overlay } = await readCostsFile(file('shopify.yaml', out));
    expect(overlay).toEqual(COST_PRESETS.shopify);
    expect(await price('--print-preset', 'shopfy')).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected errors, github, saleor or shopify, got shopfy; did you mean shopify?'),
    });
  });
});

async function price(...argv: string[]) {
  let out = '';
  let err = '';
  const code = await runCostCommand(['--schema', sdl, ...argv], {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  });
  return { code, out, err };
}

describe('arguments that look like list sizes', () => {
  const fields = 'users(amount: Int): [User] found(resultCount: Int): Users';
  const types = 'type User { id: ID } type Users { nodes: [User] }';
  const withSizes = file('sizes.graphql', `type Query { ${fields} } ${types}`);
  const ENTRIES = [
    '"Query.users": { assumedSize: 10, slicingArguments: [amount] }',
    '"Query.found": { assumedSize: 10, slicingArguments: [resultCount], sizedFields: [nodes] }',
  ];

  it('--check-schema prints each argument that looks like a list size, with the annotation and the entry of a price file to add', async () => {
    const { code, lines } = await checkOf(withSizes);
    expect(code).toBe(0);
    expect(lines).toEqual(
      expect.arrayContaining([
        `warning: Query.users: amount looks like a list size, but the price does not depend on it; add @listSize(assumedSize: 10, slicingArguments: ["amount"]); in a file of prices: ${ENTRIES[0]}`,
        expect.stringMatching(/^warning: Query\.found: resultCount looks like a list size/),
      ]),
    );
    const { problems } = JSON.parse((await checkOf(withSizes, '--json')).out);
    expect(problems.map(({ entry }: { entry: string }) => entry)).toEqual(ENTRIES);
  });

  it('--write-costs adds an entry for such an argument once, as a comment, because the argument may have another meaning', async () => {
    const costs = file('costs.yaml', 'Users.nodes: { defaultSize: 7 } # ours\n');
    const { lines } = await checkOf(withSizes, '--write-costs', costs);
    expect(lines.at(-1)).toBe(`${costs}: 0 entries added; 2 entries added as comments`);
    const text = readFileSync(costs, 'utf8');
    expect(text).toBe(`Users.nodes: { defaultSize: 7 } # ours\n\n${ENTRIES.map((entry) => `# ${entry}\n`).join('')}`);
    await checkOf(withSizes, '--write-costs', costs);
    expect(readFileSync(costs, 'utf8')).toBe(text);
    // Without the comment signs, the entries are valid and set the prices.
    writeFileSync(costs, text.replaceAll(/^# /gm, ''));
    expect((await checkOf(withSizes, '--costs', costs)).lines).toEqual(DONE);
  });
});
