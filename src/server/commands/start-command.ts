import { destination } from 'pino';
import type { Tollgate } from '../../create-tollgate.js';
import { createDemoContext, createDemoSchema } from '../../demo/create-demo-schema.js';
import { demoKeys, demoRules, demoTiers } from '../../demo/demo-policy.js';
import { createLog } from '../../observability/create-log.js';
import { hashApiKey } from '../../rules/store/api-keys.js';
import { type Config, loadConfig } from '../config/config.js';
import { outliveAbandonedErrors } from '../outlive-abandoned-errors.js';
import { type RunningServer, startServer } from '../start-server.js';
import type { StartServerOptions } from '../start-server-options.js';

/** `tollgate start`: runs until SIGTERM or SIGINT and resolves to the exit status. A second signal ends it at once. */
export async function startCommand(args: string[]): Promise<number> {
  const config = loadConfig({ args });
  // Standard output is for people: what it prints first is what one pastes. Logs go beside it.
  const log = createLog({ level: config.logLevel }, destination({ dest: 2, sync: false }));
  outliveAbandonedErrors(log);
  // What this process writes is for its own user.
  process.umask(0o077);
  const server = await startServer({ ...(config.demo && sampleApi()), config, logger: log });
  process.stdout.write(banner(config, server));
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => process.exit(1));
  log.info({ signal }, 'Stopping: requests in flight may end');
  await server.stop();
  return 0;
}

/** The sample API, with its tiers, its rules, and callers with keys that everybody may know. */
function sampleApi(): StartServerOptions {
  return {
    schema: createDemoSchema(),
    context: createDemoContext,
    tiers: demoTiers,
    rules: demoRules,
    mayReportCost: () => true,
    prepare: addDemoSubjects,
  };
}

async function addDemoSubjects({ store, health }: Pick<Tollgate, 'store' | 'health'>): Promise<void> {
  if (!store || health()?.databaseAway) return;
  const actor = { name: 'tollgate', authMethod: 'SYSTEM' as const };
  for (const { key, subject } of demoKeys) {
    if (await store.findSubjectByApiKeyHash(hashApiKey(key))) continue;
    const { user, tenant, tier } = subject;
    const who = { user, ...(tenant !== undefined && { tenant }) };
    await store.upsertSubject({ ...who, tier }, actor);
    await store.createApiKey({ ...who, name: 'Sample API', known: { prefix: key, secret: key } }, actor);
  }
}

/** What the platform prints first: mode, addresses, keys, and one line to paste. */
function banner(config: Config, { port, adminToken }: RunningServer): string {
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(config.host) ? 'localhost' : config.host;
  const url = `http://${host}:${port}`;
  const metricsUrl = `http://${host}:${config.metricsPort ?? port}/metrics`;
  const mode = config.embedded
    ? `embedded: counters in memory, PostgreSQL in process under ${config.dataDir}`
    : `on Redis and PostgreSQL${config.demo ? ', with the sample API' : ''}`;
  const lines = [`Tollgate is ready, ${mode}`, ''];
  if (config.demo) lines.push(`  API      ${url}/graphql`, '  keys     demo-free, demo-pro (header x-api-key)');
  lines.push(`  admin    ${url}/admin/graphql`);
  if (adminToken === undefined)
    lines.push('  token    none: the admin API answers 401 until TOLLGATE_ADMIN_TOKEN is set');
  else if (config.adminToken === undefined) lines.push(`  token    ${adminToken} (header Authorization: Bearer)`);
  lines.push(`  health   ${url}/healthz  ${url}/readyz  ${metricsUrl}`);
  if (config.demo) {
    const query = '{ countries(first: 20) { name borders { name } } }';
    lines.push(
      '',
      'Try it:',
      '',
      `  curl -s ${url}/graphql -H 'content-type: application/json' -H 'x-api-key: demo-free' -d '{"query":"${query}"}'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
