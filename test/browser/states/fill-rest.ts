import { createPgDb } from '../../../src/postgres/create-pg-db.js';
import type { Db } from '../../../src/postgres/db.js';
import { ADMIN_TOKEN, post } from '../../helpers/platform.js';

/** A name without a space at which a line could end. */
const LONG = 'name-without-spaces-'.repeat(10);

/** Number of versions that the rule of the tests gets, with a comment each. */
const VERSIONS = 12;

/**
 * Adds what the pages show besides callers, rules and usage: admin tokens, keys, changes, and names
 * that are as long as they may be.
 */
export async function fillRest(databaseUrl: string): Promise<void> {
  const db = await createPgDb({ url: databaseUrl, statementTimeoutMs: 600_000 });
  const hash = 'md5(n || $1) || md5($1 || n)';
  await db.query(
    `insert into admin_tokens (name, role, token_hash, expires_at)
     select case n when 400 then left($2, 100) else 'person-' || n end, (array['VIEWER', 'OPERATOR', 'ADMIN'])[n % 3 + 1],
       ${hash}, case n % 2 when 0 then now() + n * interval '1 day' end
     from generate_series(1, 400) n`,
    ['token', LONG],
  );
  await db.query(
    `insert into api_keys (prefix, secret_hash, subject_id, name)
     select 'key' || n, ${hash}, (select id from subjects where user_id = 'user-77'),
       case n when 90 then left($2, 100) else 'Key ' || n end
     from generate_series(1, 90) n`,
    ['key', LONG],
  );
  await db.query(
    `insert into changes (entity, entity_key, action, actor, auth_method, before, after, comment)
     select 'TIER', 'tier-1', 'UPDATE', case n % 7 when 0 then left($1, 100) else 'person-' || n end, 'TOKEN',
       jsonb_build_object('capacity', n), jsonb_build_object('capacity', n + 1, 'displayName', case n % 5 when 0 then $1 end),
       case n % 5 when 0 then $1 end
     from generate_series(1, 20000) n`,
    [LONG],
  );
  await fillDocuments(db);
  await db.query('update rules set description = $1 where name = $2', [LONG, 'rule-7']);
  await db.query('update tiers set display_name = left($1, 100) where name = $2', [LONG, 'tier-1']);
  // Gives long names to the caller, the operation and the rule at the top of their lists.
  await db.query(`update usage_subjects set name = $1 where name in ('caller-1')`, [LONG]);
  await db.query(`update usage_operations set name = $1 where name in ('Operation1')`, [LONG]);
  await db.query(`update usage_rules set name = left($1, 100) where name = 'rule-1'`, [LONG]);
  await db.query(
    `update events set user_id = $1, operation_name = $1, rule = left($1, 100) where id in (select id from events order by at desc limit 3)`,
    [LONG],
  );
  await db.close();
}

/** Adds 600 versions of apps, of which one has many documents, uses and callers. */
async function fillDocuments(db: Db): Promise<void> {
  await db.query(
    `insert into document_versions (app, version, state, pushed_by, published_at)
     select case n when 600 then left($1, 64) else 'app-' || n % 20 end, '1.' || n || '.0',
       (array['DRAFT', 'PUBLISHED', 'RETIRED'])[n % 3 + 1], case n when 7 then left($1, 100) else 'person-' || n end, now()
     from generate_series(1, 600) n`,
    [LONG],
  );
  await db.query(
    `insert into document_texts (hash, body)
     select encode(sha256(convert_to(text, 'UTF8')), 'hex'), text from (
       select 'query Q' || n || ' { countries(first: ' || n || ') { ' || case n % 5 when 0 then 'absent' else 'name' end || ' } }' as text
       from generate_series(1, 3000) n) texts`,
  );
  await db.query(
    `insert into registered_documents (app, document_id, hash, operation_name, operation_type, id_print, hash_print)
     select 'app-7', 'sha256:' || hash, hash, case row_number() over (order by hash) % 7 when 0 then left($1, 200) else 'Operation' end,
       'QUERY', 0, 0 from document_texts`,
    [LONG],
  );
  const version = `(select id from document_versions where app = 'app-7' and version = '1.7.0')`;
  await db.query(
    `insert into version_documents (version_id, document) select ${version}, number from registered_documents`,
  );
  await db.query(
    `insert into document_uses (version_id, document, day, uses, last_used_at)
     select ${version}, number, current_date, number * 1000, now() from registered_documents where number % 2 = 0`,
  );
  await db.query(
    `insert into document_callers (version_id, caller, uses, last_used_at)
     select ${version}, 'user ' || case n when 1 then left($1, 95) else 'user-' || n end, 1000 - n, now() from generate_series(1, 500) n`,
    [LONG],
  );
}

/** Changes the mode of a rule often, so that its history has many versions. */
export async function changeRuleOften(platformUrl: string): Promise<void> {
  for (let version = 0; version < VERSIONS; version++) {
    const mode = version % 2 === 0 ? 'SHADOW' : 'ENFORCE';
    const { body } = await post(
      `${platformUrl}/admin/graphql`,
      `mutation { ruleSetMode(input: { name: "rule-7", mode: ${mode}, comment: "${LONG}" }) { userErrors { message } } }`,
      { authorization: `Bearer ${ADMIN_TOKEN}` },
    );
    if (body.errors || body.data.ruleSetMode.userErrors.length > 0) throw new Error(JSON.stringify(body));
  }
}
