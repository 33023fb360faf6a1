import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createPgDb } from '../../../src/postgres/create-pg-db.js';
import { ADMIN_TOKEN, runToEnd, startPlatform } from '../../helpers/platform.js';
import { uniqueName } from '../../helpers/servers.js';
import { CHART, helm } from './chart-tools.js';
import { findWrongMembers, type Manifest } from './find-wrong-members.js';

const VALUES = fileURLToPath(new URL('../../../deploy/helm/values', import.meta.url));
const MANIFESTS = fileURLToPath(new URL('../../../deploy/kubernetes', import.meta.url));
const COMPONENTS = ['platform', 'gateway', 'decide'] as const;

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
}

interface PodSpec {
  terminationGracePeriodSeconds?: number;
  containers: { command: string[]; args?: string[]; env: Variable[]; volumeMounts: object[] }[];
}

type Workload = Manifest & {
  spec: { replicas?: number; template: { metadata: Manifest['metadata']; spec: PodSpec } };
};

const folder = mkdtempSync(join(tmpdir(), 'tollgate-chart-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Renders the chart with the values of a component, and with those of an object over them. */
function render(component: string, values: object = {}): string {
  const file = join(folder, `${uniqueName('values')}.json`);
  writeFileSync(file, JSON.stringify(values));
  return helm('template', 'tollgate', CHART, '--values', join(VALUES, `${component}.yaml`), '--values', file);
}

const manifestsOf = (text: string) =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);

function find(manifests: Manifest[], kind: string, name = 'tollgate'): Workload {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`the chart renders no ${kind} named ${name}`);
  return found as Workload;
}

const variablesOf = (workload: Workload) =>
  new Map(workload.spec.template.spec.containers[0]!.env.map((variable) => [variable.name, variable]));

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as { stderr?: string }).stderr ?? String(error);
  }
  throw new Error('helm accepted the values');
}

describe.each(COMPONENTS)('the chart with the values of %s', (component) => {
  const text = render(component);
  const manifests = manifestsOf(text);

  it('the linter of helm reports nothing but the missing icon', () => {
    const report = helm('lint', '--strict', CHART, '--values', join(VALUES, `${component}.yaml`));
    expect(report).toContain('1 chart(s) linted, 0 chart(s) failed');
    expect(report.match(/\[(WARNING|ERROR)\].*/g) ?? []).toEqual([]);
  });

  it('every object has only the members that its schema has, with values of the right type', () => {
    expect(manifests.length).toBeGreaterThan(6);
    expect(findWrongMembers(manifests)).toEqual([]);
  });

  it('the plain manifests of the repository are those that the chart renders', async () => {
    await expect(text).toMatchFileSnapshot(join(MANIFESTS, `${component}.yaml`));
  });

  it('no object contains a password or a token, because all of them come from the named secret', () => {
    const variables = variablesOf(find(manifests, 'Deployment'));
    for (const name of ['REDIS_URL', 'DATABASE_URL', 'TOLLGATE_ADMIN_TOKEN']) {
      expect(variables.get(name)).toEqual({ name, valueFrom: { secretKeyRef: { name: 'tollgate', key: name } } });
    }
    expect(manifests.map(({ kind }) => kind)).not.toContain('Secret');
  });

  it('the selectors of services and budgets match the pods, and not the pods of jobs', () => {
    const labels = find(manifests, 'Deployment').spec.template.metadata.labels!;
    const { selector } = find(manifests, 'Service').spec as unknown as { selector: Record<string, string> };
    expect(labels).toMatchObject(selector);
    const ofJob = find(manifests, 'Job', 'tollgate-migrate').spec.template.metadata.labels!;
    expect(ofJob).not.toMatchObject(selector);
  });

  it('a pod may complete its requests and close before it is killed', () => {
    const { spec } = find(manifests, 'Deployment').spec.template;
    // 5 s until load balancers have stopped to use it, 10 s for requests in flight, 10 s to close.
    expect(spec.terminationGracePeriodSeconds).toBe(25);
  });
});

