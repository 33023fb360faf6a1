import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type Decider, type DeciderWorld, openWorld } from '../decisions/decider.js';
import { type Yaml, yamlOfPage } from '../docs/yaml-of-page.js';
import { ADMIN_TOKEN } from '../helpers/platform.js';
import { freePort } from '../helpers/servers.js';
import { answerOf, askProxy, itemsOf, serveApi, startProxy } from './proxied-api.js';

// Runs Envoy with the configuration of docs/envoy.md.

describe('Envoy with Tollgate as its external authorization', () => {
  let world: DeciderWorld | undefined;
  let decider: Decider;
  let api: Awaited<ReturnType<typeof serveApi>>;
  let envoy: Awaited<ReturnType<typeof startProxy>>;
  let url: string;
  beforeAll(async () => {
    world = await openWorld();
    decider = await world.start({ TOLLGATE_TRUSTED_PROXIES: '2' });
    api = await serveApi();
    const port = await freePort();
    url = `http://127.0.0.1:${port}/graphql`;
    envoy = await startProxy('envoy', {
      from: "Envoy's releases",
      files: { 'envoy.yaml': configurationOf(port) },
      args: (folder) => ['--config-path', join(folder, 'envoy.yaml'), '--disable-hot-restart'],
      isReady: /all dependencies initialized. starting workers/,
    });
  });
  afterAll(async () => {
    await envoy?.stop();
    await api.close();
    await world?.end();
  });

  /** Returns the configuration of the documentation with the addresses of the test. */
  function configurationOf(port: number): string {
    const [configuration] = yamlOfPage('envoy.md');
    const { listeners, clusters } = configuration.static_resources;
    listeners[0].address.socket_address = { address: '127.0.0.1', port_value: port };
    const ports: Record<string, number> = { api: api.port, tollgate: Number(new URL(decider.url).port) };
    for (const cluster of clusters) {
      const [{ endpoint }] = cluster.load_assignment.endpoints[0].lb_endpoints;
      endpoint.address.socket_address = { address: '127.0.0.1', port_value: ports[cluster.name] };
    }
    const [{ typed_config: manager }] = listeners[0].filter_chains[0].filters;
    const authorization: Yaml = manager.http_filters[0].typed_config.http_service;
    authorization.authorization_request.headers_to_add[0].value = ADMIN_TOKEN;
    // The timeout of the documentation is for a machine that does nothing else.
    authorization.server_uri.timeout = '10s';
    return stringify(configuration);
  }

  it('an admitted operation reaches the API with its receipt, which settles the charge', async () => {
    const { status, headers, body } = await askProxy(url, itemsOf(3), {
      headers: { 'x-tollgate-receipt': 'forged', 'x-tollgate-token': 'forged' },
    });
    expect([status, body.data.items.length]).toEqual([200, 3]);
    expect(headers.get('x-ratelimit-remaining')).toBe('997');
    expect(headers.get('x-tollgate-receipt')).toBeNull();
    const receipt = api.reached.at(-1)!['x-tollgate-receipt'];
    expect(await decider.settle({ receipt, actualCost: 1 })).toMatchObject({ settled: true });
  });

  it('a denied operation ends in Envoy with the response of the denial, and does not reach the API', async () => {
    const address = '198.51.100.2';
    expect((await askProxy(url, itemsOf(900), { address })).status).toBe(200);
    const before = api.reached.length;
    const { status, headers, body } = await askProxy(url, itemsOf(900), { address });
    expect([status, body.errors[0].extensions.code]).toEqual([429, 'THROTTLED']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(api.reached).toHaveLength(before);
  });

  it('a GET request is priced by its query, and a list of operations is rejected', async () => {
    const search = new URLSearchParams({ query: '{ items(first: 7) { name } }' });
    const admitted = await answerOf(
      await fetch(`${url}?${search}`, { headers: { 'x-forwarded-for': '198.51.100.3' } }),
    );
    expect([admitted.status, admitted.body.data.items.length]).toEqual([200, 7]);
    expect(admitted.headers.get('x-ratelimit-remaining')).toBe('993');
    const before = api.reached.length;
    expect((await askProxy(url, [itemsOf(1), itemsOf(1)])).status).toBe(400);
    expect(api.reached).toHaveLength(before);
  });

  it('a body above the maximum of the configuration, and other paths, do not reach the API', async () => {
    const before = api.reached.length;
    const large = { ...itemsOf(1), extensions: { padding: 'x'.repeat(200_000) } };
    expect((await askProxy(url, large)).status).toBe(413);
    expect((await askProxy(url.replace('/graphql', '/graphql/'), itemsOf(1))).status).toBe(404);
    expect(api.reached).toHaveLength(before);
  });

  it('an operation without a decision does not reach the API', async () => {
    await world!.end();
    world = undefined;
    const before = api.reached.length;
    expect((await askProxy(url, itemsOf(3))).status).toBeGreaterThanOrEqual(400);
    expect(api.reached).toHaveLength(before);
  });
});
