import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { startPostgresServer } from '../../test/helpers/servers.js';

/** Number of rows in the tables. */
export interface Population {
  rules: number;
  subjects: number;
}

/** Number of rules that apply to every operation of the benchmark, at every size of the ruleset. */
const APPLYING = 5;

/**
 * Starts a PostgreSQL with the given numbers of rules and subjects, and four tiers. Five of the
 * rules apply to the operations of the benchmark. The other rules do not apply: a fifth of them
 * each match other fields, tiers, operation names, clients or addresses.
 */
export async function startSeeded({ rules, subjects }: Population): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await startPostgresServer();
  const db = await createPgDb({ url: server.url, statementTimeoutMs: 120_000 });
  await migrate(db);
  await db.query(
    `insert into tiers (name, display_name, capacity, refill_amount, refill_period_ms, is_default)
     select 'tier-' || n, 'Tier ' || n, 2000000000, 1000000, 1000, n = 0 from generate_series(0, 3) n`,
  );
  await db.query(
    `insert into rules (name, mode, rollout_percent, priority, scope, field, measure, action, on_unavailable,
       match_operation_names, match_clients, match_addresses)
     select 'rule-' || n, 'ENFORCE', 100, 100,
       case when n < $2 then (array['USER', 'TENANT', 'IP', 'USER', 'GLOBAL'])[n + 1] else 'USER' end,
       case when n < $2 then (array['Query.countries', '*', '*', 'Query.*', '*'])[n + 1]
         when n % 5 = 0 then 'Query.other' || n else 'Query.countries' end,
       case when n < $2 then 'REQUESTS' else 'COST' end, 'REJECT', 'LOCAL',
       case when n >= $2 and n % 5 = 2 then array['Operation' || n] else '{}' end,
       case when n >= $2 and n % 5 = 3 then array['client-' || n] else '{}' end,
       case when n >= $2 and n % 5 = 4
         then array['172.' || (16 + n / 65536) || '.' || (n / 256 % 256) || '.' || (n % 256) || '/32'] else '{}' end
     from generate_series(0, $1 - 1) n`,
    [rules, APPLYING],
  );
  await db.query(
    `insert into rule_limits (rule_id, position, algorithm, amount, window_ms)
     select id, 0, 'FIXED_WINDOW', 2000000000, 60000 from rules`,
  );
  await db.query(
    `insert into rule_tiers (rule_id, tier)
     select id, 'tier-3' from rules where name in (select 'rule-' || n from generate_series($2::int, $1 - 1) n where n % 5 = 1)`,
    [rules, APPLYING],
  );
  await db.query(
    `insert into subjects (tenant_id, user_id, tier)
     select 'tenant-' || n % 1000, 'user-' || n, 'tier-' || n % 3 from generate_series(0, $1 - 1) n`,
    [subjects],
  );
  await db.query(
    `insert into changes (entity, entity_key, action, actor, auth_method) values ('RULE', '1', 'CREATE', 'bench', 'SYSTEM')`,
  );
  await db.query('analyze');
  await db.close();
  return server;
}