describe('the chart', () => {
  it('keeps values that are zero, false or large', () => {
    const variables = variablesOf(find(manifestsOf(render('gateway', { config: { TOLLGATE_FEE: 0 } })), 'Deployment'));
    expect(variables.get('TOLLGATE_FEE')?.value).toBe('0');
    expect(variables.get('TOLLGATE_MAX_PARTITIONS')?.value).toBe('2000000');
    const decide = find(manifestsOf(render('decide', { replicaCount: 0 })), 'Deployment');
    expect(variablesOf(decide).get('TOLLGATE_USAGE')?.value).toBe('false');
    expect(decide.spec.replicas).toBe(0);
    const emptied = find(manifestsOf(render('decide', { config: { TOLLGATE_USAGE: null } })), 'Deployment');
    expect(variablesOf(emptied).has('TOLLGATE_USAGE')).toBe(false);
  });

  it('gives the URL of a replica of PostgreSQL from a secret to the pods, and not to the jobs', () => {
    const databaseReplica = { existingSecret: 'replica', key: 'URL' };
    const rendered = manifestsOf(render('gateway', { databaseReplica, config: { DATABASE_READ_URL: null } }));
    expect(variablesOf(find(rendered, 'Deployment')).get('DATABASE_READ_URL')).toMatchObject({
      valueFrom: { secretKeyRef: { name: 'replica', key: 'URL' } },
    });
    expect(JSON.stringify(rendered).split('DATABASE_READ_URL')).toHaveLength(2);
  });

  it('renders no number of pods while an autoscaler sets it', () => {
    expect(find(manifestsOf(render('gateway')), 'Deployment').spec).not.toHaveProperty('replicas');
  });

  it('restarts the pods if their files change, and not if the rules change', () => {
    const podsOf = (values: object) =>
      find(manifestsOf(render('gateway', values)), 'Deployment').spec.template.metadata.annotations;
    const before = podsOf({});
    expect(podsOf({ rules: { policy: 'tiers: []' } })).toEqual(before);
    expect(podsOf({ files: { costs: 'Query.reports: 21' } })).not.toEqual(before);
  });

  it('lists all mistakes of the values that belong together', () => {
    const values = {
      redis: { existingSecret: '' },
      config: { TOLLGATE_UPSTREAM: null, PORT: 80, DATABASE_URL: 'postgres://a:b@c/d' },
      autoscaling: { minReplicas: 30 },
      httpRoute: { parentRefs: [] },
    };
    const message = messageOf(() => render('gateway', values));
    expect(message.match(/^- .*$/gm)).toEqual([
      '- redis and database: name a secret (existingSecret) or a url for both, because the pods share their counters and rules',
      '- config.DATABASE_URL: it is a secret; use existingSecret',
      '- config.PORT: set port instead',
      '- config.TOLLGATE_UPSTREAM: a gateway needs the URL of the GraphQL endpoint',
      '- autoscaling.minReplicas: it exceeds autoscaling.maxReplicas',
      '- httpRoute.parentRefs: name the gateway',
    ]);
  });

  it('accepts the values of the command in docs/kubernetes.md', () => {
    const page = readFileSync(fileURLToPath(new URL('../../../docs/kubernetes.md', import.meta.url)), 'utf8');
    const command = /helm install tollgate deploy\/helm\/tollgate \\\n((?:.*\\\n)*.*)/.exec(page)?.[1] ?? '';
    const args = command.split(/[\s\\]+/).filter((word) => word !== '');
    expect(args.length).toBe(8);
    const deployment = find(manifestsOf(helm('template', 'tollgate', CHART, ...args)), 'Deployment');
    expect(variablesOf(deployment).get('TOLLGATE_UPSTREAM')?.value).toMatch(/^http:/);
  });

  it('names an unknown value and a value of the wrong type', () => {
    const message = messageOf(() => render('gateway', { replicas: 3, port: '4000', config: { tollgate_fee: 1 } }));
    expect(message).toContain("additional properties 'replicas' not allowed");
    expect(message).toMatch(/port'?: got string, want integer/);
    expect(message).toContain('tollgate_fee');
  });

  it('checks every value of values.yaml by its schema', () => {
    const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as { properties: object };
    const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as object;
    expect(Object.keys(schema.properties).filter((name) => name !== 'global')).toEqual(Object.keys(values));
  });

  it('the check of members finds an unknown member, a missing member and a value of the wrong type', () => {
    const metadata = { name: 'a' };
    const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80, targetport: 1 }] } };
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: { maxUnavailable: true } };
    const route = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata };
    expect(findWrongMembers([service, budget, route])).toEqual([
      expect.stringMatching(/^Service a: .*targetport.* does not exist/),
      expect.stringMatching(/^PodDisruptionBudget a: Type 'true' is not assignable/),
      expect.stringMatching(/^HTTPRoute a: Property .*spec.* is missing/),
    ]);
  });

  it('has manifests for each component and for nothing else', () => {
    expect(readdirSync(MANIFESTS).sort()).toEqual(COMPONENTS.map((component) => `${component}.yaml`).sort());
  });
});

