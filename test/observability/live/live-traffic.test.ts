import { execFile } from 'node:child_process';
import { get } from 'node:http';
import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createPgDb } from '../../../src/postgres/create-pg-db.js';
import { ADMIN_TOKEN, type Platform, post, startPlatform } from '../../helpers/platform.js';
import { startRedisServer, type TestServer, uniqueName } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const PRO = { 'x-api-key': 'demo-pro' };
const SAMPLE =
  'time periodMs processes admitted throttled maxCostExceeded unavailable degraded cost callers { caller { kind name tenant user } decisions denied cost }';
const QUERY = '{ country(code: "SE") { name } }';

interface Sample {
  time: string;
  periodMs: number;
  processes: number;
  admitted: number;
  maxCostExceeded: number;
  cost: number;
  callers: { caller: { user: string | null }; decisions: number; denied: number; cost: number }[];
}

let redis: TestServer;
let platforms: Platform[];

beforeAll(async () => {
  redis = await startRedisServer();
  const name = uniqueName('live');
  const db = await createPgDb({ url: inject('databaseUrl') });
  await db.query(`create database ${name}`);
  await db.close();
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  const env = { REDIS_URL: redis.url, DATABASE_URL: url.href };
  platforms = [await startPlatform({ env, args: ['--demo'] })];
  platforms.push(await startPlatform({ env, args: ['--demo'] }));
});
afterAll(async () => {
  for (const platform of platforms) await platform.stop();
  await redis.stop();
});

const streamUrl = (platform: Platform) => `${platform.url}/admin/graphql/stream`;

/** Collects the samples that a client of the subscription receives, until `end` is called. */
function listen(platform: Platform, query = `subscription { liveTraffic { ${SAMPLE} } }`, headers = ADMIN) {
  const client = createClient({ url: streamUrl(platform), headers, retryAttempts: 0 });
  const samples: Sample[] = [];
  const received = { samples, ended: false, error: undefined as unknown, end: () => {} };
  received.end = client.subscribe<{ liveTraffic: Sample }>(
    { query },
    {
      next: ({ data }) => {
        if (data) samples.push(data.liveTraffic);
      },
      error: (error) => {
        received.error = error;
        received.ended = true;
      },
      complete: () => {
        received.ended = true;
      },
    },
  );
  return received;
}

