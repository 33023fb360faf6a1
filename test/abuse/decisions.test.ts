import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Decider, type DeciderWorld, ITEMS, openWorld } from '../decisions/decider.js';
import { ADMIN_TOKEN } from '../helpers/platform.js';

let world: DeciderWorld;
let decider: Decider;
beforeAll(async () => {
  world = await openWorld();
  decider = await world.start();
});
afterAll(() => world.end());

const PATHS = [
  '/v1/decide',
  '/v1/settle',
  '/v1/peek',
  '/v1/price',
  '/integrations/apollo-router',
  '/integrations/ext-authz/graphql',
  '/integrations/hasura-ddn/pre-parse',
  '/integrations/hasura-ddn/pre-response',
];

/** Tokens that are left to the address from which the tests send. */
async function leftToAddress(): Promise<number> {
  const { body } = await decider.ask('/v1/peek', { query: '{ item { name } }', address: '127.0.0.1' });
  return body.limits.find(({ rule }: { rule: string }) => rule === 'tier:small').remaining;
}

/** Sends a request as the filter of Envoy does. */
function throughEnvoy(
  method: string,
  search: string,
  headers: Record<string, string>,
  body = '',
): Promise<{ status: number | undefined; receipt: unknown; names: string[] }> {
  const { port } = new URL(decider.url);
  const path = `/integrations/ext-authz/graphql${search}`;
  const all = { 'x-tollgate-token': ADMIN_TOKEN, 'content-length': Buffer.byteLength(body), ...headers };
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ port, path, method, headers: all, agent: false }, (response) => {
      response.resume();
      const { headers: answered, statusCode: status } = response;
      resolve({ status, receipt: answered['x-tollgate-receipt'], names: Object.keys(answered) });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Starts a platform, and creates a token with the role DECIDER. */
async function startWithToken() {
  const started = await world.start();
  const query = 'mutation { adminTokenCreate(input: { name: "guessed", role: DECIDER }) { secret } }';
  const { body } = await started.ask('/admin/graphql', { query });
  return { ...started, token: body.data.adminTokenCreate.secret as string };
}

describe('attacks on the decision service', () => {
  it('A35: settles no receipt that is forged, changed, or signed by another platform', async () => {
    const { receipt } = await decider.decide({ subject: { user: 'forger' } });
    const content = JSON.parse(Buffer.from(receipt.slice(27), 'base64url').toString());
    const signature = receipt.slice(5, 27);
    const forge = (changed: object) => Buffer.from(JSON.stringify({ ...content, ...changed })).toString('base64url');
    const forged = [
      `tgr1.${signature}${forge({ q: 1 })}`,
      `tgr1.${signature}${forge({ i: 'other' })}`,
      `tgr1.${'A'.repeat(22)}${forge({})}`,
      `tgr1.${signature}`,
      receipt.slice(0, -1),
      receipt.replace('tgr1', 'tgr2'),
      `tgr1.${signature.slice(0, 5)}${receipt.slice(27)}`,
      '__proto__',
    ];
    for (const one of forged) {
      const settled = await decider.settle({ receipt: one, actualCost: 0 });
      expect(settled).toMatchObject({ settled: false, reason: 'INVALID_RECEIPT' });
    }
    expect(await decider.left('forger')).toBe(990);
    // The receipt of a platform with another database.
    const foreign = await openWorld();
    const elsewhere = await foreign.start({ REDIS_URL: world.redis.url });
    const other = await elsewhere.decide({ subject: { user: 'forger' } });
    expect(await decider.settle({ receipt: other.receipt, actualCost: 0 })).toMatchObject({
      reason: 'INVALID_RECEIPT',
    });
    await foreign.end();
  });

  it('A35: refunds at most the charge, and accepts no amount that is negative, broken or too large', async () => {
    const { receipt } = await decider.decide({ subject: { user: 'refunded' } });
    for (const wrong of [
      { actualCost: -1 },
      { actualCost: 0.5 },
      { actualCost: 1e300 },
      { actualCost: '0' },
      { addedCost: -10 },
      { actualCost: 0, hasNotRun: true },
      { actualCost: 0, data: {} },
      { receipt: `tgr1.${'A'.repeat(16_384)}` },
    ]) {
      const { status } = await decider.ask('/v1/settle', { receipt, ...wrong });
      expect(status, JSON.stringify(wrong).slice(0, 50)).toBe(400);
    }
    expect(await decider.left('refunded')).toBe(990);
    await decider.settle({ receipt, actualCost: 0 });
    await decider.settle({ receipt, hasNotRun: true });
    expect(await decider.left('refunded')).toBe(1000);
  });

  it('A35: refunds nothing for a receipt that is replayed, at any instance and with any result', async () => {
    const there = await world.start();
    const { receipt } = await decider.decide({ subject: { user: 'replayed' } });
    const first = await there.settle({ receipt, actualCost: 4 });
    expect(first).toMatchObject({ settled: true, repeated: false });
    const results = [{ actualCost: 0 }, { hasNotRun: true }, { data: { items: [] } }, { addedCost: 0 }, {}];
    const replays = await Promise.all(
      results.flatMap((result) => [decider, there].map((one) => one.settle({ receipt, ...result }))),
    );
    // The instance that decided has to compute the cost of data; the other one cannot.
    for (const { settled, reason } of replays)
      expect([settled, reason]).toEqual([false, expect.stringMatching(/^(ALREADY_SETTLED|DECIDED_ELSEWHERE)$/)]);
    const inOneBatch = await decider.ask('/v1/settle', [
      { receipt, actualCost: 0 },
      { receipt, hasNotRun: true },
    ]);
    expect(inOneBatch.body).toMatchObject([{ reason: 'ALREADY_SETTLED' }, { reason: 'ALREADY_SETTLED' }]);
    expect(await decider.left('replayed')).toBe(996);
  });

  it('A35: settles the receipt of a caller with very long names', async () => {
    const name = '\u0001'.repeat(1000); // Each character has six in JSON.
    const subject = { user: name, tenant: name, apiKey: name, ip: '198.51.100.30' };
    const { admitted, receipt } = await decider.decide({ subject });
    expect([admitted, receipt.length <= 16_384]).toEqual([true, true]);
    expect(await decider.settle({ receipt, actualCost: 4 })).toMatchObject({ settled: true, actualCost: 4 });
  });

  it('A36: rejects bodies that are too large, incomplete or not JSON with 4xx', async () => {
    for (const path of PATHS) {
      const bodies = [
        '{',
        '[',
        '"',
        '[]',
        'null',
        '5',
        '',
        `"${'x'.repeat(9 * 2 ** 20)}"`,
        '{"__proto__":{"admitted":true}}',
      ];
      for (const body of bodies) {
        const response = await fetch(`${decider.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-tollgate-token': ADMIN_TOKEN },
          body,
        });
        expect(response.status, `${path} ${body.slice(0, 20)}`).toBeLessThan(500);
        await response.arrayBuffer();
      }
      const socket = connect(Number(new URL(decider.url).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\nx-tollgate-token: ${ADMIN_TOKEN}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"query":`,
        () => socket.destroy(),
      );
    }
    expect((await decider.decide({ subject: { user: 'after' } })).admitted).toBe(true);
  });

  it('A36: answers any JSON on any path below 500', async () => {
    const names = [
      'query',
      'variables',
      'operationName',
      'subject',
      'headers',
      'receipt',
      'data',
      'errors',
      'version',
      'stage',
      'body',
      'context',
      'rawRequest',
      'session',
      'response',
      'extensions',
      'actualCost',
    ];
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(ITEMS, 'SupergraphRequest', 'SupergraphResponse', 1, {}, []),
    );
    const body = fc.dictionary(fc.constantFrom(...names), value);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), body, async (path, sent) => {
        const { status } = await decider.ask(path, sent);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
  });

  it('A37: puts no line break and no header of a caller into a decision', async () => {
    const evil = 'x\r\nset-cookie: a=b';
    const decision = await decider.decide({
      query: `query Evil { item { name } }`,
      operationName: 'Evil',
      headers: { 'x-tollgate-receipt': evil, 'apollographql-client-name': evil, 'x-evil': evil },
      subject: undefined,
    });
    for (const value of Object.values<string>(decision.headers)) expect(value).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.stringify(decision.headers)).not.toContain('set-cookie');
    const denied = await decider.decide({ subject: { user: evil }, operationName: evil });
    expect(denied.admitted).toBe(false);
    for (const value of Object.values<string>(denied.headers)) expect(value).toMatch(/^[\x20-\x7e]*$/);
  });

  it('A37: puts no header of a caller into the answer to a router or a proxy', async () => {
    const evil = 'x\r\nset-cookie: a=b';
    const { body } = await decider.ask('/integrations/apollo-router', {
      version: 1,
      stage: 'SupergraphRequest',
      id: evil,
      headers: { 'set-cookie': [evil], 'x-evil': [evil], 'apollographql-client-name': [evil] },
      body: { query: '{ nothing }', operationName: evil },
      context: { entries: { 'apollo::authentication::jwt_claims': { sub: evil } } },
    });
    expect(body.control).toEqual({ break: 400 });
    const headers = Object.entries<string[]>(body.headers);
    expect(headers.length).toBeGreaterThan(1);
    for (const [name, values] of headers) expect(`${name}: ${values}`).toMatch(/^(?!set-cookie|x-evil)[\x20-\x7e]*$/);
    const query = encodeURIComponent(`query Evil { items(first: 5000) { name } } # ${evil}`);
    const sent = { 'set-cookie': 'a=b', 'x-evil': 'evil', 'apollographql-client-name': 'a\u00ff' };
    for (const search of [`?query=${query}`, `?query=${query}&operationName=${encodeURIComponent(evil)}`]) {
      const { status, names } = await throughEnvoy('GET', search, sent);
      expect(status).toBe(400);
      expect(names).toContain('x-tollgate-receipt');
      expect(names.filter((name) => ['set-cookie', 'x-evil', 'apollographql-client-name'].includes(name))).toEqual([]);
    }
  });

  it('A40: answers guesses of tokens with 401 and then 429 on every path, and serves a token in use meanwhile', async () => {
    const { token: valid, url, ask } = await startWithToken();
    const price = () => ask('/v1/price', { query: '{ item { name } }' }, { authorization: `Bearer ${valid}` });
    expect((await price()).status).toBe(200);
    const places = (guess: string): [string, Record<string, string>][] => [
      ...PATHS.flatMap((path): [string, Record<string, string>][] => [
        [path, { authorization: `Bearer ${guess}` }],
        [path, { 'x-tollgate-token': guess }],
      ]),
      [`/integrations/apollo-router?token=${guess}`, {}],
      // Only Apollo Router may have the token in the URL, because proxies log URLs.
      [`/v1/decide?token=${valid}`, {}],
    ];
    const statuses: number[] = [];
    for (let round = 0; statuses.length < 150; round++) {
      for (const [path, headers] of places(`${valid}${round}`)) {
        const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: '{}' });
        await response.arrayBuffer();
        statuses.push(response.status);
      }
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses[0]).toBe(401);
    // Each second allows one more guess, which may be the last one.
    expect(statuses.slice(-50).filter((status) => status === 429).length).toBeGreaterThan(25);
    expect((await price()).status).toBe(200);
  });

  it('A38: bounds the memory and the slots of decisions that are never settled', async () => {
    const rules = [
      {
        name: 'two-at-once',
        mode: 'ENFORCE' as const,
        scope: 'USER' as const,
        field: 'Query.slow',
        measure: 'REQUESTS' as const,
        action: { type: 'REJECT' as const },
        limits: [{ algorithm: 'CONCURRENCY' as const, capacity: 2, leaseMs: 3_600_000 }],
      },
    ];
    const flooded = await world.start({ TOLLGATE_DECIDER_MAX_PER_SECOND: '1000000' }, { rules });
    // The receipts outlast the test, however slow the machine is.
    const settleWithinMs = 600_000;
    const slow = { query: '{ slow { name } }', subject: { user: 'flood' }, settleWithinMs };
    const { body: held } = await flooded.ask('/v1/decide', Array(100).fill(slow));
    expect(held.filter(({ admitted }: { admitted: boolean }) => admitted)).toHaveLength(2);
    const COUNT = 20_000;
    let last: { receipt: string } | undefined;
    for (let sent = 0; sent < COUNT; sent += 1000) {
      const batch = Array.from({ length: 1000 }, (_, index) => ({
        query: '{ item { name } }',
        subject: { user: `flood-${sent + index}` },
        settleWithinMs,
      }));
      const { body } = await flooded.ask('/v1/decide', batch);
      expect(body.every(({ admitted }: { admitted: boolean }) => admitted)).toBe(true);
      last = body.at(-1);
    }
    const metrics = await (await fetch(`${flooded.url}/metrics`)).text();
    const read = (name: string) =>
      Number(new RegExp(`^tollgate_decider_receipts_${name}\\{integration="api"\\} (\\d+)$`, 'm').exec(metrics)?.[1]);
    // 64 MiB, of which an operation counts 5 KiB and its request.
    expect(read('waiting')).toBeLessThanOrEqual((64 * 2 ** 20) / 5120);
    expect(read('waiting') + read('evicted')).toBe(COUNT + 2);
    // The flood neither frees the slots, nor prevents the settlement of other operations.
    expect((await flooded.decide({ ...slow, variables: null })).admitted).toBe(false);
    expect(await flooded.settle({ receipt: last!.receipt, data: { item: null } })).toMatchObject({ settled: true });
  });

  it('A36: charges the fee for bodies behind Envoy that are not JSON, to the caller who sent them', async () => {
    const before = await leftToAddress();
    const json = { 'content-type': 'application/json' };
    const sent: [number, Record<string, string>, string | undefined][] = [
      [400, json, '{"query":'],
      [415, { 'content-type': 'text/plain' }, '{"query":"{ item { name } }"}'],
      [415, {}, '{"query":"{ item { name } }"}'],
      [413, json, `"${'x'.repeat(2 ** 20)}"`],
      [400, json, '[]'],
      [413, { ...json, 'x-envoy-auth-partial-body': 'true' }, '{"query":"{ item'],
    ];
    for (const [status, headers, body] of sent)
      expect((await throughEnvoy('POST', '', headers, body)).status).toBe(status);
    expect(await leftToAddress()).toBe(before - sent.length);
  });

  it('A39: rejects requests of which the API behind Envoy could run another operation than the priced one', async () => {
    const json = { 'content-type': 'application/json' };
    const cheap = encodeURIComponent('{ item { name } }');
    const dear = encodeURIComponent('{ items(first: 900) { name } }');
    const body = (more = {}) => JSON.stringify({ query: 'query Cheap { item { name } }', ...more });
    const sized = 'query ($first: Int!) { items(first: $first) { name } }';
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const inForm = `{"query":"{ item { name } }","x":"&query=${dear}&y="}`;
    const inUtf7 = '{"query":"{ item { name } }+ACI-,+ACI-query+ACI-:+ACI-{ items(first: 900) { name } }"}';
    const attacks: [string, string, Record<string, string>, string?][] = [
      ['POST', `?query=${dear}`, json, body()],
      ['POST', '?variables={}', json, body()],
      ['POST', '?operationName=Other', json, body({ operationName: 'Cheap' })],
      ['POST', '', json, body({ QUERY: '{ items(first: 900) { name } }' })],
      ['POST', '', json, body({ 'variable\u017f': {} })],
      ['POST', '', json, body({ documentId: '0'.repeat(64) })],
      ['POST', '', json, '{"query":"{ item { name } }","query":"{ items(first: 900) { name } }"}'],
      ['POST', '', json, '{"qu\\u0065ry":"{ items(first: 900) { name } }","query":"{ item { name } }"}'],
      ['POST', '', json, `{"query":"${sized}","variables":{"first":1,"x":[{}],"first":900}}`],
      ['POST', '', json, `{"query":"${sized}","variables":{"first":900},"variables":{"first":1}}`],
      ['POST', '', form, inForm],
      ['POST', '', { 'content-type': 'application/json; charset=utf-7' }, inUtf7],
      ['GET', `?query=${cheap}&query=${dear}`, {}],
      ['GET', `?query=${cheap}&QUERY=${dear}`, {}],
      ['GET', `?query=${cheap}&query[]=${dear}`, {}],
      ['GET', `?query=${cheap}&variables[first]=900`, {}],
      ['GET', `?query=${encodeURIComponent(sized)}&variables={"first":900,"first":1}`, {}],
      ['GET', `?query=${cheap}`, json, '{"variables":{"first":900}}'],
    ];
    const before = await leftToAddress();
    for (const [method, search, headers, sent] of attacks) {
      const { status, receipt } = await throughEnvoy(method, search, headers, sent);
      expect([400, 415], `${method} ${search} ${sent}`).toContain(status);
      expect(receipt).toBe('');
    }
    expect(await leftToAddress()).toBe(before - attacks.length);
    const harmless: typeof attacks = [
      ['POST', '?operationName=Cheap&v=2', json, body({ operationName: 'Cheap', extensions: {} })],
      ['POST', '', { 'content-type': 'application/json; charset=UTF-8' }, body()],
      ['GET', `?query=${cheap}&v=2`, {}],
      ['POST', '', json, body({ variables: { a: [{ x: 1 }, { x: '"x":1,{"x":2}' }], b: { a: 1 } } })],
    ];
    for (const one of harmless) expect(await throughEnvoy(...one)).toMatchObject({ status: 200 });
  });

  it('A38: answers decisions and settlements in time while Redis is away', async () => {
    const { receipt } = await decider.decide({ subject: { user: 'outage' } });
    await world.redis.stop();
    const startedMs = performance.now();
    for (let i = 0; i < 20; i++) {
      const decision = await decider.decide({ subject: { user: 'outage' } });
      expect(decision).toMatchObject({ admitted: true, degraded: true });
      const { status, body } = await decider.ask('/integrations/apollo-router', {
        version: 1,
        stage: 'SupergraphRequest',
        id: 'x',
        headers: {},
        body: { query: '{ item { name } }' },
        context: { entries: {} },
      });
      expect([status, body.control]).toEqual([200, 'continue']);
      const settled = await decider.settle({ receipt: decision.receipt, actualCost: 1 });
      expect(settled).toMatchObject({ settled: true, actualCost: 1 });
    }
    const unavailable = { settled: false, repeated: false, reason: 'UNAVAILABLE' };
    expect(await decider.settle({ receipt, actualCost: 0 })).toMatchObject(unavailable);
    expect(await decider.settle({ receipt, actualCost: 0 })).toMatchObject(unavailable);
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });
});
