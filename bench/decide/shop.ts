import type { RequestListener } from 'node:http';
import { buildSchema } from 'graphql';
import type { ReadingProtect } from '../../src/any-server/protect.js';
import { apiRoutes } from '../../src/decisions/api-routes.js';
import { createDecisionAccess } from '../../src/decisions/create-decision-access.js';
import { createDecisionHandler } from '../../src/decisions/create-decision-handler.js';
import { createDecisions } from '../../src/decisions/create-decisions.js';
import { createReceiptSeal } from '../../src/decisions/create-receipt-seal.js';
import type { ElsewhereContext } from '../../src/decisions/elsewhere-context.js';
import { epochClock, monotonicClock } from '../../src/runtime/clock.js';
import { openTollgate } from '../../src/tollgate/create-tollgate.js';
import { type BenchSubject, BUCKET, WINDOWS } from '../decision/workload.js';

const SCOPES = { user: 'USER', tenant: 'TENANT', ip: 'IP' } as const;

/** Opens the decision service with the six limits of the benchmark of decisions. */
export async function openShop(redisUrl: string) {
  const quiet = { info() {}, warn() {}, error() {} };
  const tollgate = await openTollgate<ElsewhereContext>(
    {
      schema: buildSchema('type Query { item: Item } type Item { name: String }'),
      redis: redisUrl,
      deadlineMs: 1000,
      tiers: [{ name: 'all', ...BUCKET, isDefault: true }],
      rules: WINDOWS.map(({ of, amount, windowMs }, index) => ({
        name: `window-${index}`,
        scope: SCOPES[of],
        field: '*',
        measure: 'REQUESTS',
        limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount, windowMs }],
      })),
      logger: quiet,
    },
    { subjectOf: ({ subject }) => subject, ignored: { keys: true, tokens: true }, trustedProxiesName: '-' },
  );
  const key = Buffer.alloc(32, 1);
  const decisions = createDecisions({
    decide: () => tollgate.decide as ReadingProtect<ElsewhereContext>['decide'],
    limiter: tollgate.limiter,
    seal: createReceiptSeal(() => [key]),
    identify: async ({ subject }) => subject as BenchSubject,
    payerOf: () => ({ ip: '127.0.0.1' }),
    scoreHeader: undefined,
    onSettlement() {},
    now: epochClock,
    onError(error) {
      throw error;
    },
  });
  const close = async () => {
    decisions.close();
    await tollgate.close();
  };
  return { tollgate, decisions, close };
}

/** Returns the handler of `/v1/decide`. */
export function shopHandler(shop: Awaited<ReturnType<typeof openShop>>): RequestListener {
  const handler = createDecisionHandler({
    routes: apiRoutes({
      decisions: shop.decisions,
      preview: () => shop.tollgate.preview,
      identify: async ({ subject }) => subject as BenchSubject,
      documents: { persistedTexts: shop.tollgate.persistedTexts, registered: undefined },
      maxBodyBytes: 2 ** 20,
    }),
    access: createDecisionAccess({
      authenticate: async () => ({ name: 'bench', role: 'DECIDER' }),
      maxPerSecond: 10_000_000,
      lookUpMs: 1000,
      clock: monotonicClock,
    }),
    rejectStranger: () => Promise.reject(new Error('expected a valid token')),
    onAnswer() {},
    onError(error) {
      throw error;
    },
  });
  return (request, response) => void handler(request, response);
}
