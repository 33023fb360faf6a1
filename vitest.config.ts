import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longest-first.js';
import { SHORT_LIVED } from './test/helpers/short-lived.js';

const require = createRequire(import.meta.url);

/** They measure their own process, or keep it to deadlines: each has a worker of its own. */
const APART = [
  'abuse/{counters,documents,memory,rejections,requests}',
  'bounds/caches',
  'browser/*',
  'limiter/denials/*',
  'limiter/lease/{denied-callers,leases}',
  'limiter/{charge,edits,pools,reset,settle}',
  'limiter/outage/{deadlines,decide-locally,instances,late-charge}',
  'limiter/redis/{calls-by-node,charge-across-slots,cluster-once,pending,sentinel}',
  'server/http/{hardening,pace-requests}',
].map((files) => `test/${files}.test.ts`);

/** They install packages by the hundred, as users do: `npm run test:installed`. */
const INSTALLED = ['client/package', 'deploy/image', 'examples/**/*', 'packages/{entry-points,first-hour}'].map(
  (files) => `test/${files}.test.ts`,
);
/** Attacks on whole platforms, each of them three times: `npm run test:faults`. */
const ON_PLATFORMS = ['test/abuse/platforms/**/*.test.ts'];
/** Every page of the console in every state, at every width: `npm run test:states`. */
const STATES = ['test/browser/states.test.ts'];
/** Programs in languages that `npm test` does not install: `npm run test:go`. */
const PEERS = ['test/peers/*.test.ts'];
const OF_OTHER_COMMANDS = [...PEERS, ...INSTALLED, ...ON_PLATFORMS, ...STATES, 'test/faults/**', 'test/foreign/**'];

/** Options of every suite of this repository. */
export const shared = {
  resolve: {
    // graphql 16 ships two builds; vitest would load both ("another module or realm").
    alias: [{ find: /^graphql$/, replacement: require.resolve('graphql/index.js') }],
  },
};

/** Options of every test. */
export const common = {
  // The timeouts end tests that hang. They assert no speed: a slow machine that runs four files at a
  // time needs minutes for some tests.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  pool: 'forks' as const,
  execArgv: SHORT_LIVED,
};

/** Options of a run, for all of its projects. */
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
      // Tests that take minutes or install packages have commands of their own.
      { ...shared, test: { ...common, name: 'apart', include: APART, exclude: OF_OTHER_COMMANDS } },
      { ...shared, test: { ...common, name: 'installed', include: INSTALLED } },
      { ...shared, test: { ...common, name: 'on platforms', include: ON_PLATFORMS } },
      { ...shared, test: { ...common, name: 'peers', include: PEERS } },
      { ...shared, test: { ...common, name: 'states', include: STATES, testTimeout: 600_000 } },
      {
        ...shared,
        test: {
          ...common,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...OF_OTHER_COMMANDS, ...APART],
          // To load the modules once more for every file takes longer than most tests.
          isolate: false,
        },
      },
    ],
  },
});
