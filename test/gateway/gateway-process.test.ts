import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEmbeddedPlatform } from '../helpers/embedded-platform.js';
import { type Platform, post } from '../helpers/platform.js';
import { until } from '../helpers/until.js';
import { serveUpstream } from './gateway.js';

let platform: Platform;
const write = (name: string, text: string) => writeFileSync(join(platform.folder, name), text);
beforeAll(async () => {
  const upstream = await serveUpstream();
  // The gateway reads the schema again only on request.
  const args = ['--upstream', upstream.url, '--schema-poll-ms', '0', '--costs', 'costs.yaml'];
  platform = await startEmbeddedPlatform({
    command: 'gateway',
    args,
    prepare: (folder) => writeFileSync(join(folder, 'costs.yaml'), 'Query.item: 7\n'),
  });
});
afterAll(async () => expect(await platform.stop()).toBe(0));

const price = async () => {
  const { body } = await post(`${platform.url}/graphql`, '{ item { name } }');
  return body.extensions.cost.requestedQueryCost;
};
async function sendHangUp(expected: string): Promise<void> {
  platform.process.kill('SIGHUP');
  await until(expected, () => platform.output().includes(expected));
}

it('SIGHUP reloads the prices of a running gateway completely or not at all and never ends the process', async () => {
  expect(await price()).toBe(8);
  write('costs.yaml', 'Query.item: 9\n');
  await sendHangUp('The prices have changed (SIGHUP): Query.item: 7 -> 9');
  expect(await price()).toBe(10);
  write('costs.yaml', 'Query.item: 11\nQuery.itme: 1\n');
  await sendHangUp('costs.yaml:2: Query.itme: the overlay has a coordinate that the schema does not have');
  expect(await price()).toBe(10);
  write('costs.yaml', 'Query.item: 11\n');
  await sendHangUp('The prices have changed (SIGHUP): Query.item: 9 -> 11');
  expect(await price()).toBe(12);
  expect(platform.process.exitCode).toBeNull();
});
