import { ApolloServer } from '@apollo/server';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { answerRejected } from '../../src/any-server/answer-rejected.js';
import { type GraphqlEndpoint, markPaid } from '../../src/http/handle-graphql.js';
import type { RejectRequest } from '../../src/http/reject-request.js';
import { createTollgate, type RuleInput, type TierInput, type TollgateOptions } from '../../src/index.js';
import type { QuotaEntry } from '../../src/protection/create-quota.js';
import { benchSchemas } from '../cost/schemas.js';
import { serveEndpoint } from '../http/serve-endpoint.js';
import { LIMITED_FIELDS, type RefusalName } from './requests.js';

const RICH: TierInput = {
  name: 'rich',
  capacity: 2_147_483_647,
  refillAmount: 1,
  refillPeriodMs: 500,
  isDefault: true,
};
const silent = { info: () => {}, warn: () => {}, error: (_: object, message: string) => console.error(message) };

/** What has to be so that requests are refused in this way. */
function optionsOf(refusal: RefusalName): Partial<TollgateOptions> & { maxBatchSize?: number } {
  switch (refusal) {
    case 'MAX_COST_EXCEEDED, above the ceiling':
      return { tiers: [{ ...RICH, maxCostPerOperation: 1 }], cost: { overlay: COUNTED } };
    case 'MAX_COST_EXCEEDED, above the bucket':
      return {
        rules: [{ name: 'few', scope: 'USER', field: '*', measure: 'COST', limits: [perDay(1)] }],
        cost: { overlay: COUNTED },
      };
    case 'TOO_MANY_LIMITS':
      return { rules: LIMITED_FIELDS.map(manyLimits) };
    case 'THROTTLED, an operation':
    case 'THROTTLED, the fee':
      return { rules: [{ name: 'none', scope: 'IP', field: '*', measure: 'REQUESTS', limits: [perDay(1)] }] };
    case 'COST_SLICING_ARGUMENT':
      return {
        cost: {
          overlay: {
            'Query.securityAdvisories': {
              listSize: {
                slicingArguments: ['first', 'last'],
                sizedFields: ['nodes'],
                requireOneSlicingArgument: true,
              },
            },
          },
        },
      };
    case 'OPERATION_TOO_COMPLEX':
      // With so few, every document is that complex.
      return { cost: { maxCompileSteps: 5 } };
    case 'a batch of too many':
      return { maxBatchSize: 10 };
    default:
      return {};
  }
}

/** What makes every one of the expensive documents cost something, be it only leaves. */
const COUNTED = {
  'User.login': { cost: 3 },
  'Node.id': { cost: 2 },
  'User.id': { cost: 2 },
  'Query.node': { cost: 5 },
  'Query.viewer': { cost: 5 },
};
const perDay = (amount: number, index = 0) => ({
  algorithm: 'FIXED_WINDOW' as const,
  amount,
  windowMs: 86_400_000 + index,
});
const REQUESTS_OF_ADDRESS: RuleInput = {
  name: 'requests-of-address',
  scope: 'IP',
  field: '*',
  measure: 'REQUESTS',
  limits: [perDay(1_000_000_000)],
};
const manyLimits = (field: string): RuleInput => ({
  name: field,
  scope: 'USER',
  field: `User.${field}`,
  measure: 'CALLS',
  limits: Array.from({ length: 8 }, (_, index) => perDay(1_000_000_000, index)),
});

export interface BareApi {
  url: string;
  stop(): Promise<void>;
}

export interface RefusingApi extends BareApi {
  /** 0: none may be sent. */
  maxBatchSize: number;
  /** What the sender has left of tokens, and of requests from their address. */
  left(): Promise<{ tokens: number; requests: number }>;
}

const SENDER = { user: 'sender', ip: '192.0.2.1' };

let schema: GraphQLSchema | undefined;
export function githubSchema(): GraphQLSchema {
  schema ??= benchSchemas()[1]!.schema;
  return schema;
}

/** GitHub's schema behind the platform's own HTTP layer and the plugin, with counters in memory. */
export async function serveRefusingApi(refusal: RefusalName): Promise<RefusingApi> {
  const schema = githubSchema();
  const { maxBatchSize = 0, rules = [], ...options } = optionsOf(refusal);
  const tollgate = await createTollgate({
    schema,
    identify: () => SENDER,
    tiers: [RICH],
    logger: silent,
    ...options,
    rules: [...rules, REQUESTS_OF_ADDRESS],
  });
  const server = new ApolloServer({
    ...APOLLO,
    schema,
    plugins: [tollgate.plugin({ onAnswered: markPaid })],
    documentStore: tollgate.documentStore,
  });
  const isKnown = refusal !== 'UNAUTHENTICATED';
  const reject: RejectRequest = (_request, errors) =>
    answerRejected(tollgate.protect, { rejection: errors, contextValue: {} });
  const served = await serve({ server, maxBatchSize, reject }, isKnown);
  return {
    url: served.url,
    maxBatchSize,
    async left() {
      const entries = await tollgate.quota(SENDER);
      const remaining = (isIt: (entry: QuotaEntry) => boolean) => entries.find(isIt)!.remaining;
      return {
        tokens: remaining(({ rule }) => rule === `tier:${RICH.name}`),
        requests: remaining(({ scope }) => scope === 'IP'),
      };
    },
    async stop() {
      await served.stop();
      await tollgate.close();
    },
  };
}

/** The same schema behind the same HTTP layer, without the plugin and what it brings. Everybody is let in. */
export function serveWithoutTollgate(maxBatchSize: number): Promise<BareApi> {
  return serve({ server: new ApolloServer({ ...APOLLO, schema: githubSchema() }), maxBatchSize }, true);
}

const APOLLO = {
  includeStacktraceInErrorResponses: false,
  stopOnTerminationSignals: false,
  // As the platform does.
  validationOptions: { maxErrors: 20 },
};

async function serve(
  endpoint: Pick<GraphqlEndpoint<object>, 'server' | 'maxBatchSize' | 'reject'>,
  isKnown: boolean,
): Promise<BareApi> {
  const { server } = endpoint;
  await server.start();
  const { url, stop } = await serveEndpoint({
    ...endpoint,
    path: '/graphql',
    context: async () => {
      if (isKnown) return {};
      throw new GraphQLError('Invalid credentials', {
        extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } },
      });
    },
  });
  return {
    url,
    async stop() {
      await stop();
      await server.stop();
    },
  };
}
