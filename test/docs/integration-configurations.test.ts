import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Yaml, yamlOfPage } from './yaml-of-page.js';

describe('configuration files of routers and proxies in the documentation', () => {
  it('the configuration of Apollo Router names the path and the context entries that Tollgate reads', () => {
    const [{ coprocessor }, ...others] = yamlOfPage('apollo-router.md');
    expect(others).toEqual([]);
    expect(coprocessor.url).toMatch(/\/integrations\/apollo-router\?token=\$\{env\.TOLLGATE_TOKEN\}$/);
    expect(Object.keys(coprocessor.supergraph)).toEqual(['request', 'response']);
    const { request, response } = coprocessor.supergraph;
    for (const stage of [request, response]) expect(stage).toMatchObject({ headers: true, body: true });
    const route = readFileSync(
      new URL('../../src/decisions/integrations/apollo-router-route.ts', import.meta.url),
      'utf8',
    );
    for (const entry of [...request.context.selective, ...response.context.selective])
      expect(route).toContain(`'${entry}'`);
  });

  it('the configuration of Envoy is complete: each cluster and each filter that it names is defined in it', () => {
    const [envoy, policy] = yamlOfPage('envoy.md');
    const { listeners, clusters } = envoy.static_resources;
    const manager = listeners[0].filter_chains[0].filters[0].typed_config;
    const filters = manager.http_filters.map(({ name }: Yaml) => name);
    expect(filters).toEqual(['envoy.filters.http.ext_authz', 'envoy.filters.http.router']);
    const { http_service: service, with_request_body: body } = manager.http_filters[0].typed_config;
    expect(body.allow_partial_message).toBe(false);
    expect(service.path_prefix).toBe('/integrations/ext-authz');
    expect(service.authorization_response.allowed_upstream_headers.patterns).toEqual([{ exact: 'x-tollgate-receipt' }]);
    const routes: Yaml[] = manager.route_config.virtual_hosts[0].routes;
    const named = [service.server_uri.cluster, ...routes.map(({ route }) => route.cluster)];
    const defined = clusters.map(({ name }: Yaml) => name);
    expect([...new Set(named)].sort()).toEqual(defined.sort());
    for (const { name, load_assignment: assigned } of clusters) expect(assigned.cluster_name).toBe(name);
    // A path that the filter does not check could run operations without a decision.
    expect(routes.map(({ match }) => match)).toEqual([{ path: '/graphql' }]);
    expect(policy.spec.extAuth.http.path).toBe('/integrations/ext-authz');
    expect(policy.spec.extAuth.headersToExtAuth).toContain('x-tollgate-token');
  });

  it('the configuration of Hasura DDN has both hooks, each with the token and the path that Tollgate serves', () => {
    const hooks = yamlOfPage('hasura-ddn.md');
    expect(hooks.map(({ definition }) => definition.pre)).toEqual(['parse', 'response']);
    for (const { kind, definition } of hooks) {
      expect(kind).toBe('LifecyclePluginHook');
      expect(definition.url.value).toMatch(new RegExp(`/integrations/hasura-ddn/pre-${definition.pre}$`));
      expect(definition.config.request.headers.additional['x-tollgate-token']).toEqual({
        valueFromEnv: 'TOLLGATE_TOKEN',
      });
    }
  });
});
