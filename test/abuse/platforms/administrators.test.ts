import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, post } from '../../helpers/platform.js';
import { until } from '../../helpers/until.js';
import { countCases } from '../serve.js';
import { type OpenPlatform, PLATFORMS } from './platforms.js';

/** Paths that need no authentication. All other paths need the credentials of an administrator. */
const PUBLIC = ['/graphql', '/healthz', '/readyz', '/metrics', '/console', '/admin/console'];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];
const GUESS = { authorization: 'Bearer guess' };

describe.each(PLATFORMS)('access to the admin API, $on', ({ open }) => {
  let opened: OpenPlatform;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  const send = (path: string, method = 'GET', headers: Record<string, string> = GUESS) =>
    fetch(opened.platform.url + path, { method, headers: { connection: 'close', ...headers } });
  async function routes(): Promise<string[]> {
    const { body } = await post(`${opened.platform.url}/nothing`, '{ a }');
    return / expected one of (.*)$/.exec(body.errors[0].message)![1]!.split(', ');
  }

  it('A29: every route that is not public needs a token for every method, and a guess costs the same everywhere', async (context) => {
    const all = await routes();
    expect(all).toEqual(expect.arrayContaining(PUBLIC));
    const behind = all.filter((path) => !PUBLIC.includes(path));
    expect(behind).toEqual(
      expect.arrayContaining(['/admin/graphql', '/admin/graphql/stream', '/admin/usage.csv', '/admin/usage.ndjson']),
    );
    // Paths that do not exist, and other spellings of existing paths.
    const others = [
      '/admin',
      '/admin/',
      '/admin/of/tomorrow',
      '/ADMIN/usage.csv',
      '/admin/usage.csv/',
      '/admin/graphql?query={a}',
    ];
    let cases = 0;
    for (const path of [...behind, ...others]) {
      for (const method of path === behind[0] ? METHODS : ['GET', 'POST']) {
        const answer = await send(path, method);
        expect(answer.status, `${method} ${path}`).toBe(401);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
        const text = await answer.text();
        if (method !== 'HEAD') {
          expect(JSON.parse(text), `${method} ${path}`).toMatchObject({
            errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
            extensions: { cost: { fee: 50, tier: 'stranger' } },
          });
        }
        cases++;
      }
    }
    countCases(context, cases);
  });

  it('A29: guesses get 429 at every route once the budget of the address is used up, and are recorded once', async (context) => {
    const behind = (await routes()).filter((path) => !PUBLIC.includes(path));
    let guesses = 0;
    for (const path of behind) {
      let status = 0;
      // The bucket refills the fee of one guess per second meanwhile.
      for (let left = 150; status !== 429 && left > 0; left--) {
        const answer = await send(path, 'GET', { authorization: `Bearer guess-${guesses++}` });
        status = answer.status;
        expect([401, 429], path).toContain(status);
        if (status === 429) expect(answer.headers.get('retry-after'), path).toMatch(/^[1-9]/);
        await answer.arrayBuffer();
      }
      expect(status, path).toBe(429);
    }
    // An address without budget does not block administrators with a token, on any of these paths.
    const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
    for (const path of ['/admin/usage.csv', '/admin/usage.ndjson']) {
      const answer = await send(path, 'GET', admin);
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
    const record = '{ changes(first: 10, filter: { entity: ACCESS }) { nodes { actor authMethod key comment } } }';
    let nodes: unknown[] = [];
    await until('the denial is recorded', async () => {
      nodes = (await post(`${opened.platform.url}/admin/graphql`, record, admin)).body.data.changes.nodes;
      return nodes.length > 0;
    });
    expect(nodes).toEqual([
      {
        actor: '127.0.0.1',
        authMethod: 'NONE',
        key: 'admin',
        comment: expect.stringContaining('sent unknown admin tokens'),
      },
    ]);
    expect(opened.platform.output().match(/Repeated unknown admin tokens/g)).toHaveLength(1);
    countCases(context, guesses);
  });

  it('A29: the server does not read a body before it has authenticated the sender', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(opened.platform.port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('data', (data) => {
        resolve(String(data));
        socket.destroy();
      });
      socket.write(
        'POST /admin/graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 90000\r\n\r\n{',
      );
    });
    expect(answer).toMatch(/^HTTP\/1.1 4(01|29) /);
  });

  it('A29: an export is charged to the budget of the administrator', async () => {
    const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const left = async () =>
      (await post(`${opened.platform.url}/admin/graphql`, '{ health { ok } }', admin)).body.extensions.cost
        .throttleStatus.currentlyAvailable as number;
    // The test requests ten exports, because the refill meanwhile can exceed the price of one.
    const before = await left();
    for (let index = 0; index < 10; index++) {
      const answer = await send('/admin/usage.csv', 'GET', admin);
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
    expect(await left()).toBeLessThan(before);
  });
});
