// `npm run load:lookups`: measures look-ups of callers that are in no cache. It measures them
// without other load, and while an administrator requests reports over 100,000 callers and 30 days.
// The p99 must not exceed 50 ms. --few is a quick check that everything works.
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { ADMIN_TOKEN, post, startPlatform } from '../../test/helpers/platform.js';
import { startRedisServer } from '../../test/helpers/servers.js';
import { describeMachine } from '../frame/machine.js';
import { percentile } from '../frame/statistics.js';
import { machineLine } from '../frame/table.js';
import { startSeeded } from '../rules/seed.js';
import { seedUsage } from '../usage-queries/seed-usage.js';
import { seedCallers } from './seed-callers.js';

const isFew = process.argv.includes('--few');
const CALLERS = isFew ? 2_000 : 100_000;
const DAYS = 30;
const LOOKUPS = isFew ? 50 : 300;
const REPORTS_AT_ONCE = 3;
const BOUND_MS = 50;
const ALIASES = Array.from(
  { length: 12 },
  (_, index) => `a${index}: topCallers(first: 5, range: $range) { nodes { requests } }`,
);

const postgres = await startSeeded({ rules: 500, subjects: CALLERS });
const redis = await startRedisServer();
const db = await createPgDb({ url: postgres.url, statementTimeoutMs: 3_600_000 });
let platform: Awaited<ReturnType<typeof startPlatform>> | undefined;
try {
  const until = new Date();
  const rows = await seedUsage(db, until, {
    subjects: CALLERS,
    operationsPerSubject: 1,
    minuteDays: 1,
    minuteSubjects: 10,
    hourDays: 1,
    hourSubjects: 10,
    dayDays: DAYS,
    events: 10_000,
  });
  const store = createRulesStore(db);
  const seed = (name: string) => seedCallers(store, name, 'tier-1', LOOKUPS);
  const [alone, duringReports] = [await seed('alone'), await seed('beside')];
  platform = await startPlatform({
    env: { REDIS_URL: redis.url, DATABASE_URL: postgres.url, LOG_LEVEL: 'warn' },
    args: ['--demo'],
  });
  console.log(machineLine(describeMachine()));
  console.log(`${CALLERS} callers, ${rows} rows of usage, ${LOOKUPS} look-ups`);
  print('alone', await lookUp(alone));

  const range = { from: new Date(until.getTime() - DAYS * 86_400_000).toISOString(), to: until.toISOString() };
  const query = `query ($range: TimeRangeInput) { ${ALIASES.join(' ')} }`;
  const reports = { isOver: false, statuses: new Map<number, number>(), longestMs: 0 };
  const asking = Array.from({ length: REPORTS_AT_ONCE }, () => askForReports());
  const duringReportsMs = await lookUp(duringReports);
  reports.isOver = true;
  await Promise.all(asking);
  print(`during ${REPORTS_AT_ONCE} reports at a time`, duringReportsMs);
  console.log(
    `reports: ${[...reports.statuses].map(([status, count]) => `${count} with status ${status}`).join(', ')}, the longest ${Math.round(reports.longestMs)} ms`,
  );
  if (percentile(duringReportsMs, 0.99) > BOUND_MS) {
    console.log(`BROKEN: the p99 of look-ups during reports is more than ${BOUND_MS} ms`);
    process.exitCode = 1;
  }

  async function askForReports(): Promise<void> {
    while (!reports.isOver) {
      const askedMs = performance.now();
      const { status } = await post(
        `${platform!.url}/admin/graphql`,
        { query, variables: { range } },
        { authorization: `Bearer ${ADMIN_TOKEN}` },
      );
      reports.statuses.set(status, (reports.statuses.get(status) ?? 0) + 1);
      reports.longestMs = Math.max(reports.longestMs, performance.now() - askedMs);
      // Each report uses a part of the administrator's budget.
      if (status === 429) await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async function lookUp(keys: readonly string[]): Promise<number[]> {
    const tookMs: number[] = [];
    for (const key of keys) {
      const askedMs = performance.now();
      const { status } = await post(`${platform!.url}/graphql`, '{ __typename }', { 'x-api-key': key });
      if (status !== 200) throw new Error(`a look-up got status ${status}`);
      tookMs.push(performance.now() - askedMs);
    }
    return tookMs;
  }
} finally {
  await platform?.stop();
  await db.close();
  await redis.stop();
  await postgres.stop();
}

function print(what: string, tookMs: readonly number[]): void {
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(tookMs, share).toFixed(1));
  console.log(`${what.padEnd(30)} p50 ${p50} ms, p99 ${p99} ms`);
}
