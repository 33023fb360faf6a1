import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A process in addition to the measured process. It ends when the measured process ends. */
export interface Helper {
  child: ChildProcess;
  /** Port on which the process listens. */
  port: number;
}

/** Starts a helper, which sends its port as its first message. */
export function startHelper(name: string): Promise<Helper> {
  const child = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
    child.once('message', (port) => resolve({ child, port: Number(port) }));
  });
}
