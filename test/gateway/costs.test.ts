import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openGateway, serveUpstream, TYPES } from './gateway.js';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-costs-'));

it('a refresh loads a changed price file and keeps the previous prices when the file is faulty', async () => {
  const upstream = await serveUpstream();
  const costsFile = join(folder, 'costs.yaml');
  writeFileSync(costsFile, 'Query.item: 7\n');
  const { ask, refreshSchema, log } = await openGateway(upstream.url, { costsFile });
  const price = async () => (await ask('{ item { name } }')).body.extensions.cost.requestedQueryCost;
  const first = await price();
  expect(first).toBe(8);

  writeFileSync(costsFile, '"Query.ite*": 20\n');
  await refreshSchema();
  expect(await price()).toBe(21);
  expect(log.join('\n')).toContain('Query.item: 7 -> nothing; Query.ite*: nothing -> 20');

  writeFileSync(costsFile, '# more\nQuery.itme: 1\nQuery.gone: 2\n');
  await refreshSchema();
  await refreshSchema();
  expect(await price()).toBe(21);
  const rejections = log.filter((line) => line.startsWith('The prices could not be refreshed'));
  expect(rejections).toHaveLength(1);
  expect(rejections[0]).toContain(
    `${costsFile}:2: Query.itme: the overlay has a coordinate that the schema does not have; did you mean Query.item?`,
  );
  expect(rejections[0]).toContain(`${costsFile}:3: Query.gone: the overlay has a coordinate`);

  writeFileSync(costsFile, '# more\nQuery.item: { weight: a lot }\nQuery.itme: 1\n');
  expect((await refreshSchema()).problems).toEqual([
    `${costsFile}:2: Query.item: weight: expected a number, got "a lot"`,
    expect.stringContaining(`${costsFile}:3: Query.itme: the overlay has a coordinate that the schema does not have`),
  ]);
  expect(await price()).toBe(21);
  expect(log.join('\n')).toContain(`${costsFile}:2: Query.item: weight: expected a number, got "a lot"`);
});

it('a price file sets the inference options of paginated lists and is rejected when one is invalid', async () => {
  const upstream = await serveUpstream();
  const costsFile = join(folder, 'inference.yaml');
  writeFileSync(costsFile, 'inferConnections: false\ninferListSizes: { count: false }\nQuery.item: 7\n');
  const { ask, refreshSchema, log } = await openGateway(upstream.url, { costsFile });
  const price = async () => (await ask('{ item { name } }')).body.extensions.cost.requestedQueryCost;
  expect(await price()).toBe(8);
  writeFileSync(costsFile, 'inferConnections: true\nQuery.item: 9\n');
  await refreshSchema();
  expect(await price()).toBe(10);
  expect(log.join('\n')).toContain('inferConnections: false -> true; inferListSizes: {"count":false} -> nothing');
  writeFileSync(costsFile, 'Query.item: 9\ninferConnections: perhaps\ninferListSizes: { sizes: false }\n');
  expect((await refreshSchema()).problems).toEqual([
    `${costsFile}:2: inferConnections: expected true or false, got "perhaps"`,
    `${costsFile}:3: inferListSizes.sizes: unknown option; did you mean size?`,
  ]);
});

it('presets in a price file give a size to lists without any other size, and the log reports their change', async () => {
  const upstream = await serveUpstream();
  const [costsFile, schemaFile] = [join(folder, 'presets.yaml'), join(folder, 'presets.graphql')];
  writeFileSync(schemaFile, `${TYPES} extend type Item { errors: [Item!]! }`);
  writeFileSync(costsFile, 'presets: []\n');
  const { ask, refreshSchema, log } = await openGateway(upstream.url, { costsFile, schemaFile });
  const price = async () => (await ask('{ item { errors { name } } }')).body.extensions.cost.requestedQueryCost;
  expect(await price()).toBe(11);
  writeFileSync(costsFile, 'presets: [errors]\n');
  const { change } = await refreshSchema();
  expect(await price()).toBe(2);
  expect(log.join('\n')).toContain('presets: [] -> ["errors"]');
  expect(JSON.stringify(change)).toContain('defaultSize');
});

it('a gateway does not start with invalid values in its price file and reports every one of them', async () => {
  const upstream = await serveUpstream();
  const costsFile = join(folder, 'wrong.yaml');
  writeFileSync(
    costsFile,
    'Query.item: { weight: a lot }\n"*.item": { assumedSize: -1, maxSize: 1.5 }\nQuery.echo: { requireOneSlicingArgument: yes please }\nQuery.gone: { wieght: 1 }\n',
  );
  await expect(openGateway(upstream.url, { costsFile })).rejects.toThrow(
    [
      '--costs: 6 mistakes',
      `${costsFile}:1: Query.item: weight: expected a number, got "a lot"`,
      `${costsFile}:2: *.item: assumedSize: expected a whole number of 0 or more, got -1`,
      `${costsFile}:2: *.item: maxSize: expected a whole number of 0 or more, got 1.5`,
      `${costsFile}:3: Query.echo: requireOneSlicingArgument: expected true or false, got "yes please"`,
      `${costsFile}:4: Query.gone.wieght: unknown option; did you mean weight?`,
      `${costsFile}:4: Query.gone: the overlay has a coordinate that the schema does not have`,
    ].join('\n  '),
  );
});

it('a failed start reports the mistakes in the price file as well as the unreachable API', async () => {
  const upstream = await serveUpstream();
  await upstream.stop();
  const costsFile = join(folder, 'both.yaml');
  writeFileSync(costsFile, 'Query.item: { weight: a lot }\n');
  await expect(openGateway(upstream.url, { costsFile, schemaFile: undefined })).rejects.toThrow(
    /^--costs: 1 mistake\n.*both\.yaml:1: Query\.item: .*\nThe schema of the upstream cannot be read: .*ECONNREFUSED/,
  );
});

it('a price for a removed field becomes a warning in the log and /readyz, and the other prices stay in force', async () => {
  const upstream = await serveUpstream();
  const costsFile = join(folder, 'gone.yaml');
  const schemaFile = join(folder, 'schema.graphql');
  writeFileSync(costsFile, 'Query.item: 7\nQuery.echo: 30\n');
  writeFileSync(schemaFile, TYPES);
  const { ask, refreshSchema, log, url } = await openGateway(upstream.url, { costsFile, schemaFile });
  writeFileSync(schemaFile, TYPES.replace('echo(value: String): String, ', ''));
  await refreshSchema();
  expect((await ask('{ item { name } }')).body.extensions.cost.requestedQueryCost).toBe(8);
  expect(log.join('\n')).toContain(`${costsFile}:2: Query.echo: the overlay has a coordinate`);
  const logged = log.filter((line) => line.includes('Query.echo: the overlay has a coordinate'));
  expect(logged).toHaveLength(1);
  const ready = await fetch(url.replace('/graphql', '/readyz'), { headers: { connection: 'close' } });
  expect({ status: ready.status, body: await ready.json() }).toMatchObject({
    status: 200,
    body: { degraded: [expect.stringContaining('Query.echo')] },
  });
});
