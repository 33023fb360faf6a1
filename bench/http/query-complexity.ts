import type { ApolloServerPlugin } from '@apollo/server';
import { getComplexity, simpleEstimator } from 'graphql-query-complexity';
import { Redis } from 'ioredis';
import { createSixLimiters } from '../decision/six-limiters.js';
import type { BenchContext, CreateProtection } from './protection.js';

/** Maximum lengths of lists, as declared in the schema. */
const LIST_SIZES: Record<string, number> = { borders: 16, languages: 15, currencies: 9 };

/**
 * Provides a similar protection with other packages. graphql-query-complexity prices the operation,
 * six limiters of rate-limiter-flexible are charged, and the response reports both. The charge is
 * not settled.
 */
export const queryComplexity: CreateProtection = async (schema, redisUrl) => {
  const redis = new Redis(redisUrl);
  const limiters = createSixLimiters(redis);
  const estimators = [
    ({
      args,
      childComplexity,
      field,
    }: {
      args: { first?: number };
      childComplexity: number;
      field: { name: string };
    }) => {
      const size = args.first ?? LIST_SIZES[field.name];
      return size === undefined ? undefined : size * (1 + childComplexity);
    },
    simpleEstimator({ defaultComplexity: 1 }),
  ];
  const plugin: ApolloServerPlugin<BenchContext> = {
    async requestDidStart() {
      let cost: object | undefined;
      return {
        async didResolveOperation({ document, request, operationName, contextValue }) {
          const complexity = getComplexity({
            schema,
            query: document,
            estimators,
            variables: request.variables ?? {},
            ...(operationName && { operationName }),
          });
          const remaining = await limiters.consume(contextValue.subject, complexity);
          cost = { requestedQueryCost: complexity, remaining };
        },
        async willSendResponse({ response }) {
          if (response.body.kind !== 'single') return;
          response.body.singleResult.extensions = { ...response.body.singleResult.extensions, cost };
        },
      };
    },
  };
  return { plugins: [plugin], close: () => redis.quit() };
};
