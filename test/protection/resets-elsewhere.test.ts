import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Subject } from '../../src/model/subject.js';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { redisDatabase, uniqueName } from '../helpers/servers.js';
import { openServerDatabase } from '../postgres/databases.js';

// In these tests this process resets quotas, and another process decides.

let database: Awaited<ReturnType<typeof openServerDatabase>>;
let tollgate: Tollgate;
let worker: ChildProcess;
beforeAll(async () => {
  database = await openServerDatabase();
  const redis = redisDatabase(inject('redisUrl'), 3);
  const script = fileURLToPath(new URL('./reset-worker.ts', import.meta.url));
  worker = fork(script, [redis, database.url], { execArgv: ['--import', 'tsx'] });
  await once(worker, 'message');
  tollgate = await createTollgate({
    schema: buildSchema('type Query { item: Int }'),
    redis,
    postgres: database.url,
    deadlineMs: PATIENT_MS,
    usage: false,
    logger: { info() {}, warn() {}, error() {} },
  });
});
afterAll(async () => {
  worker?.disconnect();
  await tollgate?.close();
  await database?.dispose();
});

async function ask(
  user: string,
  times: number,
): Promise<{ admitted: number; remembered: number; held: number; denied: unknown }> {
  const answered = once(worker, 'message');
  worker.send({ user, times });
  return (await answered)[0];
}

async function reset(subject: Subject): Promise<void> {
  const numbers = { before: subject, after: subject };
  const actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' } as const;
  const done = { action: 'RESET_QUOTA' as const, key: subject, data: { counted: subject } };
  await tollgate.store!.recordCallerAction({ ...done, ...numbers }, actor, async () => {
    expect(await tollgate.resetQuota(subject)).toBe(true);
  });
}

test('a caller is admitted after a reset in another process, although the deciding process has remembered the denial', async () => {
  const [user, other] = [uniqueName('greedy'), uniqueName('other')];
  for (const one of [user, other]) {
    await ask(one, 450);
    expect(await ask(one, 10)).toMatchObject({ admitted: 0, remembered: 10 });
  }
  await reset({ user });
  await expect.poll(() => ask(user, 1)).toMatchObject({ admitted: 1 });
  // The deciding process still remembers the denials of other users.
  expect(await ask(other, 10)).toMatchObject({ admitted: 0, remembered: 10 });
});

test('a process does not spend leased tokens of counters that another process reset', async () => {
  const user = uniqueName('busy');
  expect((await ask(user, 50)).held).toBeGreaterThan(0);
  await reset({ user });
  await expect.poll(async () => (await ask(uniqueName('nobody'), 1)).held).toBe(0);
  const { admitted } = await ask(user, 450);
  expect(admitted).toBeLessThanOrEqual(400);
  expect(admitted).toBeGreaterThan(350);
});
