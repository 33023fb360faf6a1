import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { loadPromClient } from '../../src/observability/metrics/load-prom-client.js';
import { showUpstream, timeUpstream } from '../../src/observability/metrics/upstream-metrics.js';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import type { Db } from '../../src/postgres/db.js';
import { loadConfig } from '../../src/server/config/config.js';
import { type Platform, startPlatform } from '../helpers/platform.js';
import { findBinary, temporaryFile, uniqueName } from '../helpers/servers.js';

beforeAll(loadPromClient);

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const DASHBOARD = JSON.parse(read('deploy/grafana/dashboards/tollgate.json')) as {
  panels: {
    title: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets: { expr?: string; rawSql?: string }[];
  }[];
};
/** Queries of the panels to Prometheus and to PostgreSQL. */
const PANEL_QUERIES = DASHBOARD.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr ?? []));
const PANEL_SQL = DASHBOARD.panels.flatMap(({ targets }) => targets.flatMap(({ rawSql }) => rawSql ?? []));
const ALERTS = (
  parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
).groups.flatMap(({ rules }) => rules);

function promtool(...args: string[]): string {
  const binary = findBinary('promtool');
  if (!binary) throw new Error('promtool is not installed: run `npm test`, which installs it, or install Prometheus');
  const cwd = fileURLToPath(new URL('../../deploy/prometheus', import.meta.url));
  return execFileSync(binary, args, { cwd, encoding: 'utf8' });
}

