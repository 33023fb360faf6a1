import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readCostsFile } from '../../src/server/costs/costs-file.js';
import { runToEnd } from '../helpers/platform.js';
import { openGateway, serveUpstream } from './gateway.js';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-write-costs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Schema of an API without annotations, with guesses of each kind. */
const SDL = `
  type Query { items: [Item!]! pages(first: Int): [Item!]! users(amount: Int): [Item!]! carts: [Cart!]! }
  type Cart { tags: [Tag!]! item: Item }
  type Item { name: String tags: [Tag!]! }
  type Tag { name: String }
`;
const schemaFile = join(folder, 'schema.graphql');
writeFileSync(schemaFile, SDL);

async function write(upstream: string, file: string, ...args: string[]) {
  return runToEnd(
    ['gateway', '--upstream', upstream, '--schema', schemaFile, ...args, '--write-costs', file],
    {},
    folder,
  );
}

it('the log of a gateway advises entries of the price file and never an annotation, and stops once the file has them', async () => {
  const upstream = await serveUpstream();
  const costsFile = join(folder, 'live.yaml');
  writeFileSync(costsFile, '"Query.carts": { defaultSize: 5 }\n');
  const { log, refreshSchema } = await openGateway(upstream.url, { schemaFile, costsFile });
  const of = (start: string) => log.filter((line) => line.startsWith(start));
  const [guesses, ...more] = of('Parts of the schema whose price is a guess');
  expect(more).toEqual([]);
  expect(guesses).toContain('--write-costs FILE writes the entries');
  expect(guesses).toContain(
    '\n  Query.items: this list has no known size: the default list size (10) is used; add "Query.items": { defaultSize: 10 } with its maximum length',
  );
  expect(guesses).toContain(
    '\n  Query.pages: if first is not given, the default list size (10) is used; add "Query.pages"',
  );
  expect(guesses).toContain('tags (2 lists: Cart.tags, Item.tags)');
  const entry = '"Query.users": { assumedSize: 10, slicingArguments: [amount] }';
  expect(of('Arguments that look like list sizes')).toEqual([
    `Arguments that look like list sizes, but do not affect the price; to use them, add to the file of prices:\n  ${entry}`,
  ]);
  expect(log.join('\n')).not.toContain('@listSize');

  writeFileSync(costsFile, `"Query.*": { defaultSize: 5 }\n"*.tags": { defaultSize: 5 }\n${entry}\n`);
  log.length = 0;
  await refreshSchema();
  expect(log.join('\n')).toContain('The prices have changed');
  expect(log.join('\n')).not.toMatch(/guess|look like/);
});

it('tollgate gateway --write-costs writes all advised entries as comments, keeps the other content, and exits', async () => {
  const upstream = await serveUpstream();
  const file = join(folder, 'costs.yaml');
  const before = '# Ours\nQuery.items: { weight: 2, assumedSize: 50 } # checked\n';
  writeFileSync(file, before);
  const { status, output } = await write(upstream.url, file);
  expect(output).toBe(`${file}: 4 entries added as comments; edit them, and start the gateway with --costs ${file}\n`);
  expect(status).toBe(0);
  const after = readFileSync(file, 'utf8');
  expect(after.startsWith(before)).toBe(true);
  expect(after.slice(before.length).trim().split('\n').sort()).toEqual([
    '# "*.tags": { defaultSize: 10 } # the default list size',
    '# "Query.carts": { defaultSize: 10 } # the default list size',
    '# "Query.pages": { defaultSize: 10 } # the default list size',
    '# "Query.users": { assumedSize: 10, slicingArguments: [amount] }',
    '# 2: Cart.tags, Item.tags',
  ]);
  // Comments change no price.
  expect((await readCostsFile(file)).overlay).toEqual({ 'Query.items': { weight: 2, assumedSize: 50 } });

  expect((await write(upstream.url, file)).output).toBe(`${file}: no entry added, because the file has all of them\n`);
  expect(readFileSync(file, 'utf8')).toBe(after);

  // Without the comment signs, the entries are valid and leave no guess.
  writeFileSync(file, after.replaceAll(/^# "/gm, '"'));
  const { log } = await openGateway(upstream.url, { schemaFile, costsFile: file });
  expect(log.join('\n')).not.toMatch(/guess|look like/);
});

it('tollgate gateway --write-costs creates a file for the schema that introspection reports', async () => {
  const upstream = await serveUpstream();
  const file = join(folder, 'new.yaml');
  const { status } = await runToEnd(['gateway', '--upstream', upstream.url, '--write-costs', file], {}, folder);
  expect(status).toBe(0);
  expect(readFileSync(file, 'utf8')).toMatch(
    /^# Prices by schema coordinate.*\n# The comments are .*\n\n# "Expensive\.one": /,
  );
});

it('tollgate gateway --write-costs fails without a stack trace if the file or the schema cannot be used', async () => {
  const upstream = await serveUpstream();
  const json = join(folder, 'costs.json');
  const list = join(folder, 'list.yaml');
  writeFileSync(list, '- 1\n');
  for (const [file, reason] of [
    [json, `--write-costs: expected a YAML file, because JSON has no comments; got ${json}`],
    [join(folder, 'nowhere', 'costs.yaml'), 'cannot be written: ENOENT'],
    [list, 'expected schema coordinates as keys'],
  ] as const) {
    const { status, output } = await write(upstream.url, file);
    expect(output).toContain(reason);
    expect(output).not.toMatch(/^\s+at /m);
    expect(status).toBe(1);
  }
  expect(existsSync(json)).toBe(false);
  await upstream.stop();
  const away = await runToEnd(['gateway', '--upstream', upstream.url, '--write-costs', json], {}, folder);
  expect([away.status, away.output]).toEqual([1, expect.stringContaining('The schema of the upstream cannot be read')]);
});