describe('the subscription liveTraffic', () => {
  it('`liveTraffic` adds up the decisions of all processes and names the callers, on every instance', async () => {
    const [first, second] = platforms as [Platform, Platform];
    const received = listen(first);
    await until('both processes are counted', () => received.samples.at(-1)?.processes === 2);
    const cost = (await post(`${first.url}/graphql`, QUERY, PRO)).body.extensions.cost.actualQueryCost;
    for (let i = 0; i < 5; i++) {
      await post(`${first.url}/graphql`, QUERY, PRO);
      await post(`${second.url}/graphql`, QUERY, PRO);
    }
    await post(`${second.url}/graphql`, '{ countries(first: 250) { borders { borders { borders { name } } } } }', PRO);
    // One sample contains all operations, for the caller and in total, because both numbers cover
    // the same ten seconds.
    const whole = () =>
      received.samples.find(({ admitted, maxCostExceeded, callers }) => {
        const caller = callers.find((one) => one.caller.user === 'demo-pro-user');
        return admitted === 11 && maxCostExceeded === 1 && caller?.decisions === 12 && caller.cost === 11 * cost;
      });
    // Eleven cheap operations were admitted: the first one, whose cost is read, and ten more. One
    // expensive operation exceeded the maximum cost.
    await until('all operations are counted', () => whole() !== undefined);
    received.end();
    const sample = whole()!;
    expect(sample.cost).toBe(11 * cost);
    expect(sample.periodMs).toBeLessThanOrEqual(10_000);
    expect(sample.callers.find(({ caller }) => caller.user === 'demo-pro-user')?.denied).toBe(1);
  });

  it('`liveTraffic` can be read with curl -N as documented', async () => {
    const [first] = platforms as [Platform];
    const body = JSON.stringify({
      query: 'subscription { liveTraffic(top: 3) { processes admitted cost callers { caller { name } cost } } }',
    });
    const curl = execFile('curl', [
      '-sN',
      streamUrl(first),
      '-H',
      `Authorization: Bearer ${ADMIN_TOKEN}`,
      '-H',
      'content-type: application/json',
      '-d',
      body,
    ]);
    let printed = '';
    curl.stdout?.on('data', (text: string) => {
      printed += text;
    });
    await until('two samples have arrived', () => printed.split('event: next\n').length > 2);
    curl.kill();
    const line = printed.split('\n').find((one) => one.startsWith('data: '));
    expect(JSON.parse(line?.slice(6) ?? '')).toMatchObject({ data: { liveTraffic: { admitted: expect.any(Number) } } });
  });

  it.each([
    ['without a token', {}, `{ liveTraffic { cost } }`, 401, 'UNAUTHENTICATED'],
    ['with a wrong token', { authorization: 'Bearer unknown' }, '{ liveTraffic { cost } }', 401, 'UNAUTHENTICATED'],
    ['of an unknown field', ADMIN, '{ liveTraffic { nothing } }', 400, 'BAD_REQUEST'],
    ['that is not valid GraphQL', ADMIN, '{ liveTraffic {', 400, 'BAD_REQUEST'],
  ])('the stream rejects a subscription %s', async (_, headers: Record<string, string>, selection, status, code) => {
    const [first] = platforms as [Platform];
    const answer = await post(streamUrl(first), `subscription ${selection}`, headers);
    expect(answer.status).toBe(status);
    expect(answer.body.errors[0].extensions.code).toBe(code);
  });

  it('the stream rejects queries and mutations, because only the path of queries charges their price', async () => {
    const [first] = platforms as [Platform];
    for (const query of [
      '{ health { ok } }',
      'mutation { tierRetire(input: { name: "free" }) { userErrors { message } } }',
    ]) {
      expect((await post(streamUrl(first), query, ADMIN)).status).toBe(400);
    }
  });

  it('a subscription at the path of queries is rejected with the right path', async () => {
    const [first] = platforms as [Platform];
    const { body } = await post(`${first.url}/admin/graphql`, 'subscription { liveTraffic { cost } }', ADMIN);
    expect(JSON.stringify(body.errors)).toMatch(/\/admin\/graphql\/stream/);
  });

  it('the stream path opens at most 20 streams, and accepts another stream once one is closed', async () => {
    const [first] = platforms as [Platform];
    const url = `${streamUrl(first)}?query=${encodeURIComponent('subscription { liveTraffic { cost } }')}`;
    const requests: ReturnType<typeof get>[] = [];
    // The streams of earlier tests may still be closing.
    for (let index = 0; index < 20; index++)
      await until('a stream is free', async () => (await openStream(url, ADMIN, requests)) === 200, 60_000, 50);
    const rejected = await fetch(url, { headers: ADMIN });
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('retry-after')).toBe('1');
    for (const request of requests) request.destroy();
    await until('a stream is free', async () => {
      const again = await fetch(url, { headers: ADMIN });
      await again.body?.cancel();
      return again.status === 200;
    });
  });

  it('streams of the token from the settings are counted separately, and each other token may open five', async () => {
    const [first] = platforms as [Platform];
    const url = `${streamUrl(first)}?query=${encodeURIComponent('subscription { liveTraffic { cost } }')}`;
    const requests: ReturnType<typeof get>[] = [];
    const open = (headers: Record<string, string>) => openStream(url, headers, requests);
    /** Opens streams. The server may still be closing earlier ones. */
    const openAll = async (headers: Record<string, string>, count: number) => {
      for (let index = 0; index < count; index++)
        await until('a stream is free', async () => (await open(headers)) === 200, 60_000, 50);
    };
    const create = 'mutation ($input: AdminTokenCreateInput!) { adminTokenCreate(input: $input) { secret } }';
    const tokens: Record<string, string>[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const variables = { input: { name: `stream ${name}`, role: 'VIEWER' } };
      const { body } = await post(`${first.url}/admin/graphql`, { query: create, variables }, ADMIN);
      tokens.push({ authorization: `Bearer ${body.data.adminTokenCreate.secret}` });
    }
    for (const token of tokens.slice(0, 4)) await openAll(token, 5);
    expect(await open(tokens[0]!)).toBe(503);
    expect(await open(tokens[4]!)).toBe(503);
    await openAll(ADMIN, 5);
    for (const request of requests.splice(0, 5)) request.destroy();
    await openAll(tokens[4]!, 5);
    for (const request of requests.splice(0, 5)) request.destroy();
    // The token may have five streams, but not a sixth, even if a slot is free.
    await until('a slot is free', async () => {
      const status = await open(tokens[4]!);
      expect([503, 429]).toContain(status);
      return status === 429;
    });
    for (const request of requests) request.destroy();
  });

  it('each stream request costs a fee, so that guessed tokens and invalid requests soon get 429', async () => {
    const [first] = platforms as [Platform];
    const guess = (text: string | object) =>
      fetch(streamUrl(first), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer guess', connection: 'close' },
        body: typeof text === 'string' ? text : JSON.stringify(text),
      });
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 500) {
      const { status } = await guess(
        statuses.length % 2 ? '{"query":' : { query: 'subscription { liveTraffic { cost } }' },
      );
      statuses.push(status);
    }
    // Each address may send a hundred guesses, and one more each second.
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(Number((await guess('{}')).headers.get('retry-after') ?? 1)).toBeGreaterThan(0);
    // A caller with a token has a separate bucket.
    const received = listen(first);
    await until('a sample has arrived', () => received.samples.length > 0);
    received.end();
  });

  it('the streams of a revoked token end shortly after its revocation, and others continue', async () => {
    const [first] = platforms as [Platform];
    const administer = (query: string, variables: object) =>
      post(`${first.url}/admin/graphql`, { query, variables: { ...variables } }, ADMIN);
    const create =
      'mutation ($input: AdminTokenCreateInput!) { adminTokenCreate(input: $input) { secret adminToken { id } } }';
    const { body } = await administer(create, { input: { name: 'on loan', role: 'VIEWER' } });
    const { secret, adminToken: token } = body.data.adminTokenCreate;
    const lent = listen(first, undefined, { authorization: `Bearer ${secret}` });
    const own = listen(first);
    await until('both streams have samples', () => lent.samples.length > 0 && own.samples.length > 0);
    const revoke =
      'mutation ($input: AdminTokenRevokeInput!) { adminTokenRevoke(input: $input) { userErrors { message } } }';
    await administer(revoke, { input: { id: token.id } });
    await until('the stream has ended', () => lent.ended);
    const received = own.samples.length;
    await until('the other stream continues', () => own.samples.length > received);
    expect(own.ended).toBe(false);
    own.end();
  });

  it('the streams end normally when the process stops', async () => {
    const [, second] = platforms as [Platform, Platform];
    const received = listen(second);
    await until('a sample has arrived', () => received.samples.length > 0);
    expect(await second.stop()).toBe(0);
    await until('the stream has ended', () => received.ended);
    // Otherwise, the drain would have cut the stream at its deadline, which the client reports as
    // an error.
    expect(received.error).toBeUndefined();
  });
});

/** Requests a stream, and resolves to the status. Adds the request to `opened` if the stream is open. */
async function openStream(url: string, headers: Record<string, string>, opened: ReturnType<typeof get>[]) {
  const request = get(url, { headers, agent: false });
  const status = await new Promise<number>((resolve) =>
    request.once('response', (response) => resolve(response.statusCode!)),
  );
  if (status === 200) opened.push(request);
  else request.destroy();
  return status;
}
