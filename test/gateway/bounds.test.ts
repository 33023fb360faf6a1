import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyEmbeddedDatabase } from '../helpers/embedded-folder.js';
import { EMBEDDED_DATABASE } from '../helpers/embedded-platform.js';
import { createLargeAnswers } from '../helpers/large-answers.js';
import { spawnCli } from '../helpers/platform.js';
import { freePort } from '../helpers/servers.js';
import { until } from '../helpers/until.js';

const MEBIBYTE = 2 ** 20;
const LARGE_BYTES = 400 * MEBIBYTE;
const SLOW_READERS = 256;
const MAX_FLOODS = 4;
const BODY = JSON.stringify({ query: '{ text }' });

/** Returns the resident memory of a process, as the kernel counts it. */
const residentBytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;

describe('memory and signals of a gateway process', () => {
  const answers = createLargeAnswers();
  const upstream = answers.server;
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-gateway-'));
  let child: ReturnType<typeof spawnCli>;
  let port: number;
  beforeAll(async () => {
    await copyEmbeddedDatabase(join(folder, EMBEDDED_DATABASE));
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    writeFileSync(join(folder, 'schema.graphql'), 'type Query { text: String }');
    port = await freePort();
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`;
    const args = [
      'gateway',
      '--upstream',
      url,
      '--schema',
      join(folder, 'schema.graphql'),
      '--port',
      String(port),
      '--observe',
      '--max-upstream-requests',
      // One caller may use a quarter of the upstream requests. The response of the previous test
      // may still occupy one of them.
      String(4 * (SLOW_READERS + 8)),
    ];
    // Node 24 has semi-spaces of 32 MiB instead of 16 MiB, so its heap grows by 64 MiB more under
    // load. With the same size on every version, the bounds below measure the gateway's buffers.
    const env = { LOG_LEVEL: 'error', NODE_OPTIONS: '--max-semi-space-size=16' };
    child = spawnCli(args, env, folder);
    await until('the gateway is ready', () => child.output().includes('is ready'), 60_000);
  });
  afterAll(async () => {
    child.child.kill('SIGTERM');
    await child.exited;
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Sends a request and counts the received bytes. If `reads` is false, it does not read the
   * response.
   */
  const ask = (reads: boolean): { socket: Socket; bytes(): number } => {
    let bytes = 0;
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    if (reads) socket.on('data', (data: Buffer) => (bytes += data.length));
    else socket.pause();
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
    );
    return { socket, bytes: () => bytes };
  };
  /** Returns the maximum growth of the memory while `during` runs. */
  async function growth(during: () => Promise<void>): Promise<number> {
    const pid = child.child.pid!;
    const before = residentBytes(pid);
    let most = before;
    const timer = setInterval(() => (most = Math.max(most, residentBytes(pid))), 10);
    try {
      await during();
    } finally {
      clearInterval(timer);
    }
    return (most - before) / MEBIBYTE;
  }

  it('the memory of a gateway grows by less than 64 MiB while a response of 400 MiB passes through', async () => {
    answers.answerBytes = LARGE_BYTES;
    const grown = await growth(async () => {
      const { socket, bytes } = ask(true);
      await new Promise((resolve) => socket.once('close', resolve));
      expect(bytes()).toBeGreaterThan(LARGE_BYTES);
    });
    expect(grown).toBeLessThan(64);
  });

  it('the memory of a gateway stops growing while 256 clients that read nothing flood it repeatedly', async () => {
    answers.answerBytes = 4 * MEBIBYTE;
    const growthBySlowReaders = async () => {
      const readers: ReturnType<typeof ask>[] = [];
      const grown = await growth(async () => {
        answers.asked = 0;
        for (let reader = 0; reader < SLOW_READERS; reader++) readers.push(ask(false));
        await expect.poll(() => answers.asked, { message: child.output() }).toBe(SLOW_READERS);
        for (let look = 0; look < 40; look++)
          expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
      });
      const closed = readers.map(({ socket }) => new Promise((resolve) => socket.once('close', resolve)));
      for (const { socket } of readers) socket.destroy();
      await Promise.all(closed);
      return grown;
    };
    // V8 also enlarges its heap permanently, usually in the first flood and at times in the second.
    // If each flood left memory behind, the growth would exceed the bound of every flood, or the
    // bound of all floods together.
    const initialBytes = residentBytes(child.child.pid!);
    expect(await growthBySlowReaders()).toBeLessThan(128);
    let grown = await growthBySlowReaders();
    for (let flood = 3; grown >= 64 && flood <= MAX_FLOODS; flood++) grown = await growthBySlowReaders();
    expect(grown).toBeLessThan(64);
    expect((residentBytes(child.child.pid!) - initialBytes) / MEBIBYTE).toBeLessThan(128 + 64);
  });

  it('a running gateway loads a new schema on SIGHUP and keeps serving', async () => {
    answers.answerBytes = 0;
    const statusOf = async () => {
      const headers = { 'content-type': 'application/json', connection: 'close' };
      const body = JSON.stringify({ query: '{ fresh }' });
      return (await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body })).status;
    };
    expect(await statusOf()).toBe(400);
    writeFileSync(join(folder, 'schema.graphql'), 'type Query { text: String, fresh: String }');
    child.child.kill('SIGHUP');
    await expect.poll(statusOf).toBe(200);
  });
});
