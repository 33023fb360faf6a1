import { expect, it } from 'vitest';
import { runSoak } from '../../bench/load/run-soak.js';
import { countCases } from '../abuse/serve.js';

/** Duration of this test. `npm run soak` runs the same load for longer. */
const SECONDS = 30;

it('N4: every invariant holds at the end of a mixed load with random faults', async (context) => {
  const { problems, load } = await runSoak({
    seconds: SECONDS,
    requestsPerSecond: 60,
    identities: 1_000_000,
    seed: 7,
  });
  expect(problems).toEqual([]);
  countCases(context, load.requests);
});
