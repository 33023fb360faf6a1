import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { demoCallers } from '../../packages/platform/src/demo-callers.js';
import { createDemoTraffic } from '../../packages/platform/src/demo-traffic.js';
import { startEmbeddedPlatform } from '../helpers/embedded-platform.js';
import { ADMIN_TOKEN, type Platform, post } from '../helpers/platform.js';
import { until } from '../helpers/until.js';

/** Returns a clock that the test controls, with the waiting callers and their waiting times. */
function handClock() {
  const waiting: { ms: number; go(): void }[] = [];
  return {
    waiting,
    wait(ms: number, signal: AbortSignal): Promise<void> {
      return new Promise((resolve, reject) => {
        const end = () => reject(signal.reason);
        signal.addEventListener('abort', end, { once: true });
        waiting.push({
          ms,
          go() {
            signal.removeEventListener('abort', end);
            resolve();
          },
        });
      });
    },
    /** Ends all pauses. */
    strike() {
      for (const { go } of waiting.splice(0)) go();
    },
  };
}

/** Starts an API that responds when the test releases it, and records the requests. */
async function slowApi() {
  const asked: { key: unknown; query: string }[] = [];
  const open: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ key: request.headers['x-api-key'], query: JSON.parse(body).query });
    open.push(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  return {
    url,
    asked,
    open,
    answer() {
      for (const response of open.splice(0)) response.end('{}');
    },
  };
}

describe('simulated callers', () => {
  it('simulated callers rotate their operations, each with their own key and one request at a time', async () => {
    const clock = handClock();
    const api = await slowApi();
    const traffic = createDemoTraffic({ url: api.url, wait: clock.wait, random: () => 0.5 });
    expect(traffic.isOn).toBe(false);
    traffic.turnOn();
    traffic.turnOn();
    expect(clock.waiting.map(({ ms }) => ms)).toEqual(demoCallers.map(({ pauseMs }) => pauseMs));
    expect(api.asked).toEqual([]);
    for (const turn of [0, 1]) {
      clock.strike();
      await until('all callers have sent a request', () => api.open.length === demoCallers.length);
      // A caller begins its next pause only after its response, however long the response takes.
      expect(clock.waiting).toEqual([]);
      expect(new Set(api.asked.splice(0).map(({ key, query }) => `${key}: ${query}`))).toEqual(
        new Set(demoCallers.map(({ key, operations }) => `${key}: ${operations[turn % operations.length]!.query}`)),
      );
      api.answer();
      await until('all callers wait again', () => clock.waiting.length === demoCallers.length);
    }
    await traffic.turnOff();
    expect(traffic.isOn).toBe(false);
    clock.strike();
    expect(api.asked).toEqual([]);
  });

  it('simulated callers stop immediately, even with requests in flight, and can start again', async () => {
    const clock = handClock();
    const api = await slowApi();
    const traffic = createDemoTraffic({ url: api.url, wait: clock.wait });
    traffic.turnOn();
    clock.strike();
    await until('all callers have sent a request', () => api.open.length === demoCallers.length);
    await traffic.turnOff();
    expect(clock.waiting).toEqual([]);
    traffic.turnOn();
    expect(clock.waiting).toHaveLength(demoCallers.length);
    await traffic.turnOff();
  });

  it('simulated callers survive an API that does not respond', async () => {
    const clock = handClock();
    const traffic = createDemoTraffic({ url: 'http://127.0.0.1:9/graphql', wait: clock.wait });
    traffic.turnOn();
    clock.strike();
    await until('all callers wait again', () => clock.waiting.length === demoCallers.length);
    await traffic.turnOff();
  });

  it('all simulated callers together send a few requests per second', () => {
    const perSecond = demoCallers.reduce((sum, { pauseMs }) => sum + 1000 / pauseMs, 0);
    expect(perSecond).toBeGreaterThan(1);
    expect(perSecond).toBeLessThan(5);
    for (const { key, subject } of demoCallers) {
      expect(key).toMatch(/^demo-traffic-/);
      expect(subject.user).toMatch(/^demo-/);
    }
  });
});

describe('simulated callers on an embedded platform', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startEmbeddedPlatform({ env: { TOLLGATE_TRAFFIC: '' } });
  });
  afterAll(() => platform?.stop());

  it('the platform announces its simulated callers, and within two minutes shows usage and each kind of denial', async () => {
    expect(platform.output()).toMatch(/simulated callers, named demo-\.\.\., .* --no-traffic/);
    const query = `{
      usage(groupBy: [CALLER]) { nodes { caller { name } } }
      denials(first: 100) { nodes { ruleName code shadow caller { name } } }
    }`;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const users = new Set(demoCallers.map(({ subject }) => subject.user));
    const seen = { callers: new Set<string>(), denials: new Set<string>() };
    await until(
      'all callers have sent requests, and each kind of denial has occurred',
      async () => {
        const { body } = await post(`${platform.url}/admin/graphql`, query, headers);
        // The bucket of the administrator may deny some of these requests. Such a response has no
        // data.
        for (const { caller } of body.data?.usage.nodes ?? []) seen.callers.add(caller.name);
        for (const { ruleName, code, shadow, caller } of body.data?.denials.nodes ?? []) {
          seen.denials.add(`${caller.name}: ${shadow ? 'shadow' : code} by ${ruleName}`);
        }
        return seen.callers.size === users.size && seen.denials.size >= 5;
      },
      120_000,
      500,
    );
    expect(seen.callers).toEqual(users);
    expect(seen.denials).toEqual(
      new Set([
        'demo-greedy-scraper: THROTTLED by tier:free',
        'demo-typeahead: THROTTLED by search-per-user',
        'demo-report: MAX_COST_EXCEEDED by tier:pro',
        'demo-storefront: shadow by country-lists-trial',
        'demo-dashboard: THROTTLED by open-subscriptions-per-user',
      ]),
    );
  });

  it('administrators can turn the simulated callers off and on, and viewers cannot', async () => {
    const ask = async (query: string, token = ADMIN_TOKEN) =>
      (await post(`${platform.url}/admin/graphql`, query, { authorization: `Bearer ${token}` })).body;
    const made = await ask(
      'mutation { adminTokenCreate(input: { name: "looks", role: VIEWER }) { secret userErrors { message } } }',
    );
    const viewer: string = made.data.adminTokenCreate.secret;
    expect((await ask('{ demoTraffic { isOn } }', viewer)).data).toEqual({ demoTraffic: { isOn: true } });
    const turn = (isOn: boolean, token?: string) => ask(`mutation { demoTrafficSet(isOn: ${isOn}) { isOn } }`, token);
    expect((await turn(false, viewer)).errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await turn(false)).data).toEqual({ demoTrafficSet: { isOn: false } });
    expect((await turn(false)).data).toEqual({ demoTrafficSet: { isOn: false } });
    const decisions = async () => {
      const text = await (await fetch(`${platform.url}/metrics`)).text();
      return text
        .split('\n')
        .filter((line) => line.startsWith('tollgate_decisions_total') || line.includes('_operations_total'));
    };
    const before = await decisions();
    expect(before.length).toBeGreaterThan(0);
    expect((await turn(true)).data).toEqual({ demoTrafficSet: { isOn: true } });
    await until(
      'the callers send requests again',
      async () => JSON.stringify(await decisions()) !== JSON.stringify(before),
      20_000,
    );
  });
});