describe('the containers of the chart', () => {
  it('migrate the database, start, and apply the rules, with the commands and variables of the manifests', async () => {
    const name = uniqueName('chart');
    const maintenance = await createPgDb({ url: inject('databaseUrl') });
    await maintenance.query(`create database ${name}`);
    await maintenance.close();
    const databaseUrl = new URL(inject('databaseUrl'));
    databaseUrl.pathname = `/${name}`;
    const secret: Record<string, string> = {
      REDIS_URL: inject('redisUrl'),
      DATABASE_URL: databaseUrl.href,
      TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    };
    const manifests = manifestsOf(render('decide'));
    const files = new Map<string, string>();
    for (const manifest of manifests.filter(({ kind }) => kind === 'ConfigMap')) {
      const { data } = manifest as unknown as { data: Record<string, string> };
      for (const [file, content] of Object.entries(data)) {
        files.set(`/etc/tollgate/${file}`, join(folder, file));
        writeFileSync(join(folder, file), content);
      }
    }
    const mounted = (text: string) => files.get(text) ?? text;
    const environmentOf = (workload: Workload) =>
      Object.fromEntries(
        [...variablesOf(workload).values()].map(({ name, value, valueFrom }) => [
          name,
          mounted(value ?? secret[valueFrom!.secretKeyRef.key]!),
        ]),
      );
    const argsOf = (workload: Workload) => workload.spec.template.spec.containers[0]!.args!.map(mounted);

    const migrate = find(manifests, 'Job', 'tollgate-migrate');
    expect(await runToEnd(argsOf(migrate), environmentOf(migrate))).toMatchObject({ status: 0 });

    const deployment = find(manifests, 'Deployment');
    expect(argsOf(deployment)).toEqual(['decide']);
    // Several tests use this machine, so the ports are free ones instead of those of the pods.
    const { PORT, TOLLGATE_METRICS_PORT, TOLLGATE_DECISIONS_PORT, ...env } = environmentOf(deployment);
    expect([PORT, TOLLGATE_METRICS_PORT, TOLLGATE_DECISIONS_PORT]).toEqual(['4000', '9464', '4100']);
    const platform = await startPlatform({ command: 'decide', env });
    try {
      const rules = find(manifests, 'Job', 'tollgate-rules');
      const applied = await runToEnd(argsOf(rules), environmentOf(rules));
      expect(applied.output).toContain('tier free');
      expect(applied.status).toBe(0);
      expect((await fetch(`${platform.url}/healthz`)).status).toBe(200);
    } finally {
      expect(await platform.stop()).toBe(0);
    }
  });
});
