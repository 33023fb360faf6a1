// Import rules: left may import right, and nothing calls back up. `npm run check` enforces it.
const ANYWHERE = ['^src/(model|options|runtime)/'];

/** A module of `from` may import its own folder, the shared folders, and `allowed`. */
const only = (name, from, allowed = []) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^src/', pathNot: [from, ...ANYWHERE, ...allowed] },
});

/** From npm, `from` loads nothing but these packages; types of others cost nothing. */
const packages = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: {
    path: 'node_modules/',
    pathNot: `node_modules/(${allowed.join('|')})/`,
    dependencyTypesNot: ['type-only'],
  },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'src-not-from-tests', severity: 'error', from: { path: '^src/' }, to: { path: '^(test|bench|scripts)/' } },

    { ...only('model-imports-nothing', '^src/model/'), to: { path: '^src/', pathNot: '^src/model/' } },
    { ...only('options', '^src/options/'), to: { path: '^src/', pathNot: '^src/(options|model)/' } },
    { ...only('runtime', '^src/runtime/'), to: { path: '^src/', pathNot: '^src/(runtime|model)/' } },
    only('cost', '^src/cost/'),
    packages('cost-loads-graphql-only', '^src/cost/', ['graphql', 'lru-cache']),
    only('limiter', '^src/limiter/'),
    packages('limiter-loads-ioredis-only', '^src/limiter/', ['ioredis']),
    only('documents', '^src/documents/'),
    packages('documents-load-graphql-only', '^src/documents/', ['graphql', 'lru-cache']),
    only('postgres', '^src/postgres/'),
    packages('postgres-loads-drivers-only', '^src/postgres/', ['pg', '@electric-sql']),
    only('rules-policy-and-matching-do-no-io', '^src/rules/(policy|matching)/'),
    only('rules-store', '^src/rules/store/', ['^src/rules/(policy|matching)/', '^src/postgres/']),
    only('rules-live', '^src/rules/live/', ['^src/rules/(store|policy|matching)/', '^src/postgres/']),
    only('registry', '^src/registry/', ['^src/(cost|postgres|documents|services|rules/(policy|store|live))/']),
    only('identity', '^src/identity/', ['^src/rules/(live|store)/']),
    only('protection', '^src/protection/', ['^src/(cost|limiter|documents|rules/(matching|policy))/']),
    packages('protection-knows-no-server', '^src/protection/', ['graphql']),
    only('any-server', '^src/any-server/', ['^src/(protection|documents)/']),
    packages('any-server-loads-graphql-only', '^src/any-server/', ['graphql']),
    only('yoga', '^src/yoga/', ['^src/(protection|any-server)/']),
    packages('yoga-is-an-adapter-without-packages', '^src/yoga/', ['graphql']),
    only('mercurius', '^src/mercurius/', ['^src/(protection|any-server|graphql-ws)/']),
    packages('mercurius-is-an-adapter-without-packages', '^src/mercurius/', ['graphql']),
    only('graphql-ws', '^src/graphql-ws/', ['^src/(protection|any-server|rules/matching)/']),
    packages('graphql-ws-is-an-adapter-without-packages', '^src/graphql-ws/', ['graphql']),
    only('graphql-http', '^src/graphql-http/', ['^src/(protection|any-server)/']),
    packages('graphql-http-is-an-adapter-without-packages', '^src/graphql-http/', ['graphql']),
    only('nest', '^src/nest/', ['^src/(apollo|yoga|any-server|tollgate)/']),
    packages('nest-is-an-adapter-without-packages', '^src/nest/', ['graphql']),
    only('graphiql', '^src/graphiql/'),
    packages('graphiql-loads-its-peers-only', '^src/graphiql/', ['react', '@graphiql']),
    only('apollo', '^src/apollo/', ['^src/(protection|documents)/']),
    packages('apollo-is-the-adapter-of-apollo', '^src/apollo/', ['graphql', '@apollo']),
    // Code that all served APIs share.
    only('http', '^src/http/', ['^src/protection/']),
    // Decisions about operations that other servers execute. The server puts them together with the rest.
    only('decisions', '^src/decisions/', ['^src/(protection|any-server|http|limiter|documents|rules/policy)/']),
    packages('decisions-load-graphql-only', '^src/decisions/', ['graphql', 'zod', 'lru-cache']),
    // An API that is elsewhere. The server puts it together with the rest.
    only('gateway', '^src/gateway/', [
      '^src/(protection|any-server|http|cost)/',
      '^src/tollgate/create-tollgate\\.ts$',
    ]),
    packages('gateway-loads-undici', '^src/gateway/', ['graphql', 'express', 'lru-cache', 'undici', 'ws']),
    only('services', '^src/services/', ['^src/(cost|postgres|rules/policy)/']),
    only('usage', '^src/usage/', ['^src/postgres/']),
    only('capacity', '^src/capacity/'),
    only('simulation', '^src/simulation/', ['^src/(protection|cost|limiter|rules/(policy|matching)|usage/query)/']),
    only('observability', '^src/observability/', [
      '^src/(limiter|rules/live|usage/record|cost|identity)/',
      '^src/postgres/db\\.ts$',
    ]),
    {
      name: 'nobody-below-imports-observability',
      severity: 'error',
      from: {
        path: '^src/(model|cost|limiter|documents|rules|postgres|identity|protection|any-server|yoga|mercurius|apollo|usage|simulation)/',
      },
      to: { path: '^src/observability/' },
    },
    {
      name: 'create-tollgate-knows-no-platform',
      severity: 'error',
      from: { path: '^src/tollgate/' },
      to: { path: '^src/(admin|server)/' },
    },
    only('testing', '^src/testing/', ['^src/(tollgate|any-server|protection|documents|rules/policy)/']),
    only('admin', '^src/admin/', [
      '^src/(rules|usage|services|limiter|cost|protection|simulation|postgres|registry|observability/live)/',
      '^src/tollgate/create-tollgate\\.ts$',
      '^src/(http|any-server)/',
      '^src/identity/(address-of|guess-limit|trusted-proxies-option)\\.ts$',
      '^src/apollo/is-unserved-subscription\\.ts$',
      '^src/documents/',
      '^src/observability/create-plain-log\\.ts$',
    ]),
    {
      name: 'nobody-imports-the-platform-package',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^packages/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};
