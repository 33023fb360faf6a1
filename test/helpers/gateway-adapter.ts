import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type GraphQLSchema, graphql } from 'graphql';
import { answerRejected } from '../../src/any-server/answer-rejected.js';
import type { Protect } from '../../src/any-server/protect.js';
import { createByteRate } from '../../src/gateway/byte-rate.js';
import { createGateway, type GatewayContext } from '../../src/gateway/create-gateway.js';
import { createReadBudget } from '../../src/gateway/upstream/read-budget.js';
import { createUpstream } from '../../src/gateway/upstream/upstream.js';
import type { RejectRequest } from '../../src/http/reject-request.js';
import { boundedCallerKey } from '../../src/observability/live/named-caller.js';
import { PATIENT_MS } from './patient.js';
import type { OpenApiAdapter } from './testkit.js';

export interface GatewayAdapter {
  open: OpenApiAdapter;
  /** Returns the number of requests that have reached the API behind the gateway. */
  forwarded(): number;
}

/**
 * Creates the gateway of `tollgate gateway`, in front of an API on `node:http` without Tollgate.
 */
export function createGatewayAdapter(): GatewayAdapter {
  let forwarded = 0;
  return {
    forwarded: () => forwarded,
    async open({ schema, tollgate, senderOf, maxBatchSize }) {
      const api = await serveUnprotected(schema, () => forwarded++);
      // `maxRequests` is large enough for a hundred simultaneous requests of one caller. The tests
      // in test/gateway check smaller maximums.
      const upstream = createUpstream({ url: api.url, timeoutMs: PATIENT_MS, maxRequests: 1024 });
      const options = {
        upstream,
        subscriptions: upstream,
        heartbeatMs: 12_000,
        protect: () => tollgate.protect as unknown as Protect<GatewayContext>,
        identify: async (request: Parameters<typeof senderOf>[0]) => senderOf(request),
        reject: ((request, errors) =>
          answerRejected(tollgate.protect, {
            rejection: errors,
            contextValue: { subject: senderOf(request) },
          })) as RejectRequest,
        callerKey: boundedCallerKey,
        addressOf: () => '127.0.0.1',
        protocolOf: () => 'http' as const,
        headers: {},
        timeoutMs: PATIENT_MS,
        budget: createReadBudget({ maxBytes: 64 * 2 ** 20, maxBytesEach: 2 ** 20 }),
        byteRate: createByteRate(undefined),
        maxBatchSize,
        production: false,
        onFailure: () => {},
      };
      return {
        endpoint: { handle: (onAnswer) => createGateway(options, onAnswer) },
        async close() {
          await upstream.close();
          await api.close();
        },
      };
    },
  };
}

/** Serves a schema without any protection, like a third-party API. */
async function serveUnprotected(schema: GraphQLSchema, onRequest: () => void) {
  const server = createServer(async (request, response) => {
    onRequest();
    let text = '';
    for await (const chunk of request) text += chunk;
    const { query, operationName, variables } = JSON.parse(text);
    const answer = await graphql({ schema, source: query, operationName, variableValues: variables });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
