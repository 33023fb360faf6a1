import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longest-first.js';

const require = createRequire(import.meta.url);

export default defineConfig({
  resolve: {
    // graphql 16 ships two builds; vitest would load both ("another module or realm").
    alias: [{ find: /^graphql$/, replacement: require.resolve('graphql/index.js') }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // What takes minutes: `npm run test:faults`.
    exclude: ['test/faults/**'],
    globalSetup: ['test/helpers/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Two cores are busy with it: most files wait for servers, processes and time more than they compute.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
  },
});
