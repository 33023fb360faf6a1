import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Platform, post, startPlatform } from '../helpers/platform.js';
import { findBinary, freePort } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { askAdmin, liftAddressLimit, openStack, PRO, QUERY, type Stack } from './stack.js';

const CONFIGURATION = fileURLToPath(new URL('../../deploy/haproxy/haproxy.cfg', import.meta.url));
const AMOUNT = 600;
const IN_FLIGHT = 8;
const HOUR_MS = 3_600_000;

/** Two instances of the sample API behind HAProxy, with the configuration of compose.balanced.yaml. */
describe('two instances behind HAProxy', () => {
  let stack: Stack;
  let instances: Platform[];
  let balancer: ChildProcess;
  let url: string;
  const env = () => ({
    REDIS_URL: stack.redis.url,
    DATABASE_URL: stack.databaseUrl,
    LOG_LEVEL: 'warn',
    TOLLGATE_TRUSTED_PROXIES: '1',
  });

  beforeAll(async () => {
    const haproxy = findBinary('haproxy');
    if (!haproxy) throw new Error('haproxy is not installed: run `npm test`, which installs it');
    stack = await openStack();
    const first = await startPlatform({ env: env(), args: ['--demo'] });
    instances = [first, await startPlatform({ env: env(), args: ['--demo'] })];
    await liftAddressLimit(first);
    const bind = `127.0.0.1:${await freePort()}`;
    url = `http://${bind}`;
    const addresses = { BIND: bind, TOLLGATE_1: addressOf(instances[0]!), TOLLGATE_2: addressOf(instances[1]!) };
    balancer = spawn(haproxy, ['-f', CONFIGURATION], { env: { ...process.env, ...addresses }, stdio: 'ignore' });
    await until('HAProxy sends requests to an instance', async () => (await statusOf(`${url}/readyz`)) === 200);
  });
  afterAll(async () => {
    balancer.kill('SIGTERM');
    await Promise.all(instances.map((instance) => instance.stop()));
    await stack.stop();
  });

  /**
   * Sends operations until the rule denies one on each connection, and returns the number of
   * responses by status. Rules with different windows have different counters. Calls `meanwhile`
   * after a sixth of the admitted operations.
   */
  async function spend(
    rule: string,
    windowMs: number,
    meanwhile: () => Promise<unknown>,
  ): Promise<Record<string, number>> {
    const limits = `[{ fixedWindow: { amount: ${AMOUNT}, windowMs: ${windowMs} } }]`;
    const input = `name: "${rule}", scope: GLOBAL, field: "*", measure: REQUESTS, priority: 5`;
    const create = `mutation { ruleCreate(input: { ${input}, limits: ${limits} }) { userErrors { message } } }`;
    expect((await askAdmin(instances[1]!, create)).body.data.ruleCreate.userErrors).toEqual([]);
    const statuses: Record<string, number> = {};
    await until(`both instances apply ${rule}`, async () => {
      const answers = await applying(rule);
      for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
      return answers.length === instances.length;
    });
    let disturbed: Promise<unknown> | undefined;
    const connection = async () => {
      for (;;) {
        const { status } = await post(`${url}/graphql`, QUERY, PRO);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 429) return;
        if ((statuses[200] ?? 0) >= AMOUNT / 6) disturbed ??= meanwhile();
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, connection));
    await disturbed;
    // The rule would also deny the operations of the next test.
    const retire = `mutation { ruleRetire(input: { name: "${rule}" }) { userErrors { message } } }`;
    expect((await askAdmin(instances[1]!, retire)).body.data.ruleRetire.userErrors).toEqual([]);
    await until(`no instance applies ${rule}`, async () => (await applying(rule)).length === 0);
    return statuses;
  }

  /** Sends an operation to each instance that runs, and returns the answers to which the rule applied. */
  async function applying(rule: string) {
    const running = instances.filter(
      ({ process: { exitCode, signalCode } }) => exitCode === null && signalCode === null,
    );
    const answers = await Promise.all(running.map((instance) => post(`${instance.url}/graphql`, QUERY, PRO)));
    return answers.filter(({ headers }) => headers.get('ratelimit-policy')?.includes(rule));
  }

  it('an instance that is replaced while requests arrive loses none of them, and the limit stays exact', async () => {
    const statuses = await spend('while-one-is-replaced', 24 * HOUR_MS, async () => {
      const [stopped] = instances as [Platform, Platform];
      expect(await stopped.stop()).toBe(0);
      instances[0] = await startPlatform({ env: env(), args: ['--demo'], port: stopped.port });
    });
    expect(statuses).toEqual({ 200: AMOUNT, 429: IN_FLIGHT });
  });

  it('an instance that is killed while requests arrive loses none of them, and the limit is not exceeded', async () => {
    const statuses = await spend('while-one-is-killed', 12 * HOUR_MS, () => instances[0]!.kill());
    expect(Object.keys(statuses)).toEqual(['200', '429']);
    expect(statuses[200]).toBeLessThanOrEqual(AMOUNT);
    // The killed instance may have charged operations that the other one decided again.
    expect(statuses[200]).toBeGreaterThanOrEqual(AMOUNT - 2 * IN_FLIGHT - 10);
  });
});

const addressOf = ({ port }: Platform) => `127.0.0.1:${port}`;

async function statusOf(url: string): Promise<number> {
  try {
    return (await fetch(url, { headers: { connection: 'close' } })).status;
  } catch {
    return 0;
  }
}
