import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longest-first.js';
import { SHORT_LIVED } from './test/helpers/short-lived.js';

const require = createRequire(import.meta.url);

/** They measure or end their own process, keep it to deadlines, or wait long for others: each has a worker of its own. */
const APART = [
  '{abuse,bounds,browser,deploy,docs,examples,observability/live,packages,server/http}/**/*',
  'limiter/{denials,lease}/*',
  'limiter/{charge,edits,histories,pools,processes,reset,settle,validation}',
  'limiter/outage/{deadlines,decide-locally,instances,late-charge}',
  'limiter/redis/{calls-by-node,charge-across-slots,cluster-once,connect,pending,sentinel}',
].map((files) => `test/${files}.test.ts`);

/** What every suite of this repository has. */
export const shared = {
  resolve: {
    // graphql 16 ships two builds; vitest would load both ("another module or realm").
    alias: [{ find: /^graphql$/, replacement: require.resolve('graphql/index.js') }],
  },
};

/** What every test has. */
export const common = {
  // They end what hangs, and say nothing of speed: a slow machine, busy with four files at a time, needs minutes for some.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  pool: 'forks' as const,
  execArgv: SHORT_LIVED,
};

/** What a run has once, for all of its projects. */
export const forAll = {
  globalSetup: ['test/helpers/global-setup.ts'],
  sequence: { sequencer: LongestFirst },
  // Two cores are busy with it: most files wait for servers, processes and time more than they compute.
  maxWorkers: 4,
};

export default defineConfig({
  ...shared,
  test: {
    ...forAll,
    projects: [
      // What takes minutes, or packages of others, has a configuration of its own: `npm run test:faults`, `npm run test:foreign`.
      { ...shared, test: { ...common, name: 'apart', include: APART } },
      {
        ...shared,
        test: {
          ...common,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: ['test/faults/**', 'test/foreign/**', ...APART],
          // To load the modules once more for every file takes longer than most tests.
          isolate: false,
        },
      },
    ],
  },
});
