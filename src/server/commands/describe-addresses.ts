import type { Config } from '../config/config.js';
import type { RunningServer } from '../start-server.js';

/** Where people find what was started, for what a command prints first. */
interface Addresses {
  /** Of the server, as one writes it on this machine. */
  url: string;
  /** The console, the administration with its token where that was made up, health and metrics. */
  lines: string[];
}

export function describeAddresses(config: Config, { port, adminToken, consolePath }: RunningServer): Addresses {
  const { metricsPort = port, metricsHost = config.host } = config;
  const host = nameOf(config.host);
  const url = `http://${host}:${port}`;
  const lines = [`  console  ${url}${consolePath}`];
  if (consolePath.includes('#'))
    lines.push('           (logs you in once, within two minutes; later with the admin token)');
  lines.push(`  admin    ${url}/admin/graphql`);
  if (config.adminToken === undefined) {
    // Output is kept with the logs, where more people read than may administer anything but the sample API.
    const token = config.demo
      ? `${adminToken} (header Authorization: Bearer)`
      : 'only those that were made with adminTokenCreate; for the first one set TOLLGATE_ADMIN_TOKEN';
    lines.push(`  token    ${token}`);
  }
  lines.push(`  health   ${url}/healthz  ${url}/readyz  http://${nameOf(metricsHost)}:${metricsPort}/metrics`);
  return { url, lines };
}

function nameOf(host: string): string {
  return ['0.0.0.0', '::', '127.0.0.1'].includes(host) ? 'localhost' : host;
}
