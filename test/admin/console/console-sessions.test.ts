import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createConsoleSessions } from '../../../src/admin/console/create-console-sessions.js';
import type { AdminCaller } from '../../../src/admin/context/admin-context.js';
import { SETTINGS_CALLER } from '../../../src/admin/context/create-admin-authenticator.js';
import { createPgDb } from '../../../src/postgres/create-pg-db.js';
import { migrate } from '../../../src/postgres/migrate.js';
import type { AdminRole } from '../../../src/rules/store/create-admin-token-store.js';
import { createRulesStore, type RulesStore } from '../../../src/rules/store/rules-store.js';
import { until } from '../../helpers/until.js';
import { openServerDatabase, type TestDatabase } from '../../postgres/databases.js';

const TOKEN = 'the-token-of-the-settings';
const SYSTEM = { name: 'tollgate', authMethod: 'SYSTEM' as const };
const MINUTE_MS = 60_000;

let database: TestDatabase & { url: string };
let store: RulesStore;
beforeAll(async () => {
  database = await openServerDatabase();
  await migrate(database.db);
  store = createRulesStore(database.db);
});
beforeEach(() => database.db.query('delete from console_sessions'));
afterAll(() => database.dispose());

const fail = (error: unknown) => {
  throw error;
};
/** Creates the sessions of another process on the same database. */
const instance = (token: string | undefined = TOKEN) => createConsoleSessions({ store, token, onError: fail });

let tokens = 0;
async function tokenOf(role: AdminRole): Promise<AdminCaller & { tokenId: number }> {
  const name = `${role} ${++tokens}`;
  const made = await store.createAdminToken({ name, role }, SYSTEM);
  if (!made.ok) throw new Error(JSON.stringify(made.userErrors));
  return { actor: { name, authMethod: 'ADMIN_TOKEN' }, role, tokenId: made.value.adminToken.id };
}

/** Makes all sessions as old as if they had been opened and last used that long ago. */
const age = (openedMs: number, usedMs: number) =>
  database.db.query(
    `update console_sessions set opened_at = now() - $1::bigint * interval '1 millisecond',
       used_at = now() - $2::bigint * interval '1 millisecond'`,
    [openedMs, usedMs],
  );

