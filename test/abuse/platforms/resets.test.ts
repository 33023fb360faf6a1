import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, post } from '../../helpers/platform.js';
import { until } from '../../helpers/until.js';
import { countCases } from '../serve.js';
import { type OpenPlatform, PLATFORMS } from './platforms.js';

const BODY = '{"query":"{ country(code: \\"SE\\") { name } }"}';
const ROUNDS = 20;

const request = (body: string, headers = '', length = body.length) =>
  `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}content-length: ${length}\r\n\r\n${body}`;

/**
 * Stages of a request at which the test resets the connection. The test sends the text, waits for
 * the response if `answered` is true, and then resets the connection.
 */
const STAGES = [
  { stage: 'the headers', text: 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-', pays: 0, answered: false },
  { stage: 'the body', text: request('{"query":', '', 1000), pays: 1, answered: false },
  {
    stage: 'a body of another kind',
    text: request('query', 'content-encoding: gzip\r\n', 1000),
    pays: 1,
    answered: false,
  },
  { stage: 'the rejection of invalid JSON', text: request('{'), pays: 1, answered: false },
  { stage: 'the rejection of an unknown field', text: request('{"query":"{ nothing }"}'), pays: 1, answered: false },
  { stage: 'the rejection of an unknown key', text: request(BODY, 'x-api-key: unknown\r\n'), pays: 1, answered: false },
  { stage: 'an operation', text: request(BODY), pays: 1, answered: false },
  { stage: 'a response', text: request(BODY), pays: 1, answered: true },
] as const;

describe.each(PLATFORMS)('a connection that its client resets, $on', ({ open }) => {
  let opened: OpenPlatform;
  beforeAll(async () => {
    opened = await open();
    // The period is so long that no token is refilled while a test runs.
    const tier = '{ name: "free", capacity: 1000000, refillAmount: 1, refillPeriodMs: 1000000 }';
    const { body } = await post(
      `${opened.platform.url}/admin/graphql`,
      `mutation { tierUpdate(input: ${tier}) { userErrors { message } } }`,
      { authorization: `Bearer ${ADMIN_TOKEN}` },
    );
    expect(body).toMatchObject({ data: { tierUpdate: { userErrors: [] } } });
  });
  afterAll(() => opened.close());

  /**
   * Opens a connection and gets one response on it, so that the server has accepted the connection
   * before the reset.
   */
  async function openConnection(): Promise<Socket> {
    const socket = connect(opened.platform.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'data');
    return socket;
  }
  async function left(): Promise<number> {
    const { body } = await post(`${opened.platform.url}/graphql`, '{ country(code: "SE") { name } }');
    return body.extensions.cost.throttleStatus.currentlyAvailable;
  }

  it.for(STAGES)('A30: a reset in the middle of $stage costs $pays tokens, and is not logged as a failure', async ({
    text,
    pays,
    answered,
    stage,
  }, context) => {
    const before = await left();
    const printed = opened.platform.output().length;
    for (let round = 0; round < ROUNDS; round++) {
      const socket = await openConnection();
      const first = answered ? once(socket, 'data') : undefined;
      socket.write(text);
      await first;
      // The written bytes are sent first; the reset follows them.
      await new Promise((resolve) => setImmediate(resolve));
      socket.resetAndDestroy();
    }
    let price = 0;
    await until(`${stage} is paid`, async () => {
      // Each check of the remaining tokens costs one token.
      price++;
      return before - (await left()) - price >= pays * ROUNDS;
    });
    expect(before - (await left()) - price - 1).toBe(pays * ROUNDS);
    const lines = opened.platform
      .output()
      .slice(printed)
      .split('\n')
      .filter((line) => line !== '');
    for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow();
    const failures = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    expect(failures).toEqual([]);
    countCases(context, ROUNDS);
  });

  it.for([
    { when: 'before the platform accepts it, its request never begins and pays nothing', accepted: false, most: 0 },
    { when: 'after the platform has accepted it, only a begun request pays', accepted: true, most: ROUNDS },
  ])('A30: if a connection is reset $when', async ({ accepted, most }, context) => {
    const { pid, url, port } = { ...opened.platform, pid: opened.platform.process.pid! };
    const answered = async () => {
      const metrics = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
      const counts = metrics.matchAll(/^tollgate_http_requests_total\{path="\/graphql",status="\dxx"\} (\d+)$/gm);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const before = { left: await left(), answered: await answered() };
    const connected = async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      return socket;
    };
    const kept = accepted ? await Promise.all(Array.from({ length: ROUNDS }, openConnection)) : [];
    // While the process is stopped, the kernel accepts connections and buffers their data.
    process.kill(pid, 'SIGSTOP');
    try {
      const sockets = accepted ? kept : await Promise.all(Array.from({ length: ROUNDS }, connected));
      for (const socket of sockets) {
        await new Promise<void>((resolve) => socket.write(request(BODY), () => resolve()));
        socket.resetAndDestroy();
      }
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    // The platform handles the first check after all data of the sockets. By then, it has dropped
    // the requests that had not begun when their connections were reset.
    let looks = 0;
    let paid = 0;
    await until('every begun request is paid', async () => {
      looks++;
      paid = before.left - (await left()) - looks;
      return (await answered()) - before.answered - looks === paid;
    });
    expect(before.left - (await left()) - looks - 1).toBe(paid);
    expect((await answered()) - before.answered - looks - 1).toBe(paid);
    expect(paid).toBeLessThanOrEqual(most);
    // The platform has begun the requests that it read in the first turn of the event loop.
    if (accepted) expect(paid).toBeGreaterThan(0);
    countCases(context, ROUNDS);
  });

  it('A30: a request of any path, method and spelling gets a status, and no stack trace appears anywhere', async (context) => {
    const printed = opened.platform.output().length;
    const targets = [
      '/%',
      '/%E0%A4%A',
      '//',
      '/graphql/%',
      '/admin/%',
      '/..%2f..%2f',
      '*',
      'http://x:99999999/',
      '/\\',
      '?',
    ];
    let cases = 0;
    for (const target of targets) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'TRACE']) {
        const socket = connect(opened.platform.port, '127.0.0.1');
        socket.write(`${method} ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
        const [answer] = await once(socket, 'data');
        expect(String(answer), `${method} ${target}`).toMatch(/^HTTP\/1.1 [24]\d\d /);
        expect(String(answer)).not.toMatch(/node_modules|\.js:/);
        socket.destroy();
        cases++;
      }
    }
    expect(opened.platform.output().slice(printed)).not.toMatch(/^\s+at /m);
    countCases(context, cases);
  });
});
