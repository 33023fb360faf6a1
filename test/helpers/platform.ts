import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENT_MS } from './patient.js';
import { freePort } from './servers.js';
import { SHORT_LIVED } from './short-lived.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** A `tollgate start` or `tollgate gateway` in a separate process and folder. */
export interface Platform {
  url: string;
  port: number;
  folder: string;
  process: ChildProcess;
  /** Returns the output so far, both streams together. */
  output(): string;
  /** Sends SIGTERM and resolves to the exit status. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. The folder stays for the next process until `stop` is called. */
  kill(): Promise<void>;
}

export interface PlatformOptions {
  /** @default start */
  command?: 'start' | 'gateway' | 'decide';
  env?: Record<string, string>;
  args?: string[];
  /** @default a free port */
  port?: number;
  /** The working directory. @default a new temporary folder, removed by `stop` */
  folder?: string;
  /** Streams of the process. @default pipes, which `output()` reads */
  stdio?: StdioOptions;
}

export const ADMIN_TOKEN = 'an-admin-token-for-tests';

/**
 * Starts the built platform and waits until it is ready. `npm run build` must have run before.
 */
export async function startPlatform({
  command = 'start',
  env = {},
  args = [],
  port: givenPort,
  folder,
  stdio,
}: PlatformOptions = {}): Promise<Platform> {
  const port = givenPort ?? (await freePort());
  const cwd = folder ?? mkdtempSync(join(tmpdir(), 'tollgate-platform-'));
  const settings = {
    PORT: String(port),
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    TOLLGATE_REDIS_DEADLINE_MS: String(PATIENT_MS),
    // Without generated traffic, only the requests of the test are counted.
    TOLLGATE_TRAFFIC: 'false',
    ...env,
  };
  const { child, output, exited } = spawnCli([command, ...args], settings, cwd, stdio);
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(`${url}/readyz`))) {
    if (child.exitCode !== null) throw new Error(`tollgate ${command} ended with ${child.exitCode}:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // The output that the process wrote before it responded may still be in the pipe.
  await new Promise((resolve) => setImmediate(resolve));
  return {
    url,
    port,
    folder: cwd,
    process: child,
    output,
    async stop() {
      child.kill('SIGTERM');
      const status = await exited;
      if (folder === undefined) rmSync(cwd, { recursive: true, force: true });
      return status;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Runs a command of the built CLI to its end. */
export async function runToEnd(
  args: string[],
  env: Record<string, string> = {},
  folder: string = tmpdir(),
  stdio?: StdioOptions,
): Promise<{ status: number | null; output: string }> {
  const { output, exited } = spawnCli(args, env, folder, stdio);
  return { status: await exited, output: output() };
}

/** Starts a command of the built CLI. */
export function spawnCli(
  args: string[],
  env: Record<string, string>,
  cwd: string = tmpdir(),
  stdio: StdioOptions = 'pipe',
) {
  const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  const child = spawn(process.execPath, [...SHORT_LIVED, CLI, ...args], { cwd, stdio, env: { ...inherited, ...env } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  // `close` instead of `exit`, because the last output may still be in the pipes.
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output: () => printed, exited };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { headers: { connection: 'close' } })).ok;
  } catch {
    return false;
  }
}

/** One response of a GraphQL API, with the parts that the tests check. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
  body: any;
}

/**
 * Posts one operation. Its connection closes after the response, so that a stopping platform does
 * not wait for it, unless the headers set another `connection`.
 */
export async function post(
  url: string,
  body:
    | {
        query?: string;
        documentId?: string;
        variables?: Record<string, unknown>;
        operationName?: string;
        extensions?: unknown;
      }
    | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? JSON.stringify({ query: body }) : JSON.stringify(body);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    body: text,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
