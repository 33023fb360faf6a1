import { defineConfig } from 'vitest/config';
import { common, forAll, shared } from './vitest.config.js';

/** Servers that others wrote, each from packages of its own: `npm run test:foreign` installs them first. */
export default defineConfig({
  ...shared,
  test: { ...common, ...forAll, include: ['test/foreign/*.test.ts'], maxWorkers: 2 },
});
