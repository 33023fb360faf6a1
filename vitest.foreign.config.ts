import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { common, forAll, shared } from './vitest.config.js';

/** A folder with packages of its own; there may be one version of graphql, so that of the folder. */
function folder(name: string) {
  const packages = fileURLToPath(new URL(`test/foreign/${name}/node_modules`, import.meta.url));
  const alias = [
    { find: /^graphql$/, replacement: `${packages}/graphql/index.js` },
    { find: /^@graphql-tools\/schema$/, replacement: `${packages}/@graphql-tools/schema/esm/index.js` },
  ];
  return { resolve: { alias }, test: { ...common, name, include: [`test/foreign/${name}/*.test.ts`] } };
}

/** Servers that others wrote, each from packages of its own: `npm run test:foreign` installs them first. */
export default defineConfig({
  ...shared,
  test: {
    ...forAll,
    maxWorkers: 2,
    projects: [
      { ...shared, test: { ...common, name: 'kubernetes', include: ['test/foreign/kubernetes/*.test.ts'] } },
      { ...shared, test: { ...common, name: 'manifests', include: ['test/foreign/manifests/*.test.ts'] } },
      { ...shared, test: { ...common, name: 'graphiql', include: ['test/foreign/graphiql/*.test.ts'] } },
      {
        ...shared,
        test: {
          ...common,
          hookTimeout: 600_000,
          name: 'public-schemas',
          include: ['test/foreign/public-schemas/*.test.ts'],
        },
      },
      { ...shared, test: { ...common, hookTimeout: 600_000, name: 'upstreams', include: ['test/foreign/*.test.ts'] } },
      folder('hive-gateway'),
      folder('nest-yoga'),
    ],
  },
});
