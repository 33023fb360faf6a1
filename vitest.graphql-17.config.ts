import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { common, forAll } from './vitest.config.js';

/** Every import of a package goes to that of this folder, or there would be two versions of graphql. */
const folder = fileURLToPath(new URL('test/foreign/graphql-17', import.meta.url));
const of = (name: string, file: string) => ({
  find: new RegExp(`^${name}$`),
  replacement: `${folder}/node_modules/${name}/${file}`,
});

/** The cost engine and GraphQL Yoga on graphql 17: `npm run test:graphql17`. */
export default defineConfig({
  resolve: {
    alias: [
      of('graphql', 'index.mjs'),
      of('@graphql-tools/schema', 'esm/index.js'),
      of('graphql-yoga', 'esm/index.js'),
      of('graphql-query-complexity', 'dist/esm/index.js'),
    ],
  },
  test: {
    ...common,
    ...forAll,
    include: ['test/cost/**/*.test.ts', 'test/foreign/graphql-17/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      // TypeGraphQL and the demo have graphql 16.
      'test/cost/type-graphql.test.ts',
      'test/cost/most-expensive-paths.test.ts',
      // They replace what a scalar has copied in graphql 17, and clone what cannot be cloned there.
      'test/cost/variables-that-do-not-fit.test.ts',
      'test/cost/object-notes.test.ts',
    ],
    // And these two start an Apollo Server, which has graphql 16.
    testNamePattern:
      /^(?!.*(runs no resolver, pays the rejection fee|a protected server charges the true cost of an operation))/,
    maxWorkers: 2,
  },
});
