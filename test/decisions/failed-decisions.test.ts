import { buildSchema } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReadingProtect } from '../../src/any-server/protect.js';
import { apiRoutes } from '../../src/decisions/api-routes.js';
import { createDecisions, type NamedCaller } from '../../src/decisions/create-decisions.js';
import { createReceiptSeal } from '../../src/decisions/create-receipt-seal.js';
import type { ElsewhereContext } from '../../src/decisions/elsewhere-context.js';
import { apolloRouterRoute } from '../../src/decisions/integrations/apollo-router-route.js';
import { openTollgate } from '../../src/tollgate/create-tollgate.js';
import type { Json } from './decider.js';

const failures: unknown[] = [];
let opened: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  opened = await open();
});
afterAll(() => opened.close());

/** Opens decisions with counters in memory. The look-up of the caller "broken" fails. */
async function open() {
  const tollgate = await openTollgate<ElsewhereContext>(
    {
      schema: buildSchema('type Query { item: Item } type Item { name: String }'),
      tiers: [{ name: 'small', capacity: 1000, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
      logger: { info() {}, warn() {}, error() {} },
    },
    { subjectOf: ({ subject }) => subject, ignored: { keys: true, tokens: true }, trustedProxiesName: '-' },
  );
  const identify = async ({ subject }: NamedCaller) => {
    if (subject?.user === 'broken') throw new TypeError('the look-up is broken');
    return { user: subject?.user ?? 'someone' };
  };
  const key = Buffer.alloc(32, 1);
  const decisions = createDecisions({
    decide: () => tollgate.decide as ReadingProtect<ElsewhereContext>['decide'],
    limiter: tollgate.limiter,
    seal: createReceiptSeal(() => [key]),
    identify,
    payerOf: () => ({}),
    scoreHeader: undefined,
    now: Date.now,
    onSettlement() {},
    onError: (error) => failures.push(error),
  });
  const api = apiRoutes({
    decisions,
    preview: () => tollgate.preview,
    identify,
    documents: { persistedTexts: tollgate.persistedTexts, registered: undefined },
    maxBodyBytes: 100_000,
  });
  const router = apolloRouterRoute({ decisions, claims: { user: 'sub', tenant: undefined } });
  async function ask(path: string, body: unknown): Promise<{ status: number; body: Json }> {
    const route = [...api, router].find((one) => one.path === path)!;
    const text = JSON.stringify(body);
    const asked = { request: undefined as never, url: path, path, token: 'test', body, text, bytes: text.length };
    const answer = await route.handle(asked);
    return { status: answer.status, body: JSON.parse(String(answer.body)) };
  }
  const close = async () => {
    decisions.close();
    await tollgate.close();
  };
  return { ask, close };
}

it('returns the receipts of a batch if the decision about one of its entries fails', async () => {
  const of = (user: string) => ({ query: '{ item { name } }', subject: { user } });
  const { status, body } = await opened.ask('/v1/decide', [of('ann'), of('broken'), of('bob')]);
  expect(status).toBe(200);
  expect(body[1]).toMatchObject({ admitted: false, status: 503, errors: [{ message: 'The decision failed' }] });
  expect(body[1].receipt).toBeUndefined();
  expect(failures.splice(0)).toMatchObject([{ message: 'the look-up is broken' }]);
  const receipts = [body[0], body[2]].map(({ receipt }) => ({ receipt, actualCost: 0 }));
  const settled = await opened.ask('/v1/settle', receipts);
  expect(settled.body).toMatchObject([{ settled: true }, { settled: true }]);
});

it('answers Apollo Router with status 200 if a decision fails, because any other status would fail all requests', async () => {
  const { status, body } = await opened.ask('/integrations/apollo-router', {
    version: 1,
    stage: 'SupergraphRequest',
    id: 'x',
    headers: {},
    body: { query: '{ item { name } }' },
    context: { entries: { 'apollo::authentication::jwt_claims': { sub: 'broken' } } },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ stage: 'SupergraphRequest', id: 'x', control: { break: 503 } });
  expect(failures.splice(0)).toHaveLength(1);
});
