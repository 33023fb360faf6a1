import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runToEnd, startPlatform } from '../helpers/platform.js';
import { temporaryFile } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { type Decider, type DeciderWorld, deciderAt, openWorld } from './decider.js';

let world: DeciderWorld;
let there: Decider;
beforeAll(async () => {
  world = await openWorld();
  there = await world.start();
});
afterAll(() => world.end());

const SCHEMA = temporaryFile('schema.graphql', 'type Query { item: Item } type Item { name: String }');

describe('tollgate decide', () => {
  it('prices the schema of a file, and another instance settles its receipts after kill -9', async () => {
    const env = { REDIS_URL: world.redis.url, DATABASE_URL: world.database.url };
    const platform = await startPlatform({ command: 'decide', args: ['--schema', SCHEMA], env });
    // The process prints the addresses after it has begun to answer.
    await until('the addresses are printed', () =>
      /decide +http:\/\/localhost:\d+\/v1\/decide/.test(platform.output()),
    );
    expect(platform.output()).toContain('Tollgate is ready to decide');
    const killed = deciderAt(platform.url);
    const query = `{ ${Array.from({ length: 50 }, (_, index) => `i${index}: item { name }`).join(' ')} }`;
    const { admitted, cost, receipt } = await killed.decide({ query, variables: null, subject: { user: 'survivor' } });
    expect([admitted, cost]).toEqual([true, 50]);
    await platform.kill();
    const charged = await there.left('survivor');
    expect(await there.settle({ receipt, actualCost: 20 })).toMatchObject({ settled: true, actualCost: 20 });
    expect(await there.left('survivor')).toBe(charged + 30);
    await platform.stop();
  });

  it('prices the sample API with --demo, and names the missing schema and only its own flags', async () => {
    const platform = await startPlatform({
      command: 'decide',
      args: ['--demo', '--decisions-socket', join(SCHEMA, '..', 'decide.sock')],
    });
    const query = '{ countries(first: 2) { name } }';
    const decision = await deciderAt(platform.url).decide({
      query,
      variables: null,
      subject: undefined,
      headers: { 'X-API-Key': 'demo-free' },
    });
    expect(decision).toMatchObject({ admitted: true, cost: 2 });
    const unknown = await deciderAt(platform.url).decide({
      query,
      subject: undefined,
      headers: { 'x-api-key': 'tg_no' },
    });
    expect(unknown).toMatchObject({ admitted: false, status: 401 });
    expect(await platform.stop()).toBe(0);
    const help = await runToEnd(['decide', '--help']);
    for (const flag of ['--decisions-port', '--score-header', '--schema']) expect(help.output).toContain(`  ${flag} `);
    // These flags need an API, or turn the service on that this command always serves.
    for (const flag of ['--decisions', '--traffic', '--max-batch-size', '--cors-origins'])
      expect(help.output).not.toContain(`  ${flag} `);
    const { status, output } = await runToEnd(['decide']);
    expect(status).toBe(1);
    expect(output).toContain('--schema: expected the file of a schema');
    const unused = await runToEnd(['decide', '--demo', '--decisions', '--no-traffic', '--max-batch-size=5']);
    expect(unused.status).toBe(1);
    expect(unused.output).toContain('3 mistakes');
    for (const line of [
      '--decisions: expected without this flag, because `tollgate decide` always serves decisions',
      '--traffic: expected without this flag, because `tollgate decide` serves no API',
      '--max-batch-size: expected without this flag, because `tollgate decide` serves no API',
    ])
      expect(unused.output).toContain(line);
  });
});
