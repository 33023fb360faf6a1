import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyEmbeddedDatabase } from '../../helpers/embedded-folder.js';
import { EMBEDDED_DATABASE } from '../../helpers/embedded-platform.js';
import { ADMIN_TOKEN, type Platform, post, runToEnd, startPlatform } from '../../helpers/platform.js';
import { until } from '../../helpers/until.js';

const FREE = { 'x-api-key': 'demo-free' };
const PRO = { 'x-api-key': 'demo-pro' };
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };

let platform: Platform;
/** Sends an operation and requests the full cost report. */
const api = (body: Parameters<typeof post>[1], headers: Record<string, string> = PRO) =>
  post(`${platform.url}/graphql`, body, { 'graphql-cost': 'report', ...headers });
const admin = (body: Parameters<typeof post>[1], headers: Record<string, string> = ADMIN) =>
  post(`${platform.url}/admin/graphql`, body, headers);

/**
 * A folder with a new embedded database, so that the platforms that start in it need not create
 * one.
 */
const folder = mkdtempSync(join(tmpdir(), 'tollgate-embedded-'));
beforeAll(async () => {
  // This is a first start, in an empty folder.
  platform = await startPlatform();
  await copyEmbeddedDatabase(join(folder, EMBEDDED_DATABASE), 'empty');
});
afterAll(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true });
});

