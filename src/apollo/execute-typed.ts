import type {
  GraphQLRequestContext,
  GraphQLRequestContextExecutionDidStart,
  GraphQLRequestExecutionListener,
} from '@apollo/server';
import type { ExecutionWatch } from '../protection/operation-request.js';

/**
 * Has Apollo execute the document that asks for types, and takes them out of the response. That happens as soon as there
 * is one: what another plugin does with responses before they are sent, such as storing them, it does with what the client
 * has asked for.
 */
export function executeTyped<Context extends object>(
  typed: NonNullable<ExecutionWatch['typed']>,
  context: GraphQLRequestContextExecutionDidStart<Context>,
): GraphQLRequestExecutionListener<Context> {
  const { document } = context;
  Object.assign(context, { document: typed.document });
  return {
    async executionDidEnd() {
      Object.assign(context, { document });
      const body = (context as GraphQLRequestContext<Context>).response.body;
      if (body) typed.take(body.kind === 'single' ? body.singleResult.data : body.initialResult.data);
    },
  };
}
