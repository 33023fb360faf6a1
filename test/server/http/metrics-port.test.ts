import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, type RunningServer, startServer } from '../../../src/entry/server.js';
import { isFromThisMachine } from '../../../src/server/http/create-metrics-app.js';
import { ADMIN_TOKEN } from '../../helpers/platform.js';
import { freePort, startRedisServer, type TestServer } from '../../helpers/servers.js';
import { openServerDatabase, type TestDatabase } from '../../postgres/databases.js';

const QUIET = { info() {}, warn() {}, error() {} };

let redis: TestServer;
beforeAll(async () => {
  redis = await startRedisServer();
});
afterAll(() => redis.stop());

const databases: TestDatabase[] = [];
const running: RunningServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  for (const database of databases.splice(0)) await database.dispose();
});

/** Starts a platform that listens on all addresses of the machine. Returns its port. */
async function start(env: Record<string, string> & { PORT: string }): Promise<string> {
  const database = await openServerDatabase();
  databases.push(database);
  const settings = {
    REDIS_URL: redis.url,
    DATABASE_URL: database.url,
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    HOST: '0.0.0.0',
    ...env,
  };
  running.push(await startServer({ config: loadConfig({ env: settings }), logger: QUIET }));
  return settings.PORT;
}

/**
 * An address of this machine that other machines can connect to. A request through it has a peer
 * address that is not loopback.
 */
const outer = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

async function ask(host: string, port: string, headers: Record<string, string> = {}) {
  const response = await fetch(`http://${host}:${port}/metrics`, { headers: { connection: 'close', ...headers } });
  return { status: response.status, text: await response.text() };
}

describe('/metrics', () => {
  it('/metrics serves only processes of this machine and does not trust forwarding headers', async () => {
    const port = await start({ PORT: String(await freePort()), TOLLGATE_TRUSTED_PROXIES: '1' });
    expect((await ask('127.0.0.1', port)).text).toContain('tollgate_decisions_total');
    // A request with a forwarding header came through a local proxy from elsewhere, even if the
    // header names this machine.
    expect((await ask('127.0.0.1', port, { 'x-forwarded-for': '127.0.0.1' })).status).toBe(403);
  });

  it('/metrics returns 403 to other machines, whatever their headers contain', async ({ skip }) => {
    const host = outer ?? skip('this machine has no address but the loopback');
    const port = await start({ PORT: String(await freePort()), TOLLGATE_TRUSTED_PROXIES: '1' });
    const attempts: Record<string, string>[] = [{}, { 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }];
    for (const headers of attempts) {
      const rejected = await ask(host, port, headers);
      expect(rejected.status).toBe(403);
      expect(rejected.text).toMatch(/TOLLGATE_METRICS_PORT/);
      expect(rejected.text).not.toMatch(/tollgate_decisions/);
    }
  });

  it('/metrics on a separate port serves every client and is absent from the API port', async () => {
    const own = String(await freePort());
    const port = await start({ PORT: String(await freePort()), TOLLGATE_METRICS_PORT: own });
    for (const host of ['127.0.0.1', outer ?? '127.0.0.1']) {
      expect((await ask(host, own)).text).toContain('tollgate_decisions_total');
      const absent = await ask(host, port);
      expect(absent.status).toBe(404);
      // The response at the API port names the setting of the metrics port.
      expect(absent.text).toContain('TOLLGATE_METRICS_PORT');
      // The list of known paths in the response does not contain /metrics.
      expect(absent.text.replace('/metrics has a separate port', '')).not.toContain('/metrics');
    }
    const post = await fetch(`http://127.0.0.1:${own}/metrics`, { method: 'POST', headers: { connection: 'close' } });
    expect([post.status, post.headers.get('allow'), await post.text()]).toEqual([
      405,
      'GET, HEAD',
      '{"errors":[{"message":"Expected GET at /metrics, got POST"}]}',
    ]);
    // The metrics port has no other paths. It must not allow access to the API or the admin API
    // without their protection.
    for (const path of ['/graphql', '/admin/graphql', '/readyz']) {
      expect((await fetch(`http://127.0.0.1:${own}${path}`, { headers: { connection: 'close' } })).status).toBe(404);
    }
  });

  it('/metrics listens on its configured address', async () => {
    const own = String(await freePort());
    // On Linux, all addresses of 127.0.0.0/8 are loopback addresses.
    const env = {
      TOLLGATE_METRICS_PORT: own,
      TOLLGATE_METRICS_HOST: process.platform === 'linux' ? '127.0.0.2' : '::1',
    };
    const port = await start({ PORT: String(await freePort()), ...env });
    const host = env.TOLLGATE_METRICS_HOST.replace('::1', '[::1]');
    expect((await ask(host, own)).text).toContain('tollgate_decisions_total');
    await expect(ask('127.0.0.1', own)).rejects.toThrow('fetch failed');
    expect((await fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } })).status).toBe(200);
  });

  it('/metrics serves every client of the API port when the settings name the same port for both', async () => {
    const same = String(await freePort());
    const port = await start({ PORT: same, TOLLGATE_METRICS_PORT: same });
    const { text } = await ask(outer ?? '127.0.0.1', port, { 'x-forwarded-for': '192.0.2.7' });
    expect(text).toContain('tollgate_decisions_total');
  });

  it('a start with a metrics port in use names the setting to change and leaves nothing open', async () => {
    const taken = String(await freePort());
    await start({ PORT: taken });
    const port = String(await freePort());
    await expect(start({ PORT: port, TOLLGATE_METRICS_PORT: taken })).rejects.toThrow(
      `Port ${taken} is in use: choose another with TOLLGATE_METRICS_PORT or --metrics-port`,
    );
    await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow('fetch failed');
  });
});

describe('requests of this machine', () => {
  const isLocal = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
    isFromThisMachine({ socket: { remoteAddress }, headers } as Parameters<typeof isFromThisMachine>[0]);

  it.each([
    '127.0.0.1',
    '127.9.8.7',
    '::1',
    '::ffff:127.0.0.1',
  ])('a request from %s without forwarding headers is local', (address) => {
    expect(isLocal(address)).toBe(true);
    for (const name of ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']) {
      expect(isLocal(address, { [name]: '127.0.0.1' })).toBe(false);
    }
  });

  it.each([
    undefined,
    '',
    'localhost',
    '10.0.0.1',
    '172.17.0.1',
    '192.0.2.1',
    '::ffff:192.0.2.1',
    'fe80::1%lo',
    '2001:db8::1',
    '64:ff9b::7f00:1',
  ])('a request from %s is not local', (address) => {
    expect(isLocal(address)).toBe(false);
  });
});
