import { apiRoutes } from '../../../src/decisions/api-routes.js';
import { createDecisionHandler } from '../../../src/decisions/create-decision-handler.js';
import { createDecisions } from '../../../src/decisions/create-decisions.js';
import { createReceiptSeal } from '../../../src/decisions/create-receipt-seal.js';
import type { PlatformTollgate } from '../../../src/tollgate/create-tollgate.js';
import { type AdapterContext, describeAdapter } from '../../adapters/contract.js';
import { RUN_IN_UPSTREAM, serve, serveExecutor } from '../../adapters/serve.js';

interface Started {
  url: string;
  close(): Promise<unknown>;
}

/** Runs the contract of the adapters with a server that asks the decision service. */
export function describeServer(
  name: string,
  start: (urls: { tollgate: string; executor: string }) => Promise<Started>,
): void {
  describeAdapter(
    name,
    async ({ tollgate, schema }) => {
      const decisions = await serveDecisions(tollgate as PlatformTollgate<AdapterContext>);
      const executor = await serveExecutor(schema);
      const server = await start({ tollgate: decisions.url, executor: executor.url });
      return {
        url: server.url,
        async close() {
          await server.close();
          await executor.close();
          await decisions.close();
        },
      };
    },
    {
      lacks: {
        resolvers: RUN_IN_UPSTREAM,
        waiting: 'a decision never waits, so an operation without a slot is denied',
        get: 'the middleware accepts only POST',
        typenames: 'the server runs the document of the caller, in which Tollgate cannot ask for types',
      },
    },
  );
}

/** Serves the paths below `/v1` for the limits of a test, which also identifies the callers. */
async function serveDecisions(tollgate: PlatformTollgate<AdapterContext>): Promise<Started> {
  const { persistedTexts, registered, limiter } = tollgate;
  const key = Buffer.alloc(32, 1);
  const decisions = createDecisions({
    decide: () => tollgate.decide as never,
    limiter,
    seal: createReceiptSeal(() => [key]),
    identify: async () => ({}),
    payerOf: () => ({}),
    scoreHeader: undefined,
    onSettlement() {},
    now: Date.now,
    onError(error) {
      throw error;
    },
  });
  const routes = apiRoutes({
    decisions,
    preview: () => tollgate.preview,
    identify: async () => ({}),
    documents: { persistedTexts, registered },
    maxBodyBytes: 102_400,
  });
  const handler = createDecisionHandler({
    routes,
    access: { check: async () => ({ name: 'test', role: 'DECIDER' }), count() {} },
    rejectStranger: () => Promise.reject(new Error('every token is valid')),
    onAnswer() {},
    onError() {},
  });
  const served = await serve((request, response) => void handler(request, response));
  return {
    url: served.url,
    async close() {
      decisions.close();
      await served.close();
    },
  };
}
