import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { createManifestPrices } from '../../packages/client/src/manifest.js';
import { runCostCommand } from '../../src/server/commands/cost/run-cost-command.js';

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
  it('tollgate cost prints the cost of each operation of each file', async () => {
    expect(await run('--schema', shop, '--query', popular, '--query', paged, '--variables', '{ "n": 7 }')).toEqual({
      code: 0,
      out: `${popular} Popular: 15\n${paged} Paged: 7\n`,
      err: '',
    });
  });

  it('tollgate cost --json prints a single operation as one object', async () => {
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

  it('--manifest writes prices that a client can read, and does not overwrite the file when an operation is invalid', async () => {
    const out = join(folder, 'prices.json');
    expect(await run('--schema', shop, '--manifest', out, popular, paged)).toEqual({
      code: 0,
      out: `${out}: 2 operations\n`,
      err: '',
    });
    const written = readFileSync(out, 'utf8');
    const priceOf = createManifestPrices(JSON.parse(written));
    expect(priceOf({ document: 'query Popular { popular { price } }' })).toBe(15);
    expect(priceOf({ document: 'query Paged($n: Int!) { products(first: $n) { id } }', variables: { n: 7 } })).toBe(7);

    const wrong = file('wrong.graphql', 'query Wrong { popular { nothing } }');
    const rejected = await run('--schema', shop, '--manifest', out, popular, wrong);
    expect(rejected).toMatchObject({ code: 2, out: '', err: expect.stringContaining('wrong.graphql:1: ') });
    expect(readFileSync(out, 'utf8')).toBe(written);
    const both = await run('--schema', shop, '--manifest', out, popular, '--json', '--budget', '5');
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining('cannot be combined with --json, --budget') });
    const folderAsFile = await run('--schema', shop, '--manifest', folder, popular);
    expect(folderAsFile).toMatchObject({ code: 2, err: expect.stringContaining('cannot be written') });
  });

  it('tollgate cost --json prints several operations with their files and names', async () => {
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

  it('tollgate cost accepts a profile, a list size, a minimum, a file of variables and a query as text', async () => {
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

  it('--explain prints a readable table', async () => {
    const { out } = await run('--schema', shop, '--query', paged, '--variables', '{ "n": 7 }', '--explain');
    expect(out).toContain('cost 7 = $n');
    expect(out).toMatch(/products \(Query\.products\) .* 7 first: \$n/);
  });

  it('tollgate cost exits with 1 when an operation exceeds the budget', async () => {
    expect((await run('--schema', shop, '--query', popular, '--budget', '15')).code).toBe(0);
    const { code, err } = await run('--schema', shop, '--query', popular, '--budget', '14');
    expect([code, err]).toEqual([1, `${popular} Popular: costs 15, above 14\n`]);
  });

  it('--diff prints which costs have increased since an earlier report', async () => {
    const single = file('one.json', (await run('--schema', shop, '--query', popular, '--json')).out);
    expect((await run('--schema', shop, '--query', popular, '--diff', single)).out).toBe('no cost increased\n');
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

  it('--diff prints the units of the profile, such as points and requests', async () => {
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

  it('--check-schema checks the annotations of a schema', async () => {
    const { code, out } = await run('--schema', shop, '--check-schema');
    expect([code, out.split('\n')[0]]).toEqual([
      0,
      expect.stringMatching(/^warning: Query\.everything: this list has no known size/),
    ]);
    const wrong = file('wrong.graphql', 'type Query { a: Int @cost(weight: "high") }');
    const found = await run('--schema', wrong, '--check-schema');
    expect(found).toMatchObject({ code: 1, out: 'error: Query.a: weight: expected a number, got "high"\n1 wrong\n' });
  });

  describe('--check-schema --diff', () => {
    const sdl = 'type Query { items(first: Int): [Item!]!, item: Item, old: Int } type Item { name: String }';
    const now = file(
      'now.graphql',
      sdl.replace('old: Int', 'fresh(id: ID!): Item').replace('item: Item', 'item: Item @cost(weight: "2")'),
    );
    const costs = file('new-costs.yaml', 'Query.items: { weight: 5, assumedSize: 20 }\n"*.name": 3\n');
    const check = (earlier: string, ...more: string[]) =>
      run('--schema', now, '--costs', costs, '--check-schema', '--diff', earlier, ...more);

    it.each([
      ['YAML', 'old-costs.yaml', 'Query.items: { weight: 4, slicingArguments: [first] }\nItem.name: 3\n'],
      ['JSON', 'old-costs.json', '{"Query.items": {"weight": 4, "slicingArguments": ["first"]}, "Item.name": 3}'],
    ])('--diff compares effective prices with an earlier price file in %s, even if the files use different patterns', async (_, name, text) => {
      expect(await check(file(name, text))).toEqual({
        code: 0,
        out: [
          'OK: all annotations are valid',
          'Query.items: assumedSize: nothing -> 20',
          'Query.items: slicingArguments: ["first"] -> nothing',
          'Query.items: weight: 4 -> 5',
          '',
        ].join('\n'),
        err: '',
      });
    });

    it.each([
      ['SDL', 'old.graphql', sdl],
      [
        'the JSON of an introspection query',
        'old.json',
        JSON.stringify({ data: introspectionFromSchema(buildSchema(sdl)) }),
      ],
    ])('--diff compares the schema with an earlier schema given as %s, both priced by the same file', async (_, name, text) => {
      const { code, out } = await check(file(name, text));
      expect(code).toBe(0);
      expect(out.split('\n').slice(1)).toEqual([
        'Query.fresh: new, (id: ID!): Item',
        'Query.old: removed, was Int',
        'Query.item: weight: nothing -> 2',
        '',
      ]);
    });

    it('--diff reports if nothing has changed or if the earlier file is invalid', async () => {
      expect((await check(now)).out).toMatch(/nothing has changed since .*now\.graphql\n$/);
      expect((await check(costs)).out).toMatch(/nothing has changed since .*new-costs\.yaml\n$/);
      expect(await check(file('broken.graphql', 'type {'))).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^tollgate cost: --diff: .*broken\.graphql:1: Syntax Error/),
      });
      expect(await check(file('broken.yaml', 'Query.items: { wieght: 1 }'))).toMatchObject({
        code: 2,
        err: expect.stringContaining('broken.yaml:1: Query.items.wieght'),
      });
      expect(await check(join(folder, 'nowhere.graphql'))).toMatchObject({
        code: 2,
        err: expect.stringContaining('--diff'),
      });
    });
  });

  it('--check-schema prints a warning per list of unknown size and an error for a weight without effect', async () => {
    const schema = file(
      'abstract.graphql',
      `directive @cost(weight: String!) on INTERFACE
       type Query { nodes: [Node] others: [Node] } interface Node @cost(weight: "5") { id: ID }`,
    );
    const { code, out } = await run('--schema', schema, '--check-schema');
    expect([code, ...out.split('\n')]).toEqual([
      1,
      expect.stringMatching(/^error: Node: @cost on an interface has no effect/),
      expect.stringMatching(/^warning: Query\.nodes: this list has no known size/),
      expect.stringMatching(/^warning: Query\.others: this list has no known size/),
      '1 wrong',
      '',
    ]);
  });

  it('tollgate cost prices an external schema from introspection with prices in YAML', async () => {
    const foreign = buildSchema('type Query { hits: [Hit] } type Hit { id: ID }');
    const schema = file('foreign.json', JSON.stringify({ data: introspectionFromSchema(foreign) }));
    const overlay = file('overlay.yaml', 'Query.hits:\n  cost: 5\n  listSize: { assumedSize: 3 }\n');
    expect((await run('--schema', schema, '--query', '{ hits { id } }', '--costs', overlay)).out).toContain(': 8\n');
    const flat = file('costs.yaml', 'Query.hits: { weight: 5, assumedSize: 3 }\n');
    expect((await run('--schema', schema, '--query', '{ hits { id } }', '--costs', flat)).out).toContain(': 8\n');
    const pages = file(
      'pages.graphql',
      'type Query { hits(size: Int): Hits } type Hits { hits: [Hit] } type Hit { id: ID }',
    );
    const off = file('costs.yaml', 'inferConnections: false\n');
    const query = ['--schema', pages, '--query', '{ hits(size: 50) { hits { id } } }'];
    expect((await run(...query)).out).toContain(': 51\n');
    expect((await run(...query, '--costs', off)).out).toContain(': 11\n');
    const faulty = file('costs.yaml', '# prices\nQuery.hits: 5\nQuery.hist: 1\n"*.nope": 1\n');
    const checked = await run('--schema', schema, '--check-schema', '--costs', faulty);
    expect(checked.out).toContain(
      'costs.yaml:3: Query.hist: the overlay has a coordinate that the schema does not have; did you mean Query.hits?',
    );
    expect(checked.out).toContain('costs.yaml:4: *.nope: this pattern applies to no coordinate of the schema');
    expect(checked.err).toBe('');
    const priced = await run('--schema', schema, '--query', '{ hits { id } }', '--costs', faulty);
    expect([priced.code, priced.err]).toEqual([
      0,
      expect.stringMatching(
        /^Prices that do not fit .* no effect:\n {2}.*costs\.yaml:3: Query\.hist: .*\n {2}.*:4: \*\.nope: .*\n$/,
      ),
    ]);
    const words = file(
      'costs.yaml',
      'Query.hits: { wieght: 5, maxSize: -1 }\nQuery.other: x\n"*.nope": 1\nHit: 1\nHit: 2\n',
    );
    const rejected = await run('--schema', schema, '--check-schema', '--costs', words);
    // All problems are reported together: unknown options, invalid values, duplicate keys, and
    // names that are not in the schema.
    expect(rejected.err.trim().split('\n')).toHaveLength(6);
    expect(rejected.err).toContain('costs.yaml:1: Query.hits: maxSize: expected a whole number of 0 or more, got -1');
    expect(rejected.err).toContain('costs.yaml:2: Query.other: the overlay has a coordinate');
    expect(rejected.err).toContain('costs.yaml:3: *.nope: this pattern applies to no coordinate of the schema');
    expect(rejected.err).toContain('costs.yaml:5: Map keys must be unique');
    const neither = await run('--schema', '/nowhere', '--check-schema', '--costs', words);
    expect(neither.err).toMatch(/costs\.yaml:2: .*\n(.*\n)*--schema: cannot read \/nowhere/);
    expect(rejected.err).toContain('costs.yaml:1: Query.hits.wieght: unknown option; did you mean weight?');
    expect(rejected.err).toContain('costs.yaml:2: Query.other: expected a finite number, got "x"');
  });

  it.each([
    [['--query', popular], /--schema: expected the file/],
    [['--schema', '/nowhere', '--query', popular], /--schema: cannot read \/nowhere/],
    [
      ['--schema', popular, '--query', popular],
      /--schema: .*popular\.graphql:\d+: expected a schema, got operations or fragments/,
    ],
    [['--schema', shop], /--query: expected at least one file/],
    [['--schema', shop, '--query', '/nowhere'], /--query: cannot read \/nowhere/],
    [['--schema', shop, '--query', '{ shop { nam } }'], /\(query 1\):1: Cannot query field "nam"/],
    [['--schema', shop, '--query', '{ shop {'], /^\(query 1\):1: Syntax Error/],
    [['--schema', shop, '--query', popular, '--operation', 'Other'], /no operation named Other/],
    [
      ['--schema', shop, '--query', paged],
      /Paged: Invalid variables: Variable "\$n" of required type "Int!" was not provided/,
    ],
    [['--schema', shop, '--query', paged, '--variables', '{'], /--variables: invalid JSON/],
    [['--schema', shop, '--query', paged, '--variables', '[]'], /--variables: expected a JSON object/],
    [
      ['--schema', shop, '--query', popular, '--profile', 'mine'],
      /--profile: expected tokens, ibm, apollo, github or query-complexity/,
    ],
    [['--schema', shop, '--query', popular, '--budget', '-1'], /budget/],
    [
      ['--schema', shop, '--query', popular, '--default-list-size', 'ten'],
      /--default-list-size: expected a whole number/,
    ],
    [['--schema', shop, '--query', popular, '--json', '--explain'], /expected one of them, got several/],
    [['--schema', shop, '--query', popular, '--diff', shop], /--diff: .*shop\.graphql: /],
    [['--schemas', shop], /--schemas.*--help/],
  ])('tollgate cost rejects the arguments %j with an explanation', async (argv, message) => {
    const { code, err } = await run(...argv);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  describe('input files of projects', () => {
    const source = (name: string, text: string) => file(name, text);

    it('tollgate cost merges the types of a schema in several files and a folder', async () => {
      const modules = join(folder, 'modules');
      mkdirSync(join(modules, 'deep'), { recursive: true });
      writeFileSync(
        join(modules, 'a.graphql'),
        'type Query { a(first: Int): [A!] @listSize(slicingArguments: ["first"]) }',
      );
      writeFileSync(join(modules, 'deep/b.graphqls'), 'extend type Query { b: A }\ntype A { id: ID }');
      const c = source('c.graphql', 'type Query { c: Int @cost(weight: "3") }');
      const query = '{ a(first: 4) { id } b { id } c }';
      expect(await run('--schema', modules, '--schema', c, '--query', query)).toEqual({
        code: 0,
        out: '(query 1): 8\n',
        err: '',
      });
      const again = source('again.graphql', 'type Query {\n  c: Int }');
      const { err } = await run('--schema', c, '--schema', again, '--query', '{ c }');
      expect(err).toBe(`warning: ${again}:2: Query.c is defined twice; the definition in ${c}:1 is used\n`);
      const broken = source('broken-module.graphql', 'type A {\n id: }');
      expect((await run('--schema', c, '--schema', broken, '--query', '{ c }')).err).toContain(
        `--schema: ${broken}:2: `,
      );
    });

    it.each<[string, string]>([
      ['gql`...`', 'const q = gql`query Good { popular { id } }`;'],
      ['graphql(`...`)', 'export const q = graphql(`query Good { popular { id } }`);'],
      ['gql<Types>`...`', 'const q = gql<Data, { n: number }>`query Good { popular { id } }`;'],
      ['/* GraphQL */ `...`', 'client.query(/* GraphQL */ `query Good { popular { id } }`);'],
    ])('tollgate cost reads documents in TypeScript: %s', async (_, statement) => {
      const code = source(
        'code.ts',
        `// it's a comment with gql\`{ no }\`\nconst plain = \`a \${1} b\`;\n\n${statement}\n`,
      );
      expect(await run('--schema', shop, code)).toEqual({ code: 0, out: `${code} Good: 5\n`, err: '' });
    });

    it('tollgate cost resolves interpolated fragments and reports the line of a mistake in code', async () => {
      const code = source(
        'component.tsx',
        `export const PART = gql\`\n  fragment Part on Product { id price }\n\`;\nconst q = gql\`\n  query Good { popular { ...Part } }\n  \${PART}\n\`;\n`,
      );
      expect(await run('--schema', shop, code)).toEqual({ code: 0, out: `${code} Good: 15\n`, err: '' });
      const wrong = source('wrong.ts', 'const a = 1;\nconst q = gql`\n  query Wrong { nothing }\n`;\n');
      expect((await run('--schema', shop, wrong)).err).toContain(`${wrong}:3: Cannot query field "nothing"`);
      const none = source('none.ts', 'const a = 1;\n');
      expect((await run('--schema', shop, none)).err).toContain(`${none}:1: expected operations in gql`);
    });

    it.each<[string, unknown]>([
      [
        'Apollo',
        {
          format: 'apollo-persisted-query-manifest',
          version: 1,
          operations: [{ id: 'x1', name: 'Good', type: 'query', body: 'query Good { popular { id } }' }],
        },
      ],
      ['Relay and GraphQL Code Generator', { x1: 'query Good { popular { id } }' }],
    ])('tollgate cost reads the manifest of persisted documents of %s', async (_, manifest) => {
      const path = source('manifest.json', JSON.stringify(manifest));
      expect(await run('--schema', shop, path)).toEqual({ code: 0, out: `${path}#x1 Good: 5\n`, err: '' });
    });

    it('tollgate cost reads files with a byte order mark and files in UTF-16', async () => {
      const sdl = 'type Query { a: Int }';
      const json = JSON.stringify(introspectionFromSchema(buildSchema(sdl)));
      const bigEndian = Buffer.from(`\uFEFF${sdl}`, 'utf16le').swap16();
      for (const bytes of [`\uFEFF${json}`, Buffer.from(`\uFEFF${json}`, 'utf16le'), `\uFEFF${sdl}`, bigEndian]) {
        const path = join(folder, 'marked');
        writeFileSync(path, bytes);
        expect(await run('--schema', path, '--query', '{ a }')).toMatchObject({ code: 0, out: '(query 1): 1\n' });
      }
      const costs = source('marked.yaml', '\uFEFFQuery.a: { weight: 5 }\n');
      const schema = source('marked.graphql', sdl);
      expect(await run('--schema', schema, '--costs', costs, '--query', '{ a }')).toMatchObject({
        out: '(query 1): 5\n',
      });
      const variables = source('marked.json', '\uFEFF{ "n": 3 }');
      expect(await run('--schema', shop, paged, '--variables', variables)).toMatchObject({ code: 0 });
    });

    it('a schema with undefined directives and types is priced, with one warning for directives and one for types', async () => {
      const path = source('appsync.graphql', 'type Query {\n  a: AWSDate @aws_iam\n  b: Int @aws_iam\n}');
      expect(await run('--schema', path, '--query', '{ a }')).toEqual({
        code: 0,
        out: '(query 1): 1\n',
        err:
          `warning: ${path}:2: ignored directives that the schema does not define: @aws_iam\n` +
          `warning: ${path}:2: types that the schema does not define count as scalars: AWSDate\n`,
      });
    });
  });

  describe('several files', () => {
    const good = file('good.graphql', 'query Good { popular { id } }');

    it('tollgate cost prices valid operations and lists invalid ones with file and line', async () => {
      const broken = file('broken.graphql', 'query Broken {\n  shop {\n');
      const misspelled = file(
        'misspelled.graphql',
        'query Right { popular { id } }\n\nquery Wrong {\n  popular { idd }\n}',
      );
      const { code, out, err } = await run('--schema', shop, broken, misspelled, paged, '/nowhere', good);
      expect(code).toBe(2);
      expect(out).toBe(`${misspelled} Right: 5\n${paged} Paged: $n\n${good} Good: 5\n`);
      expect(err.split('\n')).toEqual([
        `${broken}:3: Syntax Error: Expected Name, found <EOF>.`,
        expect.stringMatching(/^--query: cannot read \/nowhere: ENOENT/),
        expect.stringContaining(`${misspelled}:4: Cannot query field "idd" on type "Product".`),
        `${paged}:1: Paged: Invalid variables: Variable "$n" of required type "Int!" was not provided. It costs $n: give --variables '{ "n": ... }'`,
        '',
      ]);
    });

    it('if an operation cannot be priced, the exit code is 2 even with a budget, and --json prints the other operations', async () => {
      const { code, out, err } = await run('--schema', shop, good, paged, '--json', '--budget', '4');
      expect(code).toBe(2);
      expect(JSON.parse(out)).toEqual({ operations: [expect.objectContaining({ operation: 'Good', cost: 5 })] });
      expect(err).toContain(`${good} Good: costs 5, above 4\n`);
    });

    it('operations with the same name are priced separately and reported with their lines', async () => {
      const twice = file(
        'twice.graphql',
        'query Same { popular { id } }\nquery Same { popular { price } }\n{ shop { name } }',
      );
      const { code, out, err } = await run('--schema', shop, twice);
      expect([code, out]).toEqual([2, `${twice} Same: 5\n${twice} Same: 15\n${twice}: 1\n`]);
      expect(err).toBe(
        `${twice}:2: There can be only one operation named "Same"; the first is in line 1\n` +
          `${twice}:3: an operation without a name must be the only operation of its file\n`,
      );
    });

    it('fragments may be in other files, and a message names the definition that is used', async () => {
      const user = file('user.graphql', 'query User { popular { ...Card } }');
      const card = file('card.graphql', 'fragment Card on Product { id ...Price }');
      const price = file('price.graphql', 'fragment Price on Product { price }');
      expect(await run('--schema', shop, user, card, price)).toEqual({ code: 0, out: `${user} User: 15\n`, err: '' });
      const same = file(
        'same.graphql',
        'query Own { popular { ...Card } }\nfragment Card on Product {\n  id ...Price\n}',
      );
      expect(await run('--schema', shop, user, card, price, same)).toMatchObject({ code: 0, err: '' });
      const other = file('other.graphql', 'query Own { popular { ...Card } }\nfragment Card on Product { id }');
      const several = await run('--schema', shop, user, card, price, other);
      expect(several).toMatchObject({ code: 2, out: `${user} User: 15\n${other} Own: 5\n` });
      expect(several.err).toBe(
        `${other}:2: fragment "Card" has another definition in ${card}:1, and ${user} uses that definition\n`,
      );
    });

    it('tollgate cost reports duplicate, unused, unknown and recursive fragments', async () => {
      const fragments = file(
        'fragments.graphql',
        `query Q { popular { ...Twice ...Nowhere } }
         fragment Twice on Product { price }
         fragment Twice on Product { id }
         fragment Unused on Product { id }
         query R { popular { ...Round } }
         fragment Round on Product { ...Round }
         query S { popular { id ...Twice } }`,
      );
      const { code, out, err } = await run('--schema', shop, fragments);
      expect([code, out]).toEqual([2, `${fragments} S: 15\n`]);
      expect(err.split('\n')).toEqual([
        `${fragments}:3: There can be only one fragment named "Twice"; the first is in line 2, and is the one that is used`,
        `${fragments}:4: Fragment "Unused" is never used.`,
        `${fragments}:1: Unknown fragment "Nowhere".`,
        `${fragments}:6: Cannot spread fragment "Round" within itself.`,
        '',
      ]);
    });

    it('a mistake in a fragment is reported once with its file, however many operations use it', async () => {
      const wrong = file('wrong-fragment.graphql', '\nfragment Wrong on Product { nope }');
      const uses = file('uses.graphql', 'query A { popular { ...Wrong } }\nquery B { popular { ...Wrong } }');
      expect((await run('--schema', shop, uses, wrong)).err).toBe(
        `${wrong}:2: Cannot query field "nope" on type "Product". Did you mean "name"?\n`,
      );
    });

    it('the error for an unknown operation name suggests the nearest name', async () => {
      expect((await run('--schema', shop, good, '--operation', 'Godo')).err).toMatch(
        /named Godo .*did you mean Good\?/,
      );
    });
  });

  it('a schema that defines a field twice is accepted, and a warning names the definition that is used', async () => {
    const schema = file(
      'repeated.graphql',
      'type Query {\n  a: Int @cost(weight: "5")\n}\nextend type Query {\n  a: Int\n  b: Int\n}\ninput I { x: Int x: Int }',
    );
    expect(await run('--schema', schema, '{ a b }')).toEqual({
      code: 0,
      out: '(query 1): 5\n',
      err:
        `warning: ${schema}:5: Query.a is defined twice; the definition in line 2 is used\n` +
        `warning: ${schema}:8: I.x is defined twice; the definition in line 8 is used\n`,
    });
    expect((await run('--schema', file('bad.graphql', 'type Query {\n  a:\n}'), '{ a }')).err).toMatch(
      /--schema: .*bad\.graphql:3: Syntax Error/,
    );
  });

  it('tollgate cost --help prints its flags', async () => {
    expect((await run('--help')).out).toContain('--check-schema');
  });
});
