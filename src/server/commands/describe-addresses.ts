import type { Config } from '../config/config.js';
import type { RunningServer } from '../start-server.js';

/** Addresses of a started server, for the first output of a command. */
interface Addresses {
  /** URL of the server, as used on this machine. */
  url: string;
  /**
   * Lines about decisions, the console, the admin API, health and metrics. With the sample API, they
   * contain the admin token if it was generated.
   */
  lines: string[];
}

export function describeAddresses(config: Config, { port, adminToken, consolePath }: RunningServer): Addresses {
  const { metricsPort = port, metricsHost = config.host } = config;
  const host = nameOf(config.host);
  const url = `http://${host}:${port}`;
  const lines: string[] = [];
  if (config.decisions) {
    const { port: decisionsPort, socket } = config.decisions;
    lines.push(`  decide   ${url}/v1/decide  ${url}/v1/settle`);
    if (decisionsPort !== undefined) lines.push(`  h2c      port ${decisionsPort}, also HTTP/1.1`);
    if (socket !== undefined) lines.push(`  socket   ${socket}`);
  }
  lines.push(`  console  ${url}${consolePath}`);
  if (consolePath.includes('#'))
    lines.push('           (valid for one login within two minutes; later, log in with the admin token)');
  lines.push(`  admin    ${url}/admin/graphql`);
  if (config.adminToken === undefined) {
    // The output is often stored with the logs, which people other than administrators may read.
    // Therefore the token is printed only for the sample API.
    const token = config.demo
      ? `${adminToken} (header Authorization: Bearer)`
      : 'only those created with adminTokenCreate; for the first one, set TOLLGATE_ADMIN_TOKEN';
    lines.push(`  token    ${token}`);
  }
  lines.push(`  health   ${url}/healthz  ${url}/readyz  http://${nameOf(metricsHost)}:${metricsPort}/metrics`);
  return { url, lines };
}

function nameOf(host: string): string {
  return ['0.0.0.0', '::', '127.0.0.1'].includes(host) ? 'localhost' : host;
}

/** Returns commands that receive the events of the sample API, for the first output of a command. */
export function describeSubscriptions(url: string): string[] {
  const subscription = 'subscription { noteSaved { text place { name } } }';
  return [
    'Receive the notes that callers save, until Ctrl+C:',
    '',
    `  curl -sN ${url}/graphql -H 'content-type: application/json' -H 'x-api-key: demo-free' -H 'accept: text/event-stream' -d '{"query":"${subscription}"}'`,
    '',
    `The same over a WebSocket: connect graphql-ws to ${url.replace('http', 'ws')}/graphql, with the connectionParams { 'x-api-key': 'demo-free' }`,
  ];
}