describe('the embedded platform', () => {
  it('SIGHUP does not end the embedded platform, and the log states that it has no effect', async () => {
    platform.process.kill('SIGHUP');
    await until('the log mentions SIGHUP', () => platform.output().includes('SIGHUP has no effect'));
    expect((await api('{ country(code: "SE") { name } }')).status).toBe(200);
    expect(platform.process.exitCode).toBeNull();
  });

  it('the curl command that the platform prints works unchanged and returns cost and quota', () => {
    const line = platform.output().match(/^\s*(curl .*)$/m)?.[1];
    expect(line).toBeDefined();
    const run = (command: string) =>
      JSON.parse(execFileSync('bash', ['-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    const answer = run(line as string);
    expect(answer.errors).toBeUndefined();
    const brief = {
      requestedQueryCost: expect.any(Number),
      throttleStatus: { maximumAvailable: 1000, restoreRate: 20 },
    };
    expect(answer.extensions.cost).toMatchObject(brief);
    const full = run(`${line} -H 'GraphQL-Cost: report'`).extensions.cost;
    expect(full).toMatchObject({ ...brief, tier: 'free', mode: 'ENFORCE', degraded: false });
    expect(answer.extensions.cost.throttleStatus.currentlyAvailable).toBeLessThan(1000);
  });

  // 50 countries with at most 16 neighbours each cost 50 + 50 x 16. 16 is the longest list of
  // neighbours (packages/platform/schema/demo.graphql).
  it.each([
    ['literal', { query: '{ countries(first: 50) { borders { name } } }' }],
    ['variable', { query: 'query ($n: Int) { countries(first: $n) { borders { name } } }', variables: { n: 50 } }],
    [
      'fragment',
      {
        query:
          '{ ...Roots } fragment Roots on Query { countries(first: 50) { ...C } } fragment C on Country { borders { name } }',
      },
    ],
    ['aliased', { query: '{ c: countries(first: 50) { b: borders { n: name } } }' }],
  ])('a query for 50 countries with their neighbours costs 850 tokens in its %s form', async (_, body) => {
    const { status, body: answer } = await api(body);
    expect(status).toBe(200);
    expect(answer.extensions.cost.requestedQueryCost).toBe(850);
  });

  it('a browser gets a page without external resources, and other clients get no page', async () => {
    const page = await fetch(`${platform.url}/graphql`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html']);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    const html = await page.text();
    expect(html).not.toMatch(/https?:/);
    const files = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect((await fetch(`${platform.url}/console/${file}`)).status).toBe(200);
    const adminPage = await fetch(`${platform.url}/admin/graphql`, { headers: { accept: 'text/html' } });
    expect(adminPage.url).toBe(`${platform.url}/console/graphql`);
    expect(await adminPage.text()).not.toMatch(/https?:/);
    const asked = await fetch(`${platform.url}/graphql`, { headers: { accept: 'application/json' } });
    expect([asked.status, asked.headers.get('content-type')]).toEqual([400, expect.stringContaining('json')]);
  });

  it('a request with a wrong API key gets 401 and is never treated as anonymous', async () => {
    const { status, body } = await api('{ countries { name } }', { 'x-api-key': 'nobody' });
    expect(status).toBe(401);
    expect(body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect(body.data).toBeUndefined();
  });

  it('a tool can introspect the sample API for a low, flat price', async () => {
    const { status, body } = await api({ query: getIntrospectionQuery() }, FREE);
    expect(status).toBe(200);
    expect(body.extensions.cost.requestedQueryCost).toBe(10);
  });

  it('the field rateLimit returns the remaining tokens of the bucket, and a dry run executes no other field', async () => {
    const askedAtMs = Date.now();
    const { status, body } = await api(
      '{ rateLimit { cost limit remaining used resetAt nodeCount } country(code: "SE") { name } }',
    );
    expect(status).toBe(200);
    const { requestedQueryCost, throttleStatus } = body.extensions.cost;
    const { cost, limit, remaining, used, nodeCount } = body.data.rateLimit;
    expect({ cost, limit }).toEqual({ cost: requestedQueryCost, limit: throttleStatus.maximumAvailable });
    expect(used + remaining).toBe(limit);
    expect(nodeCount).toBeGreaterThan(0);
    expect(Date.parse(body.data.rateLimit.resetAt)).toBeGreaterThanOrEqual(askedAtMs);
    const dry = await api('{ rateLimit(dryRun: true) { cost remaining } countries(first: 50) { borders { name } } }');
    expect(dry.body.data.rateLimit.cost).toBeGreaterThanOrEqual(850);
    expect(dry.body.data.countries).toBeUndefined();
    expect(dry.headers.get('x-ratelimit-cost')).toBe('1');
  });

  it.each([
    ['maxNodesPerOperation', 'NODES'],
    ['maxTypeCostPerOperation', 'TYPE_COST'],
    ['maxFieldCostPerOperation', 'FIELD_COST'],
    ['maxCostPerOperation', 'COST'],
  ])('a changed %s of a tier takes effect without a restart, both when it is set and when it is reset', async (ceiling) => {
    const query = '{ countries(first: 50) { borders { name } } }';
    const update = (most: number | null) =>
      admin({
        query: 'mutation ($input: TierUpdateInput!) { tierUpdate(input: $input) { userErrors { message } } }',
        variables: { input: { name: 'pro', [ceiling]: most } },
      });
    const { body: before } = await admin(`{ tier(name: "pro") { ${ceiling} } }`);
    expect((await update(10)).body.data.tierUpdate.userErrors).toEqual([]);
    const denialCode = async () => (await api(query)).body.errors?.[0]?.extensions?.code;
    await expect.poll(denialCode).toBe('MAX_COST_EXCEEDED');
    expect((await api('{ country(code: "SE") { name } }')).status).toBe(200);
    await update(before.data.tier[ceiling]);
    await expect.poll(denialCode).toBeUndefined();
  });

  it('anonymous callers get the default tier', async () => {
    const { status, body } = await api('{ country(code: "SE") { name } }', {});
    expect(status).toBe(200);
    expect(body.extensions.cost.tier).toBe('free');
  });

  it('an operation with variables that cannot be coerced gets 400 and a requested cost of 0', async () => {
    const { status, body } = await api({
      query: 'query ($n: Int!) { countries(first: $n) { name } }',
      variables: { n: 'many' },
    });
    expect(status).toBe(400);
    expect(body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    expect(body.extensions.cost).toMatchObject({ requestedQueryCost: 0, actualQueryCost: 0 });
  });

  it.each([
    ['a syntax error', { query: '{ countries(' }, 400],
    ['an unknown field', { query: '{ nothing }' }, 400],
    ['a wrong operationName', { query: 'query A { country(code: "SE") { name } }', operationName: 'B' }, 400],
  ])('the response to %s also reports the remaining amount', async (_, body, status) => {
    const answer = await api(body);
    expect(answer.status).toBe(status);
    expect(answer.body.extensions.cost).toMatchObject({ requestedQueryCost: 0, tier: 'pro' });
    // The header shows the limit that is nearer to a denial: the bucket of the tier, or the limit
    // of requests of the address.
    expect(['20000', '6000']).toContain(answer.headers.get('x-ratelimit-limit'));
  });

  it('/metrics counts every response and describes the process', async () => {
    const text = await (await fetch(`${platform.url}/metrics`)).text();
    expect(text).toMatch(/tollgate_decisions_total\{result="admitted"/);
    const timed = Number(text.match(/^tollgate_decision_duration_seconds_count (\d+)$/m)?.[1]);
    const counted = [...text.matchAll(/^tollgate_decisions_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
    expect(text).toMatch(/tollgate_http_requests_total\{path="\/graphql",status="2xx"\} [1-9]/);
    expect(text).toMatch(/tollgate_http_requests_total\{path="\/graphql",status="4xx"\} [1-9]/);
    expect(timed).toBe(counted.reduce((sum, count) => sum + count, 0));
    expect(text).toMatch(/process_cpu_seconds_total/);
    expect(text).not.toMatch(/demo-free-user|demo-pro-user/);
  });

  it('the platform responds to /healthz and /readyz with 200', async () => {
    expect((await fetch(`${platform.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${platform.url}/readyz`)).status).toBe(200);
  });

  it('a response for an unknown path lists the known paths, and a body that is not JSON gets 400', async () => {
    const nothing = await fetch(`${platform.url}/grapql`);
    expect(nothing.status).toBe(404);
    expect(await nothing.text()).toMatch(/\/graphql/);
    const broken = await fetch(`${platform.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query": ',
    });
    expect(broken.status).toBe(400);
    expect(await broken.text()).not.toMatch(/node_modules/);
  });
});

describe('the key demo-free', () => {
  it('a free caller without enough tokens is denied with 429, and admitted again after exactly retryAfterMs', async () => {
    const query = '{ countries(first: 20) { name borders { name } } }';
    let answer = await api(query, FREE);
    for (let tries = 0; answer.status === 200 && tries < 50; tries++) answer = await api(query, FREE);
    expect(answer.status).toBe(429);
    const { extensions, message } = answer.body.errors[0];
    expect(extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'tier:free', cost: 340 });
    expect(extensions.remaining).toBeLessThan(340);
    expect(extensions.maxAffordableCost).toBe(extensions.remaining);
    expect(message).toMatch(/tier:free/);
    expect(answer.body.data).toBeUndefined();
    expect(Number(answer.headers.get('retry-after')) * 1000).toBeGreaterThanOrEqual(extensions.retryAfterMs);
    // The guarantee is about real time, so this test must really wait.
    await new Promise((resolve) => setTimeout(resolve, extensions.retryAfterMs));
    expect((await api(query, FREE)).status).toBe(200);
  });

  it('a free caller reaches the limit of a field while the bucket still holds tokens', async () => {
    await admin(
      'mutation { tierUpdate(input: { name: "free", capacity: 1000000, refillAmount: 1000000 }) { userErrors { message } } }',
    );
    const aliases = Array.from(
      { length: 20 },
      (_, index) => `s${index}: search(text: "sweden", first: 1) { __typename }`,
    );
    const first = await api(`{ ${aliases.join(' ')} }`, FREE);
    expect(first.status).toBe(200);
    expect(first.body.extensions.cost.limits).toContainEqual({
      rule: 'search-per-user',
      scope: 'USER',
      field: 'Query.search',
      limit: 20,
      remaining: 0,
      resetAt: expect.any(String),
    });
    const second = await api('{ search(text: "sweden") { __typename } }', FREE);
    expect(second.status).toBe(429);
    expect(second.body.errors[0].extensions).toMatchObject({
      deniedBy: 'search-per-user',
      cost: 1,
      remaining: 0,
    });
    expect((await api('{ country(code: "SE") { name } }', FREE)).status).toBe(200);
  });
});

describe('the admin API', () => {
  it('a changed tier takes effect on the next request', async () => {
    const capacity = (await api('{ country(code: "SE") { name } }')).body.extensions.cost.throttleStatus
      .maximumAvailable;
    const answer = await admin(
      `mutation { tierUpdate(input: { name: "pro", capacity: ${capacity + 7} }) { tier { capacity } userErrors { code } } }`,
    );
    expect(answer.body.data.tierUpdate).toEqual({ tier: { capacity: capacity + 7 }, userErrors: [] });
    const after = (await api('{ country(code: "SE") { name } }')).body.extensions.cost.throttleStatus;
    expect(after.maximumAvailable).toBe(capacity + 7);
  });

  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer nothing-like-the-token' }],
    ['an API key', PRO],
  ])('the admin API responds to %s with 401', async (_, headers) => {
    const { status, body } = await admin('{ tiers { name } }', headers as Record<string, string>);
    expect(status).toBe(401);
    expect(body.data).toBeUndefined();
  });

  it('the admin API shows the quota of a subject without charging it', async () => {
    const query = '{ quota(subject: { apiKey: "demo-pro" }) { tier { name } limits { rule limit remaining } } }';
    const first = await admin(query);
    expect(first.body.errors).toBeUndefined();
    const { tier, limits } = first.body.data.quota;
    expect(tier.name).toBe('pro');
    const names = limits.map((limit: { rule: string }) => limit.rule);
    expect(names).toContain('tier:pro');
    expect(names).toContain('search-per-pro-user');
    expect(names).not.toContain('search-per-user');
    // The search limit does not refill during a test, so reading it twice gives the same result.
    const search = (answer: typeof first) =>
      answer.body.data.quota.limits.find((limit: { rule: string }) => limit.rule === 'search-per-pro-user');
    expect(search(await admin(query))).toEqual(search(first));
  });
});

describe('an embedded start', () => {
  it('after a restart the data is still there, and the platform writes only below .tollgate and listens only on its port', async () => {
    const first = await startPlatform({ folder });
    expect(listeningPorts(first.process.pid as number)).toEqual([first.port]);
    await post(
      `${first.url}/admin/graphql`,
      'mutation { tierUpdate(input: { name: "pro", capacity: 4321 }) { tier { name } } }',
      ADMIN,
    );
    expect(await first.stop()).toBe(0);
    expect(readdirSync(folder)).toEqual(['.tollgate']);

    const second = await startPlatform({ folder });
    const { body } = await post(`${second.url}/admin/graphql`, '{ tier(name: "pro") { capacity } }', ADMIN);
    expect(body.data.tier.capacity).toBe(4321);
    expect(await second.stop()).toBe(0);
  });

  it('a second start in the same folder fails and names the process that uses the folder', async () => {
    const { status, output } = await runToEnd(['start', '--port', '4999'], {}, platform.folder);
    expect(status).not.toBe(0);
    expect(output).toMatch(new RegExp(`in use by process ${platform.process.pid}`));
  });

  it('a start with an invalid configuration names all mistakes in one message and fails', async () => {
    const { status, output } = await runToEnd(['start'], {
      PORT: 'many',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'postgres://user:a-secret@host/db',
    });
    expect(status).not.toBe(0);
    expect(output).toMatch(/3 mistakes/);
    expect(output).toMatch(/PORT: expected a whole number.*got "many"/);
    expect(output).toMatch(/LOG_LEVEL: expected one of/);
    expect(output).toMatch(/REDIS_URL: required when DATABASE_URL is set/);
    expect(output).not.toMatch(/a-secret|at .*\.js:/);
  });

  it('a start on a port in use fails and names the port', async () => {
    const { status, output } = await runToEnd(['start', '--port', String(platform.port)], {}, folder);
    expect(status).not.toBe(0);
    expect(output).toMatch(new RegExp(`port ${platform.port}.*in use`, 'i'));
  });
});

/** Returns the TCP ports on which a process listens, from /proc. */
function listeningPorts(pid: number): number[] {
  const text = execFileSync('bash', ['-c', `ls -l /proc/${pid}/fd; cat /proc/${pid}/net/tcp /proc/${pid}/net/tcp6`], {
    encoding: 'utf8',
  });
  const inodes = new Set([...text.matchAll(/socket:\[(\d+)\]/g)].map((match) => match[1]));
  const LISTEN = '0A';
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === LISTEN && inodes.has(columns[9] ?? ''))
    .map((columns) => Number.parseInt(columns[1]?.split(':')[1] ?? '', 16));
}
