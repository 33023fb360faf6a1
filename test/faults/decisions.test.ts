import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, type Platform } from '../helpers/platform.js';
import { quantileOf, reportFigure } from '../report/figures.js';
import { askAdmin, liftAddressLimit, NOT_PATIENT, openStack, QUERY, type Stack } from './stack.js';

const HASURA = '/integrations/hasura-ddn';
const message = (headers: object) => ({
  version: 1,
  stage: 'SupergraphRequest',
  control: 'continue',
  id: 'x',
  headers,
  body: { query: QUERY },
  context: { entries: {} },
});

/** One request of each integration for an operation of a caller with these headers. */
const requests = (caller: Record<string, string>): [path: string, headers: Record<string, string>, body: unknown][] => [
  ['/v1/decide', {}, { query: QUERY, headers: { 'x-client': 'a', ...caller } }],
  ['/integrations/apollo-router', {}, message(caller)],
  ['/integrations/ext-authz/graphql', caller, { query: QUERY }],
  [`${HASURA}/pre-parse`, caller, { rawRequest: { query: QUERY } }],
  [`${HASURA}/pre-response`, caller, { rawRequest: { query: QUERY }, response: { data: {} } }],
];

/** A request that takes longer than this has no answer: a router waits for 200 ms. */
const ANSWERED_WITHIN_MS = 5_000;

describe('decision service whose servers hang', () => {
  let stack: Stack;
  let platform: Platform;
  let token: string;
  beforeAll(async () => {
    stack = await openStack();
    platform = await stack.start({ ...NOT_PATIENT, TOLLGATE_DECISIONS: 'true' });
    await liftAddressLimit(platform);
    const create = 'mutation { adminTokenCreate(input: { name: "router", role: DECIDER }) { secret } }';
    token = (await askAdmin(platform, create)).body.data.adminTokenCreate.secret;
    expect(await statusesOf(token, {})).toEqual([200, 200, 200, 204, 204]);
  });
  afterAll(() => stack.stop());

  /** Sends one request of each integration. Resolves to the statuses, and adds the durations. */
  async function statusesOf(secret: string, caller: Record<string, string>, durationsMs: number[] = []) {
    const statuses: number[] = [];
    for (const [path, headers, body] of requests(caller)) {
      const startedMs = performance.now();
      const response = await fetch(`${platform.url}${path}`, {
        method: 'POST',
        headers: { 'x-tollgate-token': secret, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      });
      await response.arrayBuffer();
      durationsMs.push(performance.now() - startedMs);
      statuses.push(response.status);
    }
    return statuses;
  }
  const summaryOf = (durationsMs: readonly number[]) =>
    `median ${quantileOf(durationsMs, 0.5).toFixed(1)} ms, longest ${Math.max(...durationsMs).toFixed(1)} ms`;

  it('R2: each integration is answered in its own form while Redis does not reply', async (context) => {
    const durationsMs: number[] = [];
    await stack.toRedis.set({ kind: 'black-hole' });
    for (let round = 0; round < 20; round++)
      expect(await statusesOf(token, {}, durationsMs)).toEqual([200, 200, 200, 204, 204]);
    await stack.toRedis.set({ kind: 'pass' });
    reportFigure(context, `decisions for routers and proxies while Redis does not reply: ${summaryOf(durationsMs)}`);
  });

  it('P1: each integration is answered in its own form while PostgreSQL does not reply', async (context) => {
    const times = { known: [] as number[], key: [] as number[], token: [] as number[] };
    await stack.toPostgres.set({ kind: 'black-hole' });
    for (let round = 0; round < 10; round++) {
      expect(await statusesOf(token, {}, times.known)).toEqual([200, 200, 200, 204, 204]);
      // A key and a token that are in no cache. Envoy gets a denial, and Hasura a response with errors.
      const rejected = [200, 200, 429, 200, 204];
      expect(await statusesOf(ADMIN_TOKEN, { 'x-api-key': `tg_unknown${round}` }, times.key)).toEqual(rejected);
      expect(await statusesOf(`tga_unknown${round}`, {}, times.token)).toEqual(rejected);
    }
    await stack.toPostgres.set({ kind: 'pass' });
    for (const [name, durationsMs] of Object.entries(times))
      reportFigure(context, `decisions while PostgreSQL does not reply, ${name}: ${summaryOf(durationsMs)}`);
  });
});
