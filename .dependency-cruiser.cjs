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
    only('config-knows-patterns-only', '^src/(config(-settings)?|pools/read-pools)\\.ts$', [
      '^src/(errors|problems)\\.ts$',
      '^src/pools/pool-(name|patterns)\\.ts$',
    ]),
    only('pools', '^src/pools/', [
      '^src/(errors|problems)\\.ts$',
      '^src/rules/(types|pattern|rule-index)\\.ts$',
      '^src/limiter/connect\\.ts$',
    ]),
    only('cost-is-pure', '^src/cost/', ['^src/(errors|problems)\\.ts$']),
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
    only('limiter', '^src/limiter/', [
      '^src/(errors|problems)\\.ts$',
      '^src/rules/types\\.ts$',
      '^src/pools/pool-name\\.ts$',
    ]),
    only(
      'rules-matching-is-pure',
      '^src/rules/(types|charge-size|match|pattern|validate|values|(rule|tier)-input|rollout|address-map|(prepare|bind)-rules?|rule-index)\\.ts$',
      [
        '^src/(errors|problems)\\.ts$',
        '^src/rules/(types|charge-size|match|pattern|validate|values|(rule|tier)-input|rollout|address-map|(prepare|bind)-rules?|rule-index)\\.ts$',
      ],
    ),
    only('rules', '^src/rules/', ['^src/(errors|problems)\\.ts$', '^src/store/']),
    only('store', '^src/store/', ['^src/(errors|problems)\\.ts$']),
    only('identity', '^src/identity/', ['^src/(errors|problems)\\.ts$', '^src/rules/']),
    only('usage', '^src/usage/', ['^src/(errors|problems)\\.ts$', '^src/store/']),
    only('live', '^src/live/', ['^src/rules/', '^src/plugin/decision-record\\.ts$']),
    only('plugin', '^src/plugin(/|\\.ts$)', [
      '^src/(errors|problems)\\.ts$',
      '^src/cost/',
      '^src/rules/',
      '^src/pools/pool-(name|patterns)\\.ts$',
      '^src/limiter/',
      '^src/identity/types\\.ts$',
      '^src/usage/',
    ]),
    only('admin', '^src/admin/', [
      '^src/(errors|problems)\\.ts$',
      '^src/rules/',
      '^src/usage/',
      '^src/live/',
      '^src/limiter/',
      '^src/cost/',
      '^src/store/',
    ]),
    only('demo', '^src/demo/', ['^src/(errors|problems)\\.ts$', '^src/rules/(types|validate)\\.ts$']),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};
