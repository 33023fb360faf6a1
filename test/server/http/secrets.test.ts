import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_TOKEN, type Platform, post, startPlatform } from '../../helpers/platform.js';
import { startRedisServer, type TestServer } from '../../helpers/servers.js';
import { openServerDatabase } from '../../postgres/databases.js';

const TOKEN = { authorization: `Bearer ${ADMIN_TOKEN}` };
/** Invalid credentials and a variable of a caller, which must not appear in any output. */
const WRONG = {
  key: 'canary-wrong-key-4711',
  bearer: 'tg_canary-wrong-bearer-4712',
  token: 'eyJhbGciOiJIUzI1NiJ9.canary-claims-4713.canary-signature-4714',
  admin: 'canary-wrong-admin-4715',
  variable: 'canary-variable-4716',
};

let redis: TestServer;
let database: Awaited<ReturnType<typeof openServerDatabase>>;
let platform: Platform;
beforeAll(async () => {
  redis = await startRedisServer();
  database = await openServerDatabase();
  platform = await startPlatform({
    env: { REDIS_URL: redis.url, DATABASE_URL: database.url, LOG_LEVEL: 'trace' },
    args: ['--demo'],
  });
});
afterAll(async () => {
  await platform.stop();
  await database.dispose();
  await redis.stop();
});

it('no credential appears in a log, an error, a metric, a change or a database dump, however it was sent', async () => {
  const admin = (query: string, headers: Record<string, string> = TOKEN) =>
    post(`${platform.url}/admin/graphql`, query, headers);
  const ask = (headers: Record<string, string>) =>
    post(
      `${platform.url}/graphql`,
      { query: 'query ($code: ID!) { country(code: $code) { name } }', variables: { code: WRONG.variable } },
      headers,
    );
  const shown: unknown[] = [];
  const keep = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    shown.push(body);
    return status;
  };

  await keep(admin('mutation { subjectAssignTier(input: { user: "42", tier: "pro" }) { userErrors { code } } }'));
  // The next three responses show new secrets, one each. The test does not search these responses.
  const made = (
    await admin('mutation { apiKeyCreate(input: { user: "42", name: "shown" }) { secret apiKey { id prefix } } }')
  ).body.data.apiKeyCreate;
  const rotate = `mutation { apiKeyRotate(input: { id: "${made.apiKey.id}" }) { secret } }`;
  const rotated = (await admin(rotate)).body.data.apiKeyRotate;
  const token = (await admin('mutation { adminTokenCreate(input: { name: "bob", role: VIEWER }) { secret } }')).body
    .data.adminTokenCreate;

  expect(await keep(ask({ 'x-api-key': rotated.secret }))).toBe(200);
  expect(await keep(ask({ 'x-api-key': made.secret }))).toBe(401);
  expect(await keep(ask({ 'x-api-key': WRONG.key }))).toBe(401);
  expect(await keep(ask({ authorization: `Bearer ${WRONG.bearer}` }))).toBe(401);
  expect(await keep(ask({ authorization: `Bearer ${WRONG.token}` }))).toBe(401);
  expect(await keep(admin('{ health { ok } }', { authorization: `Bearer ${WRONG.admin}` }))).toBe(401);
  const asBob = { authorization: `Bearer ${token.secret}` };
  expect(await keep(admin('{ health { ok } }', asBob))).toBe(200);
  expect(await keep(admin('mutation { tierRetire(input: { name: "free" }) { tier { name } } }', asBob))).toBe(403);
  await keep(admin('{ changes(first: 100) { nodes { key comment before after } } }'));
  await keep(admin('{ subjects { nodes { apiKeys { nodes { prefix name } } } } }'));
  shown.push(await (await fetch(`${platform.url}/metrics`)).text());
  // The stop stores the usage that is in memory, and writes the remaining log lines.
  expect(await platform.stop()).toBe(0);

  const tables = await database.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const dump = await Promise.all(
    tables.map(({ name }) => database.db.query(`select t::text as row from ${name} as t`)),
  );
  const places = { answers: JSON.stringify(shown), dump: JSON.stringify(dump), log: platform.output() };
  // These checks prove that the searched texts have real content.
  expect(places.answers).toContain('tollgate_decisions_total');
  expect(places.dump).toContain(made.apiKey.prefix);
  const secrets = [made.secret, rotated.secret, token.secret].map((secret: string) => secret.slice(-24));
  const parts = Object.values(WRONG).flatMap((text) => text.split('.'));
  for (const [place, text] of Object.entries(places)) {
    for (const secret of [...secrets, ADMIN_TOKEN, ...parts.filter((part) => part.includes('canary'))]) {
      expect(text.includes(secret), `${secret} in ${place}`).toBe(false);
    }
  }
});
