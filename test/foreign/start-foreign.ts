import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

export interface ForeignServer {
  url: string;
  /** Makes the server use its other schema. */
  changeSchema(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a program of a folder with its own packages, in a separate process.
 * @param args arguments of the command. The program must print its URL when it listens, and
 *   `changed` after SIGUSR2
 */
export async function startForeign(
  folder: string,
  args: readonly string[],
  env: Record<string, string> = {},
  command: string = process.execPath,
): Promise<ForeignServer> {
  const cwd = fileURLToPath(new URL(folder, import.meta.url));
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
  const printed: string[] = [];
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      printed.push(stripVTControlCharacters(line));
      for (const look of waiting) look();
    });
  }
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}:\n${printed.join('\n')}`)));
  });
  ended.catch(() => {});
  const lineOf = (pattern: RegExp): Promise<string> => {
    const found = new Promise<string>((resolve) => {
      const look = () => {
        const match = printed.map((line) => pattern.exec(line)?.[0]).find((each) => each !== undefined);
        if (match === undefined) return;
        waiting.delete(look);
        resolve(match);
      };
      waiting.add(look);
      look();
    });
    return Promise.race([found, ended]);
  };
  return {
    url: await lineOf(/\bhttp:\/\/\S+\/graphql$/),
    async changeSchema() {
      child.kill('SIGUSR2');
      await lineOf(/^changed$/);
    },
    async close() {
      child.kill('SIGTERM');
      await ended.catch(() => {});
    },
  };
}
