import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Folder of the example clients. */
export const CLIENTS = fileURLToPath(new URL('../../../docs/clients/', import.meta.url));

/** Path of a file next to this one. */
export const programAt = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Starts a program that prints its port, and that ends when its input does. */
export async function startProgram(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(command, args, { env: { ...process.env, ...env } });
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  let errors = '';
  child.stderr!.on('data', (piece) => (errors += piece));
  const port = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.stdout!.once('data', (piece) => resolve(Number(piece)));
    child.once('close', () => reject(new Error(`${command} has ended: ${errors}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.stdin!.end();
      child.kill();
      await ended;
      if (/Traceback|panic/.test(errors)) throw new Error(errors);
    },
  };
}

/** Starts the HTTP server with the middleware for ASGI, in front of an executor. */
export function startAsgiServer(urls: { tollgate: string; executor: string }) {
  return startProgram('python3', [programAt('asgi-server.py')], {
    PYTHONPATH: CLIENTS,
    PYTHONDONTWRITEBYTECODE: '1',
    TOLLGATE_TOKEN: 'any',
    TOLLGATE: urls.tollgate,
    EXECUTOR: urls.executor,
  });
}
