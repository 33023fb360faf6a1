import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppOptions } from './create-app.js';
import type { UpgradeHandler } from './listen.js';

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

/** Routes upgrade requests to the endpoints. Returns undefined if no endpoint accepts them. */
export function routeUpgrades({ endpoints, metrics }: Pick<AppOptions, 'endpoints' | 'metrics'>) {
  const handlers = new Map<string, UpgradeHandler>();
  for (const endpoint of endpoints) {
    if (!('upgrade' in endpoint) || !endpoint.upgrade) continue;
    const { path, upgrade } = endpoint;
    handlers.set(
      path,
      upgrade((status) => metrics.countAnswer(path, status)),
    );
  }
  if (handlers.size === 0) return undefined;
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const handle = handlers.get(request.url?.split('?', 1)[0] ?? '');
    if (handle) handle(request, socket, head);
    else {
      socket.on('error', () => {});
      socket.end(NOT_FOUND, () => socket.destroy());
    }
  };
}
