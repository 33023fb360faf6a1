import { type ExecutionResult, graphql } from 'graphql';
import { createAdminContext } from '../../src/admin/context/admin-context.js';
import { createAdminSchema } from '../../src/admin/create-admin-schema.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createLimiter, type MonitoredLimiter } from '../../src/limiter/create-limiter.js';
import type { PoolHealth } from '../../src/limiter/fallback/engine-observer.js';
import type { Db } from '../../src/postgres/db.js';
import { createQuota } from '../../src/protection/create-quota.js';
import { createDocumentRegistry } from '../../src/registry/create-document-registry.js';
import { createRuleset, type Ruleset } from '../../src/rules/matching/ruleset.js';
import type { AdminRole } from '../../src/rules/store/create-admin-token-store.js';
import type { Actor } from '../../src/rules/store/create-change-log.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store/rules-store.js';
import { describeApi } from '../../src/tollgate/describe-api.js';
import { createUsageReader } from '../../src/usage/query/usage-reader.js';
import type { TypedDocumentString } from '../generated/graphql.js';
import { createDemoSchema } from '../helpers/demo-schema.js';

export const ANN: Actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' };

/**
 * Creates the admin API over a database that counts its statements, with a limiter (by default in
 * memory) and the sample API.
 */
export async function createAdminWorld(db: Db, limiter: MonitoredLimiter = createLimiter()) {
  const statements: string[] = [];
  const countingDb: Db = {
    query: (sql, params) => {
      statements.push(sql);
      return db.query(sql, params);
    },
    tx: (run) =>
      db.tx((tx) =>
        run({
          ...tx,
          query: (sql, params) => {
            statements.push(sql);
            return tx.query(sql, params);
          },
        }),
      ),
    close: () => db.close(),
  };
  const store: RulesStore = createRulesStore(countingDb);
  const demo = createDemoSchema();
  const analyzer = createCostAnalyzer(demo);
  let ruleset: Ruleset | undefined;
  const current = () => {
    if (!ruleset) throw new Error('expected a call of enforce first');
    return ruleset;
  };
  const { quota, resetQuota } = createQuota({ limiter, ruleset: current });
  const failures: unknown[] = [];
  const problems: string[] = [];
  const engines: PoolHealth[] = [];
  const usage = createUsageReader(countingDb);
  const api = describeApi(
    { schema: demo, analyzer },
    {
      limiter,
      ruleset: current,
      mode: 'ENFORCE',
      fee: 1,
      decisions: (range, limit) => usage.decisions(range, limit),
    },
  );
  const schema = createAdminSchema({
    store,
    registry: createDocumentRegistry(countingDb, store.write),
    usage,
    apis: { services: async () => [], apiOf: async () => api, all: async () => [api] },
    onError: (error) => failures.push(error),
    healthOf: () => ({
      problems,
      engines,
      rules: ruleset && { version: ruleset.version, source: 'postgres', databaseAway: undefined },
    }),
    quotaOf: quota,
    resetQuota,
  });

  return {
    store,
    usage,
    limiter,
    schema,
    statements,
    /** Problems that the responding process reports about itself. */
    problems,
    /** State of each Redis, from the view of the responding process. */
    engines,
    /** Failures that were only logged. */
    failures,
    /** Makes quotas and previews use the stored tiers and rules. */
    async enforce(): Promise<Ruleset> {
      ruleset = createRuleset({ tiers: await store.listTiers(), rules: await store.listRules(), version: 1 }).at(
        Date.now(),
      );
      return ruleset;
    },
    async run<Result, Variables extends Record<string, unknown>>(
      document: TypedDocumentString<Result, Variables>,
      variables: Variables,
      role: AdminRole = 'ADMIN',
    ): Promise<ExecutionResult<Result>> {
      const result = await graphql({
        schema,
        source: document.toString(),
        variableValues: variables,
        contextValue: createAdminContext({ actor: ANN, role }, { store, usage }),
      });
      return JSON.parse(JSON.stringify(result)) as ExecutionResult<Result>;
    },
  };
}

export type AdminWorld = Awaited<ReturnType<typeof createAdminWorld>>;
