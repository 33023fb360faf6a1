import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';

/** A way to a server that can be closed and opened again: the server itself does not notice. */
export interface Passage {
  port: number;
  /** The URL of the server, by way of the passage. */
  url: string;
  /** Cuts every connection and refuses new ones. */
  close(): Promise<void>;
  /** Lets connections through again. */
  open(): Promise<void>;
}

/** Opens a passage on a free port to the server of `url`. */
export async function openPassage(url: string): Promise<Passage> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;

  async function open(): Promise<void> {
    server = createServer((near) => {
      const far = openSocket(Number(target.port), target.hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one);
        one.on('error', () => {});
        one.once('close', () => {
          sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
    await new Promise<void>((resolve, reject) => {
      server?.once('error', reject);
      server?.listen(port, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
    port = address.port;
  }

  await open();
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    port,
    url: through.href,
    open,
    async close() {
      const closed = new Promise<void>((resolve) => (server?.listening ? server.close(() => resolve()) : resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
