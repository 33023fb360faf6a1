import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import * as zlib from 'node:zlib';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { uniqueName } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { type AbuseApi, type AbuseOptions, type Attempt, countCases, serveAbuseApi, TARGETS } from './serve.js';

/** Compresses with Zstandard. Undefined in versions of Node.js without it. */
const { zstdCompressSync: zstd } = zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer<ArrayBuffer> };

describe.each(TARGETS)('requests, $behind', ({ redis, gateway }) => {
  const open: AbuseApi[] = [];
  afterEach(async () => {
    for (const api of open.splice(0)) await api.close();
  });

  async function serve(options: AbuseOptions = {}): Promise<AbuseApi> {
    const url = redis();
    const api = await serveAbuseApi({ ...options, gateway, ...(url !== undefined && { redis: url }) });
    open.push(api);
    return api;
  }
  const item = JSON.stringify({ query: '{ item { id } }' });
  const huge = Buffer.alloc(10_000_000, ' ');
  const request = (
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
    method = 'POST',
  ): Attempt => ({
    raw: { method, body, headers },
  });

  it.each([
    ['a form', request('query={item{id}}', { 'content-type': 'application/x-www-form-urlencoded' }), 415],
    [
      'a multipart form',
      request('--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{}\r\n--x--', {
        'content-type': 'multipart/form-data; boundary=x',
      }),
      415,
    ],
    ['plain text', request(item, { 'content-type': 'text/plain' }), 415],
    ['a type that only begins like JSON', request(item, { 'content-type': 'application/jsonp' }), 415],
    ['an unknown charset', request(item, { 'content-type': 'application/json; charset=nonsense' }), 415],
    ['an unknown encoding', request(item, { 'content-encoding': 'rot13' }), 415],
    ['invalid gzip', request(item, { 'content-encoding': 'gzip' }), 400],
    ['a gzip bomb', request(zlib.gzipSync(huge), { 'content-encoding': 'gzip' }), 413],
    ['a deflate bomb', request(zlib.deflateSync(huge), { 'content-encoding': 'deflate' }), 413],
    ['a brotli bomb', request(zlib.brotliCompressSync(huge), { 'content-encoding': 'br' }), 413],
    // Only Node.js 22.15 and later can decompress Zstandard.
    ['a zstd bomb', request(zstd?.(huge) ?? huge, { 'content-encoding': 'zstd' }), zstd ? 413 : 415],
    ['10 MB', request(huge), 413],
    ['broken JSON', request('{"query": '), 400],
    ['JSON that is no object', request('"{ item { id } }"'), 400],
    ['an empty body', request(''), 400],
    ['an empty object', request('{}'), 400],
    ['50,000 nested arrays', request(`${'['.repeat(50_000)}${']'.repeat(50_000)}`), 400],
    ['a query that is no string', request('{"query": {"kind": "Document"}}'), 400],
    ['variables as a string', request(`{"query": "{ item { id } }", "variables": "{}"}`), 400],
    ['variables as a list', request(`{"query": "{ item { id } }", "variables": []}`), 400],
    ['extensions as a list', request(`{"query": "{ item { id } }", "extensions": []}`), 400],
    ['an empty query', request('{"query": ""}'), 400],
    ['PUT', request(item, {}, 'PUT'), 405],
    ['DELETE', request(item, {}, 'DELETE'), 405],
    ['PATCH', request(item, {}, 'PATCH'), 405],
    [
      'a mutation by GET',
      { raw: { method: 'GET', search: `?query=${encodeURIComponent('mutation { login(password: "x") { id } }')}` } },
      405,
    ],
    [
      'GET as another site can send it',
      { raw: { method: 'GET', search: '?query={item{id}}', headers: { 'content-type': 'text/plain' } } },
      400,
    ],
    ['a query twice in one URL', { raw: { method: 'GET', search: '?query={item{id}}&query={item{id}}' } }, 400],
    ['broken variables in a URL', { raw: { method: 'GET', search: '?query={item{id}}&variables={' } }, 400],
    ['a batch of 1,000', request(`[${Array(1000).fill(item).join(',')}]`), 400],
    ['an empty batch', request('[]'), 400],
  ] as [string, Attempt, number][])('A10: the server rejects %s and charges the fee', async (_, attempt, status) => {
    const api = await serve();
    const answer = await api.attempt(attempt);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(answer.body.errors[0].message).not.toMatch(/node_modules|\n\s+at /);
    expect(await api.left()).toBe(1_000_000 - 1);
    expect(answer.body.extensions.cost).toMatchObject({ fee: 1, requestedQueryCost: 0 });
    expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(1_000_000 - 1));
    expect(api.resolved()).toBe(0);
  });

  it('A10: a query by GET is priced like one by POST', async () => {
    const api = await serve();
    const { status, body } = await api.attempt({ raw: { method: 'GET', search: '?query={items(first:7){id}}' } });
    expect(status).toBe(200);
    expect(body.extensions.cost.requestedQueryCost).toBe(7);
  });

  it('A10: an allowed batch is charged as a unit, so that all of its operations run or none', async () => {
    const api = await serve({ capacity: 100, maxBatchSize: 10 });
    const batch = (sizes: number[]) =>
      request(JSON.stringify(sizes.map((first) => ({ query: `{ items(first: ${first}) { id } }` }))));
    const fits = await api.attempt(batch([10, 20, 30]));
    expect(fits.status).toBe(200);
    const costs = fits.body.map((one: { extensions: { cost: object } }) => one.extensions.cost);
    expect(costs).toMatchObject([10, 20, 30].map((requestedQueryCost) => ({ requestedQueryCost })));
    // Each list returned ten items. The cost of the other estimated items was refunded.
    expect(await api.left()).toBe(70);
    const before = api.resolved();
    const tooMuch = await api.attempt(batch([30, 30, 30]));
    expect(tooMuch.status).toBe(429);
    expect(tooMuch.body).toHaveLength(3);
    for (const one of tooMuch.body) {
      expect(one.data).toBeUndefined();
      expect(one.errors[0].extensions).toMatchObject({ code: 'THROTTLED', cost: 90, remaining: 70 });
    }
    expect(api.resolved()).toBe(before);
    expect(await api.left()).toBe(70);
    expect((await api.attempt(batch(Array(11).fill(1)))).status).toBe(400);
    expect(await api.left()).toBe(69);
  });

  it('A10: a ceiling per operation applies to a batch as a whole', async () => {
    const tiers = [
      {
        name: 'free',
        capacity: 100,
        refillAmount: 1,
        refillPeriodMs: 86_400_000,
        isDefault: true,
        maxCostPerOperation: 25,
      },
    ];
    const api = await serve({ tiers, maxBatchSize: 10 });
    const body = JSON.stringify([1, 2, 3].map(() => ({ query: '{ items(first: 10) { id } }' })));
    const answer = await api.attempt(request(body));
    expect(answer.status).toBe(400);
    expect(answer.body[0].errors[0].extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED', cost: 30 });
    expect(api.resolved()).toBe(0);
    // Each operation of the batch was parsed and priced, so each pays the fee.
    expect(await api.left()).toBe(97);
  });

  it('A10: broken operations of a batch pay the fee and do not stop the others', async () => {
    const api = await serve({ maxBatchSize: 10 });
    const bodies = [{ query: '{ items(first: 5) { id } }' }, { query: '{' }, { query: '{ nothing }' }, {}, [], 1, null];
    const answer = await api.attempt(request(JSON.stringify(bodies)));
    expect(answer.status).toBe(200);
    expect(answer.body[0].data.items).toHaveLength(5);
    expect(answer.body.slice(1).every((one: { errors?: unknown[] }) => one.errors)).toBe(true);
    expect(await api.left()).toBe(1_000_000 - 5 - 6);
    if (gateway) expect(api.forwarded()).toBe(1);
  });

  it.each([
    ['syntax errors', (index: number) => ({ query: `{ a${index}` })],
    ['unknown fields', (index: number) => ({ query: `{ a${index} }` })],
    ['unknown fields of one document', () => ({ query: '{ nothing }' })],
    ['wrong operation names', (index: number) => ({ query: 'query A { item { id } }', operationName: `B${index}` })],
    [
      'variables that do not fit',
      (index: number) => ({ query: 'query ($n: Int!) { items(first: $n) { id } }', variables: { n: `${index}` } }),
    ],
    ['missing variables', () => ({ query: 'query ($n: Int!) { items(first: $n) { id } }' })],
    ['documents that are too large', (index: number) => ({ query: `{ item { id } } #${index}${'x'.repeat(70_000)}` })],
    [
      'unknown hashes',
      () => ({
        query: undefined,
        extensions: { persistedQuery: { version: 1, sha256Hash: randomBytes(32).toString('hex') } },
      }),
    ],
    // The gateway does not forward hashes, whether right or wrong.
    ...(gateway
      ? []
      : [
          [
            'hashes of another text',
            (index: number) => ({
              query: '{ item { id } }',
              extensions: {
                persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(`${index}`).digest('hex') },
              },
            }),
          ],
        ]),
    ['requests without a query', () => ({ query: undefined, variables: {} })],
    ['broken JSON', () => request('{')],
    ['forms', () => request('a=b', { 'content-type': 'application/x-www-form-urlencoded' })],
    ['too many slicing arguments', () => ({ query: '{ either(first: 1, last: 1) { id } }' })],
  ] as [string, (index: number) => Attempt][])('A11: a flood of %s ends when the bucket is empty', async (_, make) => {
    const api = await serve({ capacity: 30 });
    for (let index = 0; index < 30; index++) {
      const { status, headers, body } = await api.attempt(make(index));
      expect([200, 400, 413, 415]).toContain(status);
      expect(body.errors[0].extensions.code).not.toBe('THROTTLED');
      expect(headers.get('x-ratelimit-cost')).toBe('1');
    }
    const { status, headers, body } = await api.attempt(make(30));
    expect(status).toBe(429);
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'tier:free', cost: 1 });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(api.resolved()).toBe(0);
    // Other callers were charged nothing.
    expect((await api.attempt({ query: '{ item { id } }' }, `${api.user}-other`)).status).toBe(200);
  });

  it('A11: the fee can be set to another amount or to 0, and exempt callers do not pay it', async () => {
    const expensive = await serve({ fee: 10 });
    expect((await expensive.attempt({ query: '{' })).body.extensions.cost.fee).toBe(10);
    expect(await expensive.left()).toBe(1_000_000 - 10);
    const free = await serve({ fee: 0, capacity: 1 });
    for (let index = 0; index < 3; index++) expect((await free.attempt({ query: '{' })).status).toBe(400);
    const exempting = { name: 'us', scope: 'USER', field: '*', measure: 'COST', action: { type: 'EXEMPT' } } as const;
    const exempt = await serve({ capacity: 1, rules: [{ ...exempting, limits: [] }] });
    for (let index = 0; index < 3; index++) {
      const response = await fetch(exempt.url, {
        method: 'POST',
        body: '{"query":"{"}',
        headers: { 'content-type': 'application/json' },
      });
      expect(response.status).toBe(400);
    }
  });

  it('A13: ids that look alike or like parts of Redis keys are separate callers', async (context) => {
    const api = await serve({ capacity: 100 });
    const ids = [
      'a',
      'A',
      'a ',
      ' a',
      'a:b',
      'a{b}',
      '{a}b',
      '{',
      '}',
      '{}',
      '{}a',
      '*',
      '?',
      '[a-z]',
      '\\',
      'a\0',
      'a\0b',
      'a\r\nb',
      'a\nb',
      'tg:{x}:U:a',
      'null',
      'undefined',
      'anonymous',
      'unidentified',
      '127.0.0.1',
      '%',
      '%00',
      '\u00e9',
      'e\u0301',
      '\ufb01',
      'fi',
      '\u0130',
      'i\u0307',
      '\u00df',
      'ss',
      '\u202ea',
      '\ufeffa',
      '\ud83d\ude00',
      'x'.repeat(1000),
      'x'.repeat(1001),
      `${'x'.repeat(1000)}:`,
    ];
    const own = ids.map((id) => `${id}${api.user}`);
    for (const id of own) {
      const first = await api.attempt({ query: '{ items(first: 8) { id } }' }, id);
      expect(first.body.extensions.cost.throttleStatus.currentlyAvailable, JSON.stringify(id)).toBe(92);
    }
    for (const id of own) expect(await api.left(id)).toBe(92);
    for (const { key } of await keysOf(redis(), api.user)) {
      expect(key.length).toBeLessThan(200);
      // Each key has one hash tag, so that all keys of a caller are in the same hash slot.
      expect(key.match(/[{}]/g)).toEqual(['{', '}']);
    }
    countCases(context, ids.length);
  });

  it('A13: an id of a megabyte and an empty id are ordinary callers with short keys', async (context) => {
    const long = 'x'.repeat(1_000_000);
    const ids = [long, `${long}y`, `y${long}`, '', ' '];
    for (const id of ids) {
      let user = id;
      const api = await serve({ capacity: 100, identify: () => ({ user: `${user}`, tenant: name }) });
      const name = api.user;
      const ask = async () => {
        const { status, body } = await api.attemptConcurrently({ query: '{ items(first: 8) { id } }' });
        expect(status).toBe(200);
        return body.extensions.cost.throttleStatus.currentlyAvailable;
      };
      expect(await ask()).toBe(92);
      expect(await ask()).toBe(84);
      user = `${id}z`;
      expect(await ask()).toBe(92);
      for (const { key } of await keysOf(redis(), name)) expect(key.length).toBeLessThan(300);
    }
    countCases(context, ids.length);
  });

  it('A17: an operation changes none of its k limits when one is used up, for every k and every position', async (context) => {
    const day = { algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 86_400_000 } as const;
    const rules = [0, 1, 2, 3, 4].map((index) => ({
      name: `f${index}`,
      scope: 'USER' as const,
      field: `Query.f${index}`,
      measure: 'CALLS' as const,
      limits: [day],
    }));
    const api = await serve({ rules });
    let cases = 0;
    for (let count = 1; count <= 5; count++) {
      for (let full = 0; full < count; full++) {
        const user = `${api.user}-${count}-${full}`;
        expect((await api.attempt({ query: `{ f${full} { id } }` }, user)).status).toBe(200);
        const before = await api.tollgate.quota({ user });
        const fields = Array.from({ length: count }, (_, index) => `f${index} { id }`).join(' ');
        const { status, body } = await api.attempt({ query: `{ ${fields} }` }, user);
        expect(status).toBe(429);
        expect(body.errors[0].extensions.deniedBy).toBe(`f${full}`);
        const moved = ({ rule, used }: { rule: string; used: number }) => ({ rule, used });
        expect((await api.tollgate.quota({ user })).map(moved)).toEqual(before.map(moved));
        cases++;
      }
    }
    countCases(context, cases);
  });

  it('A17: an operation with more limits than one charge allows is rejected, alone and in a batch', async () => {
    const fields = ['item', 'items', 'plain', 'paged', 'found', 'node', 'f0', 'f1', 'f2', 'f3', 'f4'];
    const limits = Array.from({ length: 8 }, (_, index) => ({
      algorithm: 'FIXED_WINDOW' as const,
      amount: 1_000_000,
      windowMs: 86_400_000 + index,
    }));
    const common = { scope: 'USER', measure: 'CALLS', limits } as const;
    const warnings: string[] = [];
    const rules = fields.map((field) => ({ ...common, name: field, field: `Query.${field}` }));
    const shadows = ['COST', 'CALLS', 'REQUESTS'] as const;
    const api = await serve({
      maxBatchSize: 10,
      logger: { info() {}, warn: (message) => warnings.push(message), error() {} },
      rules: [
        ...rules,
        ...shadows.map((measure) => ({ ...common, name: measure, field: '*', measure, mode: 'SHADOW' as const })),
      ],
    });
    const query = (count: number) =>
      `{ ${fields
        .slice(0, count)
        .map((field) => `${field} { __typename }`)
        .join(' ')} }`;
    const used = async () =>
      (await api.tollgate.quota({ user: api.user })).map((one) => ({ rule: one.rule, used: one.used }));

    // The 56 limits of seven rules and the bucket leave room for 7 of the 24 shadow limits. Shadow
    // limits never cause a rejection.
    const fits = await api.attempt({ query: query(7) });
    expect(fits.status, JSON.stringify(fits.body)).toBe(200);
    expect(fits.body.extensions.cost.limits).toHaveLength(56);

    const before = await used();
    const tooMany = await api.attempt({ query: query(8) });
    expect(tooMany.status).toBe(400);
    expect(tooMany.body.errors[0].extensions).toEqual({ code: 'TOO_MANY_LIMITS', limits: 65, maximumLimits: 64 });
    expect(tooMany.body.extensions.cost.throttleStatus.maximumAvailable).toBe(1_000_000);
    expect(warnings.join()).toContain('more limits apply to them (65)');

    const batch = [
      query(4),
      `{ ${fields
        .slice(4, 8)
        .map((field) => `${field} { __typename }`)
        .join(' ')} }`,
    ];
    const ran = api.resolved();
    const together = await api.attempt(request(JSON.stringify(batch.map((one) => ({ query: one })))));
    expect(together.status).toBe(400);
    expect(together.body).toHaveLength(2);
    for (const one of together.body) expect(one.errors[0].extensions.code).toBe('TOO_MANY_LIMITS');
    expect(api.resolved()).toBe(ran);
    // Three operations were rejected: each has paid the fee, and no other counter has changed.
    const fees = (entry: { rule: string; used: number }) => (entry.rule === 'tier:free' ? 3 : 0);
    expect(await used()).toEqual(before.map((entry) => ({ ...entry, used: entry.used + fees(entry) })));
  });

  it('A19: fields that errors made null are not refunded, and items not returned are refunded once', async () => {
    const api = await serve({ capacity: 200 });
    // The gateway does not trust the path of another server's error, so it refunds nothing.
    const actualQueryCost = gateway ? 7 : 3;
    for (let index = 1; index <= 20; index++) {
      const { body } = await api.attempt({ query: '{ fails { id } plain(first: 5) { id } item { id } }' });
      expect(body.extensions.cost).toMatchObject({ requestedQueryCost: 7, actualQueryCost });
      expect(await api.left()).toBe(200 - actualQueryCost * index);
    }
    const before = await api.left();
    // After 20 concurrent operations, at least the ten items of one operation stay charged.
    await Promise.all(
      Array.from({ length: 20 }, () => api.attemptConcurrently({ query: '{ items(first: 40) { id } }' })),
    );
    expect(await api.left()).toBeLessThanOrEqual(before - 10);
  });

  it('A18: no interval as long as a window admits more than its bound, over HTTP and with the real clock', async (context) => {
    const amount = 5;
    const windowMs = 400;
    for (const [bound, members] of [
      [1, { algorithm: 'SLIDING_WINDOW_COUNTER', strict: true }],
      [1, { algorithm: 'SLIDING_WINDOW_LOG' }],
      [2, { algorithm: 'FIXED_WINDOW' }],
    ] as const) {
      const limits = [{ ...members, amount, windowMs }];
      const api = await serve({ rules: [{ name: 'w', scope: 'USER', field: 'Query.item', measure: 'CALLS', limits }] });
      const admitted: { sentMs: number; answeredMs: number }[] = [];
      for (let index = 0; index < 150; index++) {
        const sentMs = performance.now();
        const { status } = await api.attemptConcurrently({ query: '{ item { id } }' });
        if (status === 200) admitted.push({ sentMs, answeredMs: performance.now() });
      }
      expect(admitted.length).toBeGreaterThan(0);
      // An operation that was sent and answered within an interval was charged within it, however
      // slow the machine is.
      for (const { sentMs } of admitted) {
        const within = admitted.filter((one) => one.sentMs >= sentMs && one.answeredMs < sentMs + windowMs);
        expect(within.length).toBeLessThanOrEqual(bound * amount);
      }
    }
    countCases(context, 450);
  });

  it('A19: a client that disconnects is refunded nothing, and a request that is sent again is charged again', async (context) => {
    const api = await serve({ capacity: 1000 });
    for (let round = 1; round <= 5; round++) {
      const gone = new AbortController();
      const body = '{"query":"{ slow { id } items(first: 49) { id } }"}';
      const leaving = api.attemptConcurrently({ raw: { method: 'POST', body, signal: gone.signal } });
      leaving.catch(() => {});
      await until('the operation runs', () => api.waiting() === 1);
      gone.abort();
      await expect(leaving).rejects.toThrow(/abort/i);
      await until('the server has noticed the disconnect', () => api.departed() === round);
      api.release();
      await until('its resolver has ended', () => api.waiting() === 0);
    }
    await api.attempt({ query: '{ items(first: 0) { id } }' });
    // Each disconnected client pays the whole estimate of 50 tokens, although its operation
    // returned only ten of the 49 items.
    expect(await api.left()).toBe(1000 - 5 * 50 - 1);
    for (let index = 0; index < 3; index++) await api.attempt({ query: '{ items(first: 40) { id } }' });
    expect(await api.left()).toBe(1000 - 5 * 50 - 1 - 3 * 10);
    countCases(context, 9);
  });

  it('A19: an operation that ends after a change of tier is refunded, and does not overfill a smaller bucket', async () => {
    const common = { refillAmount: 1, refillPeriodMs: 86_400_000 };
    const tiers = [
      { ...common, name: 'large', capacity: 1000, isDefault: true },
      { ...common, name: 'small', capacity: 100 },
    ];
    let tier = 'large';
    const user = uniqueName('moved');
    const api = await serve({ tiers, identify: () => ({ user, tier }) });
    const left = async () => (await api.tollgate.quota({ user, tier })).find(({ rule }) => rule.startsWith('tier:'))!;
    const late = api.attemptConcurrently({ query: '{ slow { id } items(first: 900) { id } }' });
    await until('the operation runs', () => api.waiting() === 1);
    expect(await left()).toMatchObject({ remaining: 99 });
    tier = 'small';
    // The new capacity is below the used amount: no token remains, and that is not an error.
    expect(await left()).toMatchObject({ limit: 100, remaining: 0 });
    expect((await api.attemptConcurrently({ query: '{ item { id } }' })).status).toBe(429);
    api.release();
    expect((await late).status).toBe(200);
    await until('the operation is settled', async () => (await left()).remaining > 0);
    // The response contains one object and ten of the 900 items.
    expect(await left()).toMatchObject({ limit: 100, remaining: 100 - 11 });
    tier = 'large';
    expect((await left()).remaining).toBeLessThanOrEqual(1000 - 11);
  });

  it('A19: an operation that ends after its window refunds nothing to the next window', async () => {
    const limits = [{ algorithm: 'FIXED_WINDOW' as const, amount: 100, windowMs: 3000 }];
    const api = await serve({ rules: [{ name: 'w', scope: 'USER', field: '*', measure: 'COST', limits }] });
    const window = async () => (await api.tollgate.quota({ user: api.user })).find(({ rule }) => rule === 'w')!;
    const late = api.attemptConcurrently({ query: '{ slow { id } items(first: 60) { id } }' });
    await until('the operation runs', () => api.waiting() === 1);
    const { resetAtMs } = await window();
    await until('the next window begins', async () => (await window()).resetAtMs > resetAtMs);
    await api.attemptConcurrently({ query: '{ items(first: 10) { id } }' });
    const before = await window();
    api.release();
    await late;
    const after = await window();
    // If the next window has also ended meanwhile, the comparison has no meaning.
    if (after.resetAtMs === before.resetAtMs) expect(after.used).toBe(before.used);
    expect(after.used).toBeGreaterThanOrEqual(0);
  });

  it('A25: requests whose sockets are closed right after sending are each charged, and leave no connection open', async (context) => {
    const api = await serve();
    // The test sends fewer requests to the gateway, which opens an upstream connection for each.
    const count = gateway ? 300 : 1000;
    const body = item;
    const text = `POST /graphql HTTP/1.1\r\nhost: x\r\nx-user: ${api.user}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const before = handles();
    for (let index = 0; index < count; index += 100) {
      await Promise.all(Array.from({ length: 100 }, () => sendAndLeave(api.port, text)));
    }
    await expect.poll(() => api.decided()).toBe(count);
    await expect.poll(() => api.left()).toBe(1_000_000 - count);
    await expect.poll(() => handles() - before).toBeLessThanOrEqual(0);
    expect((await api.attempt({ query: '{ item { id } }' })).status).toBe(200);
    countCases(context, count);
  });

  it('A25: a client that disconnects pays for its operation, and its slot is free when the resolvers end', async () => {
    const oneAtATime = { algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 3_600_000 } as const;
    const whole = { scope: 'USER', field: '*', measure: 'REQUESTS' } as const;
    const api = await serve({ rules: [{ name: 'one', ...whole, limits: [oneAtATime] }] });
    const before = await api.left();
    for (let round = 1; round <= 3; round++) {
      const gone = new AbortController();
      const leaving = api.attemptConcurrently({
        raw: { method: 'POST', body: '{"query":"{ slow { id } }"}', signal: gone.signal },
      });
      leaving.catch(() => {});
      await until('the operation runs', () => api.waiting() === 1);
      expect((await api.attempt({ query: '{ item { id } }' })).body.errors[0].extensions.deniedBy).toBe('one');
      gone.abort();
      await expect(leaving).rejects.toThrow(/abort/i);
      await until('the server has noticed the disconnect', () => api.departed() === round);
      api.release();
      await until('the slot is free', async () => {
        const { status } = await api.attemptConcurrently({ query: '{ item { id } }' });
        return status === 200;
      });
      expect(before - (await api.left())).toBe(2 * round);
    }
  });
});

/**
 * Returns the keys that Redis holds for callers whose ids contain this name; none without Redis.
 */
async function keysOf(url: string | undefined, name: string): Promise<{ key: string; ttlMs: number }[]> {
  if (url === undefined) return [];
  const client = new Redis(url);
  const found: { key: string; ttlMs: number }[] = [];
  for await (const keys of client.scanStream({ match: `tg:*${name}*`, count: 1000 })) {
    for (const key of keys as string[]) found.push({ key, ttlMs: await client.pttl(key) });
  }
  await client.quit();
  return [...new Map(found.map((one) => [one.key, one])).values()];
}

/** Writes a whole request and closes the connection without reading any of the response. */
function sendAndLeave(port: number, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, () => socket.destroy()));
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}

/** Returns the number of open connections of this process, in both directions. */
function handles(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}
