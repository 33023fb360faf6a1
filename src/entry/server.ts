// Entry point `tollgate/server`: the platform, with your own API.
import { loadEntryPoint } from '../runtime/packages/load-entry-point.js';
import type { RunningServer } from '../server/start-server.js';
import type { StartServerOptions } from '../server/start-server-options.js';

export type { ApiContext } from '../server/api-context.js';
export { type Config, ConfigError, loadServerConfig as loadConfig } from '../server/config/config.js';
export type { RunningServer } from '../server/start-server.js';
export type { StartServerOptions } from '../server/start-server-options.js';

const PACKAGES = [
  '@apollo/server',
  'csv-stringify',
  'express',
  'jose',
  'prom-client',
  'reflect-metadata',
  'type-graphql',
];

/**
 * Starts the platform: your own API behind its limits, the admin API, health and metrics.
 * @example
 * const server = await startServer({ schema, config: loadConfig({ env: { ...process.env, PORT: '4000' } }) });
 */
export async function startServer(options: StartServerOptions = {}): Promise<RunningServer> {
  const server = await loadEntryPoint('tollgate/server', PACKAGES, () => import('../server/start-server.js'));
  return server.startServer(options);
}
