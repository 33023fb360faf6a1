import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A process beside the one that is measured, which ends with it. */
export interface Helper {
  child: ChildProcess;
  /** Where it listens. */
  port: number;
}

/** Starts one that says as its first message where it listens. */
export function startHelper(name: string): Promise<Helper> {
  const child = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
    child.once('message', (port) => resolve({ child, port: Number(port) }));
  });
}
