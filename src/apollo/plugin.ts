import type { ApolloServerPlugin } from '@apollo/server';
import { createProtection, type ProtectionOptions } from '../protection/protection.js';
import { RequestListener } from './request-listener.js';

export interface PluginOptions<Context> extends ProtectionOptions<Context> {
  /** Told once of what weakens the protection. @default nobody */
  onWarning?: (message: string) => void;
}

/**
 * The Apollo Server plugin: prices an operation before it runs, charges it to every limit that applies or to none, and
 * puts cost and quota on the answer. Denied operations run no resolver.
 */
export function createPlugin<Context extends object>(options: PluginOptions<Context>): ApolloServerPlugin<Context> {
  const { onWarning = () => {} } = options;
  const protection = createProtection(options);
  let warned = false;

  return {
    async requestDidStart({ request, contextValue, requestIsBatched }) {
      if (requestIsBatched && !warned) {
        warned = true;
        onWarning(BATCH_WARNING);
      }
      const refusal = request.query === undefined ? undefined : protection.documents.ofText(request.query);
      if (refusal) {
        // Apollo has no hook that may refuse before it parses. Without a document it parses none, and its complaint
        // gives way to the refusal in willSendResponse.
        delete request.query;
        delete request.extensions;
      }
      return new RequestListener(protection, contextValue, refusal);
    },
  };
}

const BATCH_WARNING =
  'allowBatchedHttpRequests is on: the operations of a batch are charged one by one, so that some may run while others ' +
  'are denied. Turn it off, or let the platform take batches apart, which charges them as one';
