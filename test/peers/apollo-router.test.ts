import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type DeciderWorld, openWorld } from '../decisions/decider.js';
import { yamlOfPage } from '../docs/yaml-of-page.js';
import { ADMIN_TOKEN } from '../helpers/platform.js';
import { freePort } from '../helpers/servers.js';
import { askProxy, itemsOf, serveApi, startProxy } from './proxied-api.js';

// Runs Apollo Router with the configuration of docs/apollo-router.md. Coprocessors need a license:
// the router reads APOLLO_KEY and APOLLO_GRAPH_REF, or APOLLO_ROUTER_LICENSE.

/** Returns the supergraph of one subgraph, in the form that composition writes. */
const supergraphOf = (url: string) => /* GraphQL */ `
  schema
    @link(url: "https://specs.apollo.dev/link/v1.0")
    @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) {
    query: Query
    mutation: Mutation
  }
  directive @join__enumValue(graph: join__Graph!) repeatable on ENUM_VALUE
  directive @join__field(
    graph: join__Graph
    requires: join__FieldSet
    provides: join__FieldSet
    type: String
    external: Boolean
    override: String
    usedOverridden: Boolean
  ) repeatable on FIELD_DEFINITION | INPUT_FIELD_DEFINITION
  directive @join__graph(name: String!, url: String!) on ENUM_VALUE
  directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT | INTERFACE
  directive @join__type(
    graph: join__Graph!
    key: join__FieldSet
    extension: Boolean! = false
    resolvable: Boolean! = true
    isInterfaceObject: Boolean! = false
  ) repeatable on OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT | SCALAR
  directive @join__unionMember(graph: join__Graph!, member: String!) repeatable on UNION
  directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
  scalar join__FieldSet
  scalar link__Import
  enum link__Purpose {
    SECURITY
    EXECUTION
  }
  enum join__Graph {
    SHOP @join__graph(name: "shop", url: "${url}")
  }
  type Query @join__type(graph: SHOP) {
    item: Item
    items(first: Int!): [Item!]!
    slow: Item
  }
  type Mutation @join__type(graph: SHOP) {
    save: Item
  }
  type Item @join__type(graph: SHOP) {
    name: String
    parent: Item
  }
`;

describe('Apollo Router with Tollgate as its coprocessor', () => {
  let world: DeciderWorld | undefined;
  let api: Awaited<ReturnType<typeof serveApi>>;
  let router: Awaited<ReturnType<typeof startProxy>>;
  let url: string;
  beforeAll(async () => {
    world = await openWorld();
    const decider = await world.start({ TOLLGATE_TRUSTED_PROXIES: '1' });
    api = await serveApi();
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    const [configuration] = yamlOfPage('apollo-router.md');
    configuration.coprocessor.url = `${decider.url}/integrations/apollo-router?token=\${env.TOLLGATE_TOKEN}`;
    // The timeout of the documentation is for a machine that does nothing else.
    configuration.coprocessor.timeout = '10s';
    configuration.supergraph = { listen: `127.0.0.1:${port}` };
    configuration.health_check = { enabled: false };
    router = await startProxy('router', {
      from: "Apollo's releases of the router",
      files: { 'router.yaml': stringify(configuration), 'supergraph.graphql': supergraphOf(api.url) },
      args: (folder) => ['--config', join(folder, 'router.yaml'), '--supergraph', join(folder, 'supergraph.graphql')],
      env: { TOLLGATE_TOKEN: ADMIN_TOKEN, APOLLO_TELEMETRY_DISABLED: 'true' },
      isReady: /GraphQL endpoint exposed/,
    });
  });
  afterAll(async () => {
    await router?.stop();
    await api.close();
    await world?.end();
  });

  it('an admitted operation is executed, settled and answered with its actual cost', async () => {
    const { status, headers, body } = await askProxy(url, itemsOf(3), { address: '198.51.100.1' });
    expect([status, body.data.items]).toEqual([200, [{ name: 'x' }, { name: 'x' }, { name: 'x' }]]);
    expect(body.extensions.cost).toMatchObject({ requestedQueryCost: 3, actualQueryCost: 3 });
    expect(headers.get('x-ratelimit-remaining')).toBe('997');
  });

  it('a denied operation ends in the router with the response of the denial, and reaches no subgraph', async () => {
    const address = '198.51.100.2';
    expect((await askProxy(url, itemsOf(900), { address })).status).toBe(200);
    const before = api.reached.length;
    const { status, headers, body } = await askProxy(url, itemsOf(900), { address });
    expect([status, body.errors[0].extensions.code]).toEqual([429, 'THROTTLED']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(api.reached).toHaveLength(before);
  });

  it('an operation without a decision reaches no subgraph', async () => {
    await world!.end();
    world = undefined;
    const before = api.reached.length;
    const { status, body } = await askProxy(url, itemsOf(3));
    expect(status).toBeGreaterThanOrEqual(500);
    expect(body.data ?? null).toBeNull();
    expect(api.reached).toHaveLength(before);
  });
});
