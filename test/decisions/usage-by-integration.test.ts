import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN } from '../helpers/platform.js';
import { parseSamples } from '../helpers/samples.js';
import { until } from '../helpers/until.js';
import { type Decider, type DeciderWorld, ITEMS, type Json, openWorld } from './decider.js';

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };

let world: DeciderWorld;
let decider: Decider;
beforeAll(async () => {
  world = await openWorld();
  decider = await world.start({ TOLLGATE_TRUSTED_PROXIES: '1' });
});
afterAll(() => world.end());

async function admin(query: string): Promise<Json> {
  const response = await fetch(`${decider.url}/admin/graphql`, {
    method: 'POST',
    headers: ADMIN,
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as Json;
  expect(errors).toBeUndefined();
  return data;
}

const RAW = (first: number) => ({ query: ITEMS, variables: { first } });
const session = { variables: { 'x-hasura-user-id': 'hasura-ann' } };

/** Lets each integration decide one operation for `first` items. */
const DECIDES: Record<string, (first: number) => Promise<unknown>> = {
  api: (first) =>
    decider.decide({ variables: { first }, service: 'shop', subject: { user: 'api-ann' }, settleWithinMs: 600_000 }),
  'apollo-router': (first) =>
    decider.ask('/integrations/apollo-router', {
      version: 1,
      stage: 'SupergraphRequest',
      control: 'continue',
      body: RAW(first),
      context: { entries: { 'apollo::authentication::jwt_claims': { sub: 'router-ann' } } },
    }),
  'ext-authz': (first) =>
    fetch(`${decider.url}/integrations/ext-authz/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-tollgate-token': ADMIN_TOKEN,
        'x-forwarded-for': '203.0.113.9',
      },
      body: JSON.stringify(RAW(first)),
    }),
  'hasura-ddn': (first) => decider.ask('/integrations/hasura-ddn/pre-parse', { rawRequest: RAW(first), session }),
};

describe('operations that other servers execute', () => {
  it('are counted by the integration that asked, in usage, denials, live traffic and metrics', async () => {
    const live: Json[] = [];
    const stream = createClient({ url: `${decider.url}/admin/graphql/stream`, headers: ADMIN, retryAttempts: 0 });
    const query = 'subscription { liveTraffic { admitted integrations { integration decisions denied cost } } }';
    const stop = stream.subscribe<Json>(
      { query },
      { next: ({ data }) => live.push(data.liveTraffic), error() {}, complete() {} },
    );
    await until('live traffic is watched', () => live.length > 0);
    for (const decides of Object.values(DECIDES)) {
      await decides(3);
      await decides(4);
      await decides(5000);
    }
    const settled = await decider.decide({ subject: { user: 'api-bob' }, variables: { first: 9 } });
    await decider.settle({ receipt: settled.receipt, actualCost: 2 });
    await decider.settle({ receipt: 'tgr1.forged', actualCost: 2 });
    // The platform itself executes this operation.
    const headers = { 'content-type': 'application/json' };
    await fetch(`${decider.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(RAW(1)) });

    const names = Object.keys(DECIDES);
    await until('live traffic counts each integration and the platform', () => {
      const { integrations } = live.at(-1);
      const of = (name: string | null) => integrations.find((one: Json) => one.integration === name);
      return (
        names.every((name) => of(name)?.decisions === (name === 'api' ? 4 : 3) && of(name)?.denied === 1) &&
        of(null)?.decisions === 1 &&
        of('api').cost === 2
      );
    });
    stop();

    const metrics = parseSamples(await (await fetch(`${decider.url}/metrics`)).text());
    for (const integration of names) {
      const label = `integration="${integration}"`;
      const all = integration === 'api' ? 4 : 3;
      expect(metrics.get(`tollgate_decider_decisions_total{${label},outcome="admitted"}`)).toBe(all - 1);
      expect(metrics.get(`tollgate_decider_decisions_total{${label},outcome="denied"}`)).toBe(1);
      expect(metrics.get(`tollgate_decider_receipts_waiting{${label}}`)).toBe(2);
      expect(metrics.get(`tollgate_decider_seconds_count{${label}}`)).toBe(all);
    }
    expect(metrics.get('tollgate_decider_settlements_total{integration="api",outcome="settled"}')).toBe(1);
    expect(metrics.get('tollgate_decider_settlements_total{integration="none",outcome="invalid_receipt"}')).toBe(1);

    const denials = 'denials(first: 10) { nodes { integration service caller { name } } }';
    const areStored = async () => (await admin(`{ ${denials} }`)).denials.nodes.length === 4;
    await until('all denials are stored', areStored, 60_000, 500);
    const { denials: found } = await admin(`{ ${denials} }`);
    expect(found.nodes.map(({ integration, service }: Json) => [integration, service]).sort()).toEqual([
      ['api', 'shop'],
      ['apollo-router', 'admin'],
      ['ext-authz', 'admin'],
      ['hasura-ddn', 'admin'],
    ]);
    const { denials: ofRouter } = await admin(
      '{ denials(filter: { integration: "apollo-router" }) { nodes { caller { name } } totalCount } }',
    );
    expect(ofRouter).toEqual({ nodes: [{ caller: { name: 'router-ann' } }], totalCount: 1 });
  });

  it('are counted in the usage of their integration with the settled costs once their receipts have expired', async () => {
    const subject = { user: 'late' };
    await decider.decide({ subject, variables: { first: 30 }, settleWithinMs: 100 });
    const { receipt } = await decider.decide({ subject, variables: { first: 30 } });
    await decider.settle({ receipt, actualCost: 7 });
    const of = async () => {
      const filter = 'filter: { integration: "api" }';
      const { topIntegrations, usage } = await admin(
        `{ topIntegrations(first: 2, ${filter}) { nodes { integration actualCost } } usage(groupBy: INTEGRATION, bucket: DAY, first: 2, ${filter}) { nodes { integration actualCost } } }`,
      );
      return [topIntegrations.nodes, usage.nodes];
    };
    // Each request costs about 500 tokens of the administrator.
    // A token is the fee of the denied operation.
    const isStored = async () => (await of())[0]?.[0]?.actualCost === 2 + 30 + 7 + 1;
    await until('both operations are stored', isStored, 60_000, 500);
    const stored = [{ integration: 'api', actualCost: 40 }];
    expect(await of()).toEqual([stored, stored]);
    const metrics = parseSamples(await (await fetch(`${decider.url}/metrics`)).text());
    expect(metrics.get('tollgate_decider_receipts_expired{integration="api"}')).toBe(1);
  });

  it('rejects an integration in the filter of usage that is not grouped by it', async () => {
    const response = await fetch(`${decider.url}/admin/graphql`, {
      method: 'POST',
      headers: ADMIN,
      body: JSON.stringify({ query: '{ usage(filter: { integration: "api" }) { nodes { requests } } }' }),
    });
    const { errors } = (await response.json()) as Json;
    expect(errors[0].message).toContain('filter.integration');
  });
});
