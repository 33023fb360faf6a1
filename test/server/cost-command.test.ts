import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { runCostCommand } from '../../src/server/commands/cost-command.js';

const folder = mkdtempSync(join(tmpdir(), 'cost-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shop = fileURLToPath(new URL('../vectors/shop.graphql', import.meta.url));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const popular = file('popular.graphql', 'query Popular { popular { price } }');
const paged = file('paged.graphql', 'query Paged($n: Int!) { products(first: $n) { id } }');

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await runCostCommand(argv, {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  });
  return { code, out, err };
}

describe('tollgate cost', () => {
  it('prints the cost of each operation of each file', async () => {
    expect(await run('--schema', shop, '--query', popular, '--query', paged, '--variables', '{ "n": 7 }')).toEqual({
      code: 0,
      out: `${popular} Popular: 15\n${paged} Paged: 7\n`,
      err: '',
    });
  });

  it('prints one object as JSON', async () => {
    const { code, out } = await run('--schema', shop, '--query', popular, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      cost: 15,
      typeCost: 6,
      fieldCost: 11,
      fields: [
        { coordinate: 'Query.popular', calls: 1, cost: 5 },
        { coordinate: 'Product.price', calls: 5, cost: 10 },
      ],
    });
  });

  it('prints several operations as JSON with their files and names', async () => {
    const both = file('both.graphql', 'query A { shop { name } } query B { popular { id } }');
    const { out } = await run('--schema', shop, both, '--json');
    expect(JSON.parse(out).operations).toMatchObject([
      { file: both, operation: 'A', cost: 1 },
      { file: both, operation: 'B', cost: 5 },
    ]);
    expect(JSON.parse((await run('--schema', shop, both, '--operation', 'B', '--json')).out)).toMatchObject({
      cost: 5,
    });
  });

  it('takes profile, list size, minimum, variables from a file and the query as text', async () => {
    const everything = '{ everything { id } }';
    const args = ['--schema', shop, '--query', everything, '--json'];
    expect(JSON.parse((await run(...args, '--default-list-size', '3')).out).cost).toBe(3);
    expect(JSON.parse((await run(...args, '--minimum-cost', '99')).out).cost).toBe(99);
    expect(JSON.parse((await run(...args, '--profile', 'ibm')).out)).toMatchObject({
      cost: 12,
      typeCost: 11,
      fieldCost: 1,
    });
    expect(JSON.parse((await run(...args, '--profile', 'github')).out)).toMatchObject({ requests: 0, nodes: 0 });
    const variables = file('variables.json', '{ "n": 2 }');
    expect((await run('--schema', shop, '--query', paged, '--variables', variables)).out).toContain('Paged: 2');
  });

  it('explains in a readable table', async () => {
    const { out } = await run('--schema', shop, '--query', paged, '--variables', '{ "n": 7 }', '--explain');
    expect(out).toContain('cost 7 = $n');
    expect(out).toMatch(/products \(Query\.products\) .* 7 first: \$n/);
  });

  it('exits with 1 when an operation is above the budget', async () => {
    expect((await run('--schema', shop, '--query', popular, '--budget', '15')).code).toBe(0);
    const { code, err } = await run('--schema', shop, '--query', popular, '--budget', '14');
    expect([code, err]).toEqual([1, `${popular} Popular: costs 15, above 14\n`]);
  });

  it('prints what became dearer since an earlier report', async () => {
    const single = file('one.json', (await run('--schema', shop, '--query', popular, '--json')).out);
    expect((await run('--schema', shop, '--query', popular, '--diff', single)).out).toBe('nothing became dearer\n');
    const before = file(
      'many.json',
      (await run('--schema', shop, popular, paged, '--variables', '{"n":1}', '--json')).out,
    );
    const after = await run('--schema', shop, popular, paged, '--variables', '{"n":4}', '--diff', before);
    expect(after.out).toBe(`${paged} Paged: 1 -> 4 (+3) tokens\n  Query.products: 1 -> 4 (+3) tokens\n`);
    const more = await run(
      '--schema',
      shop,
      popular,
      paged,
      '{ shop { name } }',
      '--variables',
      '{"n":1}',
      '--diff',
      before,
    );
    expect(more.out).toBe('(query 3): new, costs 1 tokens\n');
  });

  it('names what became dearer by the unit of its profile: points, and the requests that they are made of', async () => {
    const pages = file(
      'pages.graphql',
      `type Query { page(first: Int): [Item] @listSize(slicingArguments: ["first"]) }
       type Item { page(first: Int): [Item] @listSize(slicingArguments: ["first"]) }`,
    );
    const nested = file('nested.graphql', 'query Q($n: Int) { page(first: $n) { page(first: 1) { __typename } } }');
    const args = ['--schema', pages, nested, '--profile', 'github', '--variables'];
    const before = file('pages.json', (await run(...args, '{"n":1}', '--json')).out);
    expect((await run(...args, '{"n":300}', '--diff', before)).out).toBe(
      `${nested} Q: 1 -> 3 (+2) points\n  Item.page: 1 -> 300 (+299) requests\n`,
    );
  });

  it('checks the annotations of a schema', async () => {
    const { code, out } = await run('--schema', shop, '--check-schema');
    expect([code, out.split('\n')[0]]).toEqual([
      0,
      expect.stringMatching(/^warning: Query\.everything: nothing gives this list a size/),
    ]);
    const wrong = file('wrong.graphql', 'type Query { a: Int @cost(weight: "dear") }');
    const found = await run('--schema', wrong, '--check-schema');
    expect(found).toMatchObject({ code: 1, out: 'error: Query.a: weight: expected a number, got "dear"\n1 wrong\n' });
  });

  it('prints one line for each list of unknown size, and for a weight that counts nowhere', async () => {
    const schema = file(
      'abstract.graphql',
      `directive @cost(weight: String!) on INTERFACE
       type Query { nodes: [Node] others: [Node] } interface Node @cost(weight: "5") { id: ID }`,
    );
    const { code, out } = await run('--schema', schema, '--check-schema');
    expect([code, ...out.split('\n')]).toEqual([
      1,
      expect.stringMatching(/^error: Node: @cost on an interface counts nowhere/),
      expect.stringMatching(/^warning: Query\.nodes: nothing gives this list a size/),
      expect.stringMatching(/^warning: Query\.others: nothing gives this list a size/),
      '1 wrong',
      '',
    ]);
  });

  it('prices a foreign schema from introspection, with an overlay in YAML', async () => {
    const foreign = buildSchema('type Query { hits: [Hit] } type Hit { id: ID }');
    const schema = file('foreign.json', JSON.stringify({ data: introspectionFromSchema(foreign) }));
    const overlay = file('overlay.yaml', 'Query.hits:\n  cost: 5\n  listSize: { assumedSize: 3 }\n');
    expect((await run('--schema', schema, '--query', '{ hits { id } }', '--overlay', overlay)).out).toContain(': 8\n');
  });

  it.each([
    [['--query', popular], /--schema: name the file/],
    [['--schema', '/nowhere', '--query', popular], /--schema: cannot read \/nowhere/],
    [['--schema', popular, '--query', popular], /--schema: .*popular\.graphql: /],
    [['--schema', shop], /--query: name at least one file/],
    [['--schema', shop, '--query', '/nowhere'], /--query: cannot read \/nowhere/],
    [['--schema', shop, '--query', '{ shop { nam } }'], /\(query 1\):1: Cannot query field "nam"/],
    [['--schema', shop, '--query', '{ shop {'], /\(query 1\): Syntax Error/],
    [['--schema', shop, '--query', popular, '--operation', 'Other'], /no operation named Other/],
    [
      ['--schema', shop, '--query', paged],
      /Paged: Invalid variables: Variable "\$n" of required type "Int!" was not provided/,
    ],
    [['--schema', shop, '--query', paged, '--variables', '{'], /--variables: no JSON/],
    [['--schema', shop, '--query', paged, '--variables', '[]'], /--variables: expected a JSON object/],
    [['--schema', shop, '--query', popular, '--profile', 'mine'], /--profile: expected tokens, ibm, apollo or github/],
    [['--schema', shop, '--query', popular, '--budget', '-1'], /budget/],
    [
      ['--schema', shop, '--query', popular, '--default-list-size', 'ten'],
      /--default-list-size: expected a whole number/,
    ],
    [['--schema', shop, '--query', popular, '--json', '--explain'], /give one of them/],
    [['--schema', shop, '--query', popular, '--diff', shop], /--diff: .*shop\.graphql: /],
    [['--schemas', shop], /--schemas.*--help/],
  ])('says what is wrong with %j', async (argv, message) => {
    const { code, err } = await run(...argv);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it('prints its flags', async () => {
    expect((await run('--help')).out).toContain('--check-schema');
  });
});
