// Measures the usage queries on 10 million rows, over a day and over 90 days:
//   npx tsx bench/usage-queries/run.ts
// --few is a quick check that everything works, on a few hundred thousand rows.

import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { levelOfRange } from '../../src/usage/query/time-range.js';
import { createUsageReader } from '../../src/usage/query/usage-reader.js';
import { startPostgresServer } from '../../test/helpers/servers.js';
import { describeMachine } from '../frame/machine.js';
import { machineLine } from '../frame/table.js';
import { measureRows } from './measure-rows.js';
import { QUESTIONS } from './queries.js';
import { A_FEW, seedUsage, TEN_MILLION } from './seed-usage.js';

const DAY_MS = 86_400_000;
const ROUNDS = 5;
const RANGES = [
  { name: 'a day', ms: DAY_MS, targetMs: 200 },
  { name: '90 days', ms: 90 * DAY_MS, targetMs: 1000 },
];

const server = await startPostgresServer();
try {
  const db = await createPgDb({ url: server.url, statementTimeoutMs: 3_600_000 });
  await migrate(db);
  const until = new Date();
  const startedMs = performance.now();
  const rows = await seedUsage(db, until, process.argv.includes('--few') ? A_FEW : TEN_MILLION);
  console.log(machineLine(describeMachine()));
  console.log(
    `${rows} rows, made in ${Math.round((performance.now() - startedMs) / 1000)} s; times: the median of ${ROUNDS} runs, and the first run`,
  );
  for (const { table, rows, bytesPerRow } of await measureRows(db)) {
    console.log(
      `${table.padEnd(40)} ${String(rows).padStart(10)} rows of ${bytesPerRow.toFixed(0)} bytes, indexes included`,
    );
  }
  const usage = createUsageReader(db);
  for (const { name, ms, targetMs } of RANGES) {
    const range = { from: new Date(until.getTime() - ms), to: until };
    console.log(`\n${name}, at most ${targetMs} ms:`);
    for (const question of QUESTIONS) {
      const times: number[] = [];
      let found = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const askedMs = performance.now();
        found = (await question.ask(usage, range, levelOfRange(range))).length;
        times.push(performance.now() - askedMs);
      }
      const first = times[0]!;
      const median = [...times].sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
      const verdict = median <= targetMs ? '' : '  TOO SLOW';
      console.log(
        `${question.name.padEnd(40)} ${median.toFixed(1).padStart(8)} ${first.toFixed(1).padStart(8)} ms, ${found} rows${verdict}`,
      );
    }
  }
  await db.close();
} finally {
  await server.stop();
}