describe('console sessions', () => {
  it('a console session is valid on every instance of the database, and one instance ends it for all', async () => {
    const [here, there] = [instance(), instance()];
    const ann = await tokenOf('OPERATOR');
    for (const caller of [ann, SETTINGS_CALLER]) {
      const secret = await here.open(caller);
      for (const one of [there, here]) {
        expect(await one.find(secret)).toEqual({ caller, endsInMs: 30 * MINUTE_MS });
      }
      expect(await there.close(secret)).toBe(true);
      expect(await here.find(secret)).toBeUndefined();
      expect(await here.close(secret)).toBe(false);
    }
  });

  it('a console session ends half an hour after its last use', async () => {
    const sessions = instance();
    const secret = await sessions.open(SETTINGS_CALLER);
    await age(29 * MINUTE_MS, 29 * MINUTE_MS);
    expect(await sessions.find(secret)).toBeDefined();
    const [used] = await database.db.query<{ ago: number }>(
      'select extract(epoch from now() - used_at)::integer as ago from console_sessions',
    );
    expect(used!.ago).toBeLessThan(30);
    await age(59 * MINUTE_MS, 30 * MINUTE_MS);
    expect(await sessions.find(secret)).toBeUndefined();
  });

  it('a console session ends after twelve hours, even if it is in use', async () => {
    const sessions = instance();
    const secret = await sessions.open(SETTINGS_CALLER);
    await age(11.9 * 60 * MINUTE_MS, 0);
    const { endsInMs } = (await sessions.find(secret))!;
    expect(endsInMs / MINUTE_MS).toBeGreaterThan(5);
    expect(endsInMs / MINUTE_MS).toBeLessThanOrEqual(6);
    await age(12 * 60 * MINUTE_MS, 0);
    expect(await sessions.find(secret)).toBeUndefined();
  });

  it('a console session has the current role of its stored token and ends with that token', async () => {
    const sessions = instance();
    const [ann, bob] = [await tokenOf('OPERATOR'), await tokenOf('VIEWER')];
    const [annsSecret, bobsSecret] = [await sessions.open(ann), await sessions.open(bob)];
    await store.revokeAdminToken({ id: ann.tokenId }, SYSTEM);
    await store.rotateAdminToken({ id: bob.tokenId, overlapMs: MINUTE_MS }, SYSTEM);
    expect(await sessions.find(annsSecret)).toBeUndefined();
    expect((await sessions.find(bobsSecret))?.caller).toEqual(bob);
    await database.db.query('update admin_tokens set expires_at = now() where id = $1', [bob.tokenId]);
    expect(await sessions.find(bobsSecret)).toBeUndefined();
  });

  it('a console session is invalid while the settings have another token or none', async () => {
    const secret = await instance().open(SETTINGS_CALLER);
    expect(await instance('another-token').find(secret)).toBeUndefined();
    expect(await createConsoleSessions({ store, onError: fail }).find(secret)).toBeUndefined();
    expect(await instance().find(secret)).toBeDefined();
  });

  it('the 21st session of a token ends its oldest one, and none of another token', async () => {
    const sessions = instance();
    const [ann, bob] = [await tokenOf('VIEWER'), await tokenOf('VIEWER')];
    const secrets: string[] = [];
    for (const caller of [bob, SETTINGS_CALLER, ...Array.from({ length: 21 }, () => ann)]) {
      secrets.push(await sessions.open(caller));
    }
    const found = await Promise.all(secrets.map((secret) => sessions.find(secret)));
    expect(found.map((one) => one !== undefined)).toEqual([
      true,
      true,
      false,
      ...Array.from({ length: 20 }, () => true),
    ]);
  });

  it('the database stores neither the secret of a console session nor the settings’ token', async () => {
    const secret = await instance().open(SETTINGS_CALLER);
    const rows = await database.db.query('select to_jsonb(s) from console_sessions s');
    expect(rows).toHaveLength(1);
    const changes = await database.db.query(`select to_jsonb(c) from changes c where entity = 'SESSION'`);
    for (const one of [secret, TOKEN]) expect(JSON.stringify([rows, changes])).not.toContain(one);
  });

  it('the history of a console session records who logged in and who ended it', async () => {
    const sessions = instance();
    const ann = await tokenOf('ADMIN');
    const secret = await sessions.open(SETTINGS_CALLER);
    const [open] = await store.pageConsoleSessions({ after: 0, limit: 2 });
    const { id } = open!;
    await store.endConsoleSession({ id, comment: 'forgotten in the train' }, ann.actor);
    expect(await sessions.find(secret)).toBeUndefined();
    expect(await store.endConsoleSession({ id }, ann.actor)).toMatchObject({
      ok: false,
      userErrors: [{ code: 'NOT_FOUND', field: ['id'] }],
    });
    const history = await store.historyOf('SESSION', [String(id)], { before: Number.MAX_SAFE_INTEGER, limit: 5 });
    expect(history).toMatchObject([
      { action: 'LOGOUT', actor: ann.actor.name, comment: 'forgotten in the train', before: { name: 'admin' } },
      { action: 'LOGIN', actor: 'admin', after: { name: 'admin', role: 'ADMIN' } },
    ]);
  });
});

