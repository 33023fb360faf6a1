import { Redis } from 'ioredis';
import { afterAll, inject, test } from 'vitest';
import { SCOPES } from '../../src/model/subject.js';
import { checkHistories } from './check-histories.js';

const client = new Redis(inject('redisUrl'));
afterAll(() => client.disconnect());

/** Number of histories. For a longer search: HISTORIES=50000. */
const RUNS = Number(process.env['HISTORIES'] ?? 250);
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

test(
  `both engines and the model agree on every number in ${RUNS} random histories (SEED=${seed})`,
  () => checkHistories({ client, scopes: SCOPES, runs: RUNS, seed }),
  // While other tests run on two cores, a history takes up to 50 ms.
  500 * RUNS + 60_000,
);
