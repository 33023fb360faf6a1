import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildSchema } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { createTollgate } from '../../src/index.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { startRedisServer, uniqueName } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { limitOn, slots } from './socket-api.js';

const SERVER = fileURLToPath(new URL('./killed-server.ts', import.meta.url));

test('slots of a server that is killed are renewed until then, and free again after leaseMs', async () => {
  const redis = await startRedisServer();
  onTestFinished(() => redis.stop());
  const limits = [slots(2, { leaseMs: 3000 })];
  const rules = [limitOn('SUBSCRIPTIONS', 2, { limits }), limitOn('CONNECTIONS', 2, { limits })];
  const user = uniqueName('caller');
  const child = spawn(process.execPath, ['--import', 'tsx', SERVER], {
    env: { ...process.env, REDIS_URL: redis.url, RULES: JSON.stringify(rules), CALLER: user },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (part) => {
    output += String(part);
  });
  await until('the server listens', () => /listening on \d+/.test(output));
  const url = `ws://127.0.0.1:${/listening on (\d+)/.exec(output)![1]}`;
  const schema = buildSchema('type Query { a: Int } type Subscription { ticks: Int }');
  const silent = { info() {}, warn() {}, error() {} };
  const tollgate = await createTollgate<object>({
    schema,
    redis: redis.url,
    deadlineMs: PATIENT_MS,
    rules,
    logger: silent,
  });
  onTestFinished(() => tollgate.close());
  const used = async () =>
    (await tollgate.quota({ user, ip: '192.0.2.1' }))
      .filter(({ rule }) => rule === 'subscriptions' || rule === 'connections')
      .map((entry) => entry.used);
  const isUsed = async (count: number) => (await used()).every((one) => one === count);
  for (let index = 0; index < 2; index++) {
    const socket = new WebSocket(url, 'graphql-transport-ws');
    onTestFinished(() => socket.terminate());
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('{"type":"connection_init"}');
    await new Promise((resolve) => socket.once('message', resolve));
    socket.send('{"type":"subscribe","id":"1","payload":{"query":"subscription { ticks }"}}');
  }
  await until('all slots are used', () => isUsed(2), PATIENT_MS);
  // Without renewals, the slots would be free by then.
  const openedMs = performance.now();
  await until('the first lease has passed', () => performance.now() - openedMs > 4000, PATIENT_MS, 100);
  expect(await used()).toEqual([2, 2]);
  child.kill('SIGKILL');
  await until('all slots are free', () => isUsed(0), PATIENT_MS, 100);
});
