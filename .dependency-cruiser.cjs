// Who may import whom: data goes one way, from the server down to errors. `npm run check` enforces it.
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^src/', pathNot: [from, ...allowed] },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'server-is-the-root',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli\\.ts$' },
      to: { path: '^src/server\\.ts$' },
    },
    { name: 'src-not-from-tests', severity: 'error', from: { path: '^src/' }, to: { path: '^(test|bench|scripts)/' } },
    only('errors-import-nothing', '^src/(errors|problems)\\.ts$', []),
    // Patterns of pools are checked where everything else is: as rules read them.
    only('model-imports-nothing', '^src/model/', []),
    only('config', '^src/(config(-settings)?|pools/read-pools)\\.ts$', [
      '^src/(errors|problems)\\.ts$',
      '^src/model/',
      '^src/pools/pool-patterns\\.ts$',
    ]),
    only('pools', '^src/pools/', [
      '^src/(errors|problems)\\.ts$',
      '^src/model/',
      '^src/rules/matching/',
      '^src/limiter/redis/connect\\.ts$',
    ]),
    only('cost-is-pure', '^src/cost/', ['^src/(errors|problems)\\.ts$', '^src/model/']),
    {
      name: 'cost-knows-graphql-only',
      severity: 'error',
      from: { path: '^src/cost/' },
      to: { path: 'node_modules', pathNot: 'node_modules/(graphql|lru-cache|zod)/' },
    },
    {
      name: 'limiter-knows-no-graphql',
      severity: 'error',
      from: { path: '^src/limiter/' },
      to: { path: 'node_modules/(graphql|@apollo|type-graphql|pg)/' },
    },
    only('limiter', '^src/limiter/', ['^src/(errors|problems)\\.ts$', '^src/model/']),
    only('rules-are-read-and-matched-purely', '^src/rules/(policy|matching)/', [
      '^src/(errors|problems)\\.ts$',
      '^src/model/',
    ]),
    only('rules', '^src/rules/', ['^src/(errors|problems)\\.ts$', '^src/model/', '^src/postgres/']),
    only('postgres', '^src/postgres/', ['^src/(errors|problems)\\.ts$', '^src/model/']),
    only('identity', '^src/identity/', ['^src/(errors|problems)\\.ts$', '^src/model/', '^src/rules/']),
    only('usage', '^src/usage/', ['^src/(errors|problems)\\.ts$', '^src/model/', '^src/postgres/']),
    only('live', '^src/observability/live/', ['^src/model/', '^src/rules/']),
    only('plugin', '^src/plugin(/|\\.ts$)', [
      '^src/(errors|problems)\\.ts$',
      '^src/model/',
      '^src/cost/',
      '^src/rules/',
      '^src/pools/pool-patterns\\.ts$',
      '^src/limiter/',
      '^src/usage/',
    ]),
    only('admin', '^src/admin/', [
      '^src/create-tollgate\\.ts$',
      '^src/plugin/fee\\.ts$',
      '^src/(errors|problems)\\.ts$',
      '^src/model/',
      '^src/rules/',
      '^src/usage/',
      '^src/observability/live/',
      '^src/limiter/',
      '^src/cost/',
      '^src/postgres/',
    ]),
    only('demo', '^src/demo/', ['^src/(errors|problems)\\.ts$', '^src/model/', '^src/rules/policy/']),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};