describe('the configuration of Prometheus', () => {
  it('promtool accepts the configuration and the alert rules of Prometheus', () => {
    expect(promtool('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
    expect(promtool('check', 'rules', 'alerts.yml')).toContain('SUCCESS');
  });

  it('each alert has a test in which it fires and one in which it does not', () => {
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
    const { tests } = parse(read('deploy/prometheus/alerts.test.yml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const tried = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
    const triedAs = (fires: boolean) =>
      tried.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname);
    const names = ALERTS.map(({ alert }) => alert);
    expect(triedAs(true)).toEqual(names);
    expect(triedAs(false)).toEqual(names);
  });
});

describe('the dashboard and the alerts', () => {
  let platform: Platform;
  let databaseUrl: string;
  let db: Db;
  beforeAll(async () => {
    const name = uniqueName('deploy');
    const maintenance = await createPgDb({ url: inject('databaseUrl') });
    await maintenance.query(`create database ${name}`);
    await maintenance.close();
    const url = new URL(inject('databaseUrl'));
    url.pathname = `/${name}`;
    databaseUrl = url.href;
    const servers = { REDIS_URL: inject('redisUrl'), DATABASE_URL: databaseUrl };
    platform = await startPlatform({ env: { ...servers, TOLLGATE_DECISIONS: 'true' } });
    db = await createPgDb({ url: databaseUrl });
  });
  afterAll(async () => {
    await db.close();
    await platform.stop();
  });

  it('the dashboard and the alerts name only existing metrics', async () => {
    const ofGateway = new Registry();
    timeUpstream(ofGateway);
    const unused = { running: 0, maxRequests: 1, connections: 0, circuit: 'closed', rejected: {} } as const;
    showUpstream(ofGateway, {
      upstream: unused,
      subscriptions: unused,
      budget: { held: 0, maxBytes: 1, rejected: {} },
      failures: {},
    });
    const text = (await (await fetch(`${platform.url}/metrics`)).text()) + (await ofGateway.metrics());
    const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
    const exists = (name: string) =>
      types.get(name) !== undefined || types.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram';
    const exprs = [...ALERTS.map(({ expr }) => expr), ...PANEL_QUERIES];
    const named = new Set(exprs.flatMap((expr) => expr.match(/\b(?:tollgate|nodejs|process)_[a-z0-9_]+/g) ?? []));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !exists(name))).toEqual([]);
  });

  it('every metric of the platform has a row in docs/observability.md', async () => {
    const text = await (await fetch(`${platform.url}/metrics`)).text();
    const names = [...text.matchAll(/^# TYPE (tollgate_\S+)/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(30);
    const page = read('docs/observability.md');
    expect(names.filter((name) => !new RegExp(`^\\| \`${name}[\`{]`, 'm').test(page))).toEqual([]);
  });

  it('the dashboard lists the callers with the highest cost, as a role that can only read', async () => {
    const reader = uniqueName('grafana');
    const grants = read('deploy/postgres/grafana.sql').replaceAll(/\bgrafana\b/g, reader);
    await db.query(
      grants
        .replace(/^--.*$/gm, '')
        .trim()
        .replace(/;$/, ''),
    );
    const [who] = await db.query<{ id: number }>(
      `insert into usage_subjects (kind, name) values ('USER', 'ann') returning id`,
    );
    await db.query(
      `insert into usage_minute (bucket, subject_id, operation_id, tier, requests, denied, shadow_denied, degraded,
         estimated_cost, actual_cost, denied_cost)
       values (date_trunc('minute', now()), $1, 1, 'free', 3, 1, 0, 0, 20, 12, 7)`,
      [who!.id],
    );
    const url = new URL(databaseUrl);
    [url.username, url.password] = [reader, 'grafana'];
    const asGrafana = await createPgDb({ url: url.href });
    try {
      expect(PANEL_SQL).toHaveLength(1);
      const sql = PANEL_SQL[0]!.replace('$__timeFilter(bucket)', `bucket between now() - interval '1 hour' and now()`);
      expect(await asGrafana.query(sql)).toEqual([
        expect.objectContaining({ caller: 'ann', tier: 'free', requests: '3', denied: '1', cost: '12' }),
      ]);
      await expect(asGrafana.query('delete from usage_subjects')).rejects.toThrow(/permission denied/);
    } finally {
      await asGrafana.close();
      await db.query(`drop role ${reader}`);
    }
  });

  it('the panels of the dashboard do not overlap, and Prometheus parses their queries', () => {
    const places = new Set(DASHBOARD.panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`));
    expect(places.size).toBe(DASHBOARD.panels.length);
    for (const { gridPos, targets } of DASHBOARD.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      expect(targets.length).toBeGreaterThan(0);
    }
    // Without Grafana's variables each query must be valid PromQL: Prometheus parses it as a rule.
    const rules = PANEL_QUERIES.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    }));
    const file = temporaryFile('panels.yml', JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    expect(promtool('check', 'rules', file)).toContain(`${rules.length} rules`);
  });
});

const lines = read('Dockerfile').split('\n');

describe('the configuration of Alertmanager', () => {
  interface Route {
    receiver: string;
    matchers?: string[];
    routes?: Route[];
  }
  const { route, receivers } = parse(read('deploy/alertmanager/alertmanager.yml')) as {
    route: Route;
    receivers: { name: string }[];
  };

  it('every severity of an alert has a route to an existing receiver', () => {
    const { groups } = parse(read('deploy/prometheus/alerts.yml')) as {
      groups: { rules: { labels: { severity: string } }[] }[];
    };
    const severities = new Set(groups.flatMap(({ rules }) => rules.map(({ labels }) => labels.severity)));
    const routed = (route.routes ?? []).map(({ matchers }) => /^severity = (\w+)$/.exec(matchers?.[0] ?? '')?.[1]);
    expect(new Set(routed)).toEqual(severities);
    const names = receivers.map(({ name }) => name);
    for (const { receiver } of [route, ...(route.routes ?? [])]) expect(names).toContain(receiver);
  });

  it('Prometheus sends alerts to the Alertmanager of the compose file', () => {
    const { alerting } = parse(read('deploy/prometheus/prometheus.yml')) as {
      alerting: { alertmanagers: { static_configs: { targets: string[] }[] }[] };
    };
    expect(alerting.alertmanagers[0]?.static_configs[0]?.targets).toEqual(['alertmanager:9093']);
    expect(read('compose.yaml')).toContain('./deploy/alertmanager:/etc/alertmanager:ro');
  });
});

describe('the Dockerfile', () => {
  const copied = lines.flatMap((line) => {
    const [command, ...words] = line.split(/\s+/);
    return command === 'COPY' && !line.includes('--from=') ? words.slice(0, -1) : [];
  });

  it('the Dockerfile copies existing paths, which are those that .dockerignore admits', () => {
    const through = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    expect(copied.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([]);
    expect([...copied].sort()).toEqual([...through].sort());
  });

  it('the image contains every folder that the package needs at run time', () => {
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    const toRun = files.filter((path) => ['lua', 'migrations', 'schema'].includes(path));
    expect(toRun).toHaveLength(3);
    expect(copied).toEqual(expect.arrayContaining(toRun));
  });

  it('the image runs as a user who is not root, has a health check and receives signals itself', () => {
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));
    expect(last).toContain('USER node');
    expect(last.join('\n')).toMatch(/HEALTHCHECK[\s\S]*\/readyz/);
    expect(last).toContain('CMD ["node", "node_modules/tollgate-platform/bin/tollgate-platform.js", "start"]');
  });
});

describe('the compose file with a load balancer', () => {
  const { services, volumes } = parse(read('compose.balanced.yaml'), { merge: true }) as {
    services: Record<
      string,
      { environment?: Record<string, unknown>; volumes?: string[]; ports?: string[]; depends_on?: object }
    >;
    volumes: object;
  };

  it('compose.balanced.yaml starts two equal instances with settings that the platform accepts', () => {
    const [first, second] = ['tollgate-1', 'tollgate-2'].map((name) => services[name]!.environment!);
    expect(first).toEqual(second);
    const texts = Object.entries(first!).map(([name, value]) => [name, String(value)]);
    const env = { ...Object.fromEntries(texts), TOLLGATE_ADMIN_TOKEN: 'compose-admin-token' };
    expect(loadConfig({ env })).toMatchObject({ embedded: false, demo: true, instances: 2 });
  });

  it('compose.balanced.yaml names existing services, volumes and files, and opens one port, on this machine', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(Object.keys(service.depends_on ?? {}).filter((other) => !services[other])).toEqual([]);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        const isThere = source.startsWith('.')
          ? existsSync(new URL(`../../${source}`, import.meta.url))
          : source in volumes;
        expect(isThere, `${name}: ${volume}`).toBe(true);
      }
    }
    expect(Object.values(services).flatMap(({ ports = [] }) => ports)).toEqual(['127.0.0.1:4000:4000']);
    const { TOLLGATE_1, TOLLGATE_2 } = services['balancer']!.environment as Record<string, string>;
    for (const address of [TOLLGATE_1, TOLLGATE_2]) expect(services).toHaveProperty(address!.split(':')[0]!);
  });

  it('HAProxy accepts the configuration of the balancer', () => {
    const binary = findBinary('haproxy');
    if (!binary) throw new Error('haproxy is not installed: run `npm test`, which installs it');
    const addresses = { BIND: '127.0.0.1:4000', TOLLGATE_1: '127.0.0.1:4001', TOLLGATE_2: '127.0.0.1:4002' };
    const file = fileURLToPath(new URL('../../deploy/haproxy/haproxy.cfg', import.meta.url));
    const output = execFileSync(binary, ['-c', '-f', file], {
      env: { ...process.env, ...addresses },
      encoding: 'utf8',
    });
    expect(output).toContain('Configuration file is valid');
  });
});

describe('the compose file', () => {
  interface Service {
    image?: string;
    environment?: Record<string, string>;
    ports?: string[];
    volumes?: string[];
    command?: string[];
    depends_on?: string[] | Record<string, unknown>;
    healthcheck?: object;
  }
  const { services, volumes } = parse(read('compose.yaml')) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };

  it('compose.yaml uses only documented settings that the platform accepts', () => {
    const environment = services['tollgate']?.environment ?? {};
    const texts = Object.entries(environment).map(([name, value]) => [name, String(value)]);
    const env = { ...Object.fromEntries(texts), TOLLGATE_ADMIN_TOKEN: 'compose-admin-token' };
    expect(loadConfig({ env })).toMatchObject({ embedded: false, demo: true, port: 4000, production: false });
    const documented = read('docs/configuration.md');
    expect(Object.keys(environment).filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  it('compose.yaml names existing services, volumes and files, and opens ports only on this machine', () => {
    for (const [name, service] of Object.entries(services)) {
      const needs = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
      expect(
        needs.filter((other) => !services[other]),
        name,
      ).toEqual([]);
      for (const port of service.ports ?? []) expect(port, name).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        const isThere = source.startsWith('.')
          ? existsSync(new URL(`../../${source}`, import.meta.url))
          : source in volumes;
        expect(isThere, volume).toBe(true);
      }
    }
    const { REDIS_URL = '', DATABASE_URL = '' } = services['tollgate']?.environment ?? {};
    expect(new URL(REDIS_URL).hostname in services).toBe(true);
    expect(new URL(DATABASE_URL).hostname in services).toBe(true);
    const { scrape_configs } = parse(read('deploy/prometheus/prometheus.yml')) as {
      scrape_configs: { static_configs: { targets: string[] }[] }[];
    };
    const { TOLLGATE_METRICS_PORT = '' } = services['tollgate']?.environment ?? {};
    expect(scrape_configs[0]?.static_configs[0]?.targets).toEqual([`tollgate:${TOLLGATE_METRICS_PORT}`]);
    expect(services['tollgate']?.ports?.join()).not.toContain(String(TOLLGATE_METRICS_PORT));
  });

  it('every compose service has a health check, and the services that need it wait until it is healthy', () => {
    // The image contains the health check of the platform.
    const unchecked = Object.entries(services).flatMap(([name, { healthcheck }]) => (healthcheck ? [] : [name]));
    expect(unchecked).toEqual(['tollgate']);
    expect(read('Dockerfile')).toMatch(/^HEALTHCHECK /m);
    for (const [name, { depends_on: needs = {} }] of Object.entries(services)) {
      expect(Array.isArray(needs), name).toBe(false);
      for (const need of Object.values(needs)) expect(need, name).toEqual({ condition: 'service_healthy' });
    }
  });

  it('compose.yaml pins the versions of images, and the tests use the Node version of the image', () => {
    for (const [name, { image }] of Object.entries(services)) {
      if (image !== undefined) expect(image, name).toMatch(/:v?\d+/);
    }
    const bases = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]);
    expect(new Set(bases).size).toBe(1);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const [, major] = /^node:(\d+)/.exec(bases[0]!) ?? [];
    expect(scripts['test:node24']).toContain(`node@${major}`);
  });

  it('the Redis of compose.yaml evicts no counters and writes them to disk', () => {
    const command = services['redis']?.command?.join(' ');
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(command).toContain('--appendonly yes');
  });
});
