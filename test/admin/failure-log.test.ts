import { expect, it } from 'vitest';
import { createFailureLog } from '../../src/admin/create-failure-log.js';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { freePort } from '../helpers/servers.js';
import { until } from '../helpers/until.js';

/** Returns the error of a statement whose server does not accept connections. */
async function outage(): Promise<unknown> {
  const db = await createPgDb({ url: `postgres://127.0.0.1:${await freePort()}/none` });
  try {
    return await db.query('select 1').then(
      () => expect.unreachable('nothing listens there'),
      (error: unknown) => error,
    );
  } finally {
    await db.close();
  }
}

function openLog(isReported: () => boolean) {
  const lines: { details: object; message: string }[] = [];
  const logger = { error: (details: object, message: string) => void lines.push({ details, message }) };
  return { lines, ...createFailureLog({ logger, isReported, noticeMs: 20 }) };
}

it('an outage that only the admin API notices is logged once, with its reason in place of a stack', async () => {
  const { lines, failed, close } = openLog(() => false);
  for (const error of [await outage(), await outage()]) failed(error, 'A request failed');
  await until('the line is logged', () => lines.length > 0);
  failed(await outage(), 'A request failed');
  expect(lines).toEqual([
    {
      details: { reason: expect.stringContaining('ECONNREFUSED') },
      message: 'Requests of the admin API failed: PostgreSQL did not respond',
    },
  ]);
  close();
});

it('a failure that is no outage is logged each time, with the error', () => {
  const { lines, failed } = openLog(() => true);
  const error = new Error('a mistake');
  for (const _time of [1, 2]) failed(error, 'A request failed');
  expect(lines).toEqual(Array(2).fill({ details: { err: error }, message: 'A request failed' }));
});

it('an outage that the check of PostgreSQL reports is not logged again, even if it ends immediately', async () => {
  let looks = 0;
  const { lines, failed } = openLog(() => ++looks === 3);
  failed(await outage(), 'A request failed');
  await until('the log has checked three times', () => looks >= 3);
  // When a second log, which began later, has written its line, the first log would have written
  // its line too.
  const later = openLog(() => false);
  later.failed(await outage(), 'A request failed');
  await until('the later log has a line', () => later.lines.length > 0);
  expect(lines).toEqual([]);
});