describe('console sessions while the database is unavailable', () => {
  async function startThenLose() {
    const clock = { nowMs: 0 };
    const errors: unknown[] = [];
    const db = await createPgDb({ url: database.url });
    const sessions = createConsoleSessions({
      store: createRulesStore(db),
      token: TOKEN,
      onError: (error) => errors.push(error),
      now: () => clock.nowMs,
    });
    return { clock, errors, sessions, lose: () => db.close() };
  }

  it('a console session stays valid for only ten seconds after the database confirmed it', async () => {
    const { clock, errors, sessions, lose } = await startThenLose();
    const opened = await sessions.open(SETTINGS_CALLER);
    const elsewhere = await instance().open(SETTINGS_CALLER);
    const unseen = await instance().open(SETTINGS_CALLER);
    clock.nowMs = 4_000;
    expect(await sessions.find(elsewhere)).toBeDefined();
    await lose();
    for (const secret of [opened, elsewhere]) expect((await sessions.find(secret))?.caller).toEqual(SETTINGS_CALLER);
    await expect(sessions.find(unseen)).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
    expect(errors).toHaveLength(1);
    clock.nowMs = 10_000;
    expect(await sessions.find(opened)).toBeUndefined();
    expect(await sessions.find(elsewhere)).toBeDefined();
    clock.nowMs = 14_000;
    expect(await sessions.find(elsewhere)).toBeUndefined();
  });

  it('a console session that another instance has ended is invalid here within ten seconds', async () => {
    const { clock, sessions, lose } = await startThenLose();
    const secret = await instance().open(SETTINGS_CALLER);
    expect(await sessions.find(secret)).toBeDefined();
    await lose();
    await instance().close(secret);
    for (; clock.nowMs < 10_000; clock.nowMs += 1_000) await sessions.find(secret);
    expect(await sessions.find(secret)).toBeUndefined();
  });

  it('a session that logs out while the database is unavailable ends here immediately, and on all instances later', async () => {
    const own = createRulesStore(database.db);
    let isAway = false;
    const unlessAway = async <Result>(run: () => Promise<Result>) => {
      if (isAway) throw Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });
      return run();
    };
    const waiting: (() => void)[] = [];
    const sessions = createConsoleSessions({
      store: {
        openConsoleSession: (...args) => unlessAway(() => own.openConsoleSession(...args)),
        findConsoleSession: (...args) => unlessAway(() => own.findConsoleSession(...args)),
        closeConsoleSession: (...args) => unlessAway(() => own.closeConsoleSession(...args)),
      },
      token: TOKEN,
      onError: () => {},
      later: (run) => waiting.push(run),
    });
    const secret = await sessions.open(SETTINGS_CALLER);
    isAway = true;
    await expect(sessions.close(secret)).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
    expect(await sessions.find(secret)).toBeUndefined();
    waiting.shift()!();
    await until('the logout is retried', () => waiting.length === 1);
    isAway = false;
    expect(await sessions.find(secret)).toBeUndefined();
    waiting.shift()!();
    await until('the session has ended for all instances', async () => (await instance().find(secret)) === undefined);
    expect(await sessions.find(secret)).toBeUndefined();
  });

  it('the settings’ token logs in and out while the database is unavailable, and stored tokens do not', async () => {
    const { sessions, lose } = await startThenLose();
    const ann = await tokenOf('VIEWER');
    const anns = await sessions.open(ann);
    await lose();
    const secret = await sessions.open(SETTINGS_CALLER);
    expect((await sessions.find(secret))?.caller).toEqual(SETTINGS_CALLER);
    expect(await sessions.close(secret)).toBe(true);
    await expect(sessions.find(secret)).rejects.toThrow();
    await expect(sessions.open(ann)).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
    await expect(sessions.find(anns)).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
  });
});

describe('console login codes', () => {
  const start = () => {
    const clock = { nowMs: 0 };
    return { clock, sessions: createConsoleSessions({ store, token: TOKEN, onError: fail, now: () => clock.nowMs }) };
  };

  it('a login code is valid once', () => {
    const { sessions } = start();
    const code = sessions.createCode()!;
    expect(sessions.redeem(code)).toEqual(SETTINGS_CALLER);
    expect(sessions.redeem(code)).toBeUndefined();
  });

  it('a login code is valid for two minutes', () => {
    const { clock, sessions } = start();
    const codes = [sessions.createCode()!, sessions.createCode()!] as const;
    clock.nowMs = 2 * MINUTE_MS - 1;
    expect(sessions.redeem(codes[0])).toBeDefined();
    clock.nowMs++;
    expect(sessions.redeem(codes[1])).toBeUndefined();
  });

  it('no login code is created if the settings have no token', () => {
    expect(createConsoleSessions({ store, onError: fail }).createCode()).toBeUndefined();
  });
});
