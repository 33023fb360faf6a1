import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { type Population, startSeeded } from '../rules/seed.js';
import { A_FEW, seedUsage, type UsagePopulation } from '../usage-queries/seed-usage.js';

/** Contents of the database behind the console. */
export interface ConsolePopulation {
  policy: Population;
  usage: UsagePopulation;
}

const CALLERS = 100_000;

/** Population at which the console must keep its bounds: 100,000 callers and 90 days of usage. */
export const FULL_CONSOLE: ConsolePopulation = {
  policy: { rules: 10_000, subjects: CALLERS },
  usage: {
    subjects: CALLERS,
    operationsPerSubject: 1,
    minuteDays: 2,
    minuteSubjects: 200,
    hourDays: 35,
    hourSubjects: 1000,
    dayDays: 90,
    daySubjects: 10_000,
    events: 500_000,
  },
};

/** A small population, for a quick check. */
export const SMALL_CONSOLE: ConsolePopulation = { policy: { rules: 500, subjects: 1000 }, usage: A_FEW };

/**
 * Starts a PostgreSQL with the rules, callers and usage of a population. Resolves to its URL and the
 * number of rows of usage.
 */
export async function fillConsole({
  policy,
  usage,
}: ConsolePopulation): Promise<{ url: string; rows: number; stop(): Promise<void> }> {
  const { url, stop } = await startSeeded(policy);
  const db = await createPgDb({ url, statementTimeoutMs: 3_600_000 });
  try {
    return { url, stop, rows: await seedUsage(db, new Date(), usage) };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await db.close();
  }
}
