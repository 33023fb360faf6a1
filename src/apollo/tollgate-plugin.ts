import type { GraphQLSchema } from 'graphql';

/**
 * A plugin for Apollo Server, as far as its users have to know: its list of plugins takes it. A type of our own, so that a
 * program without Apollo Server needs no types of it to be compiled.
 */
export interface TollgatePlugin<in Context extends object = object> {
  serverWillStart(server: {
    schema: GraphQLSchema;
  }): Promise<{ schemaDidLoadOrUpdate(changed: { apiSchema: GraphQLSchema; coreSupergraphSdl?: string }): void }>;
  requestDidStart(request: {
    contextValue: Context;
    request: { query?: string };
    requestIsBatched: boolean;
    schema: GraphQLSchema;
  }): Promise<TollgateRequestListener>;
  unexpectedErrorProcessingRequest(failed: { requestContext: never; error: Error }): Promise<void>;
}

/** What Apollo Server asks of one request; the hooks that it finds besides are its own business. */
interface TollgateRequestListener {
  didResolveOperation(context: never): Promise<void>;
  willSendResponse(context: never): Promise<void>;
}
