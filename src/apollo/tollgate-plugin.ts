import type { GraphQLSchema } from 'graphql';

/**
 * A plugin for Apollo Server, with the members that users need: its list of plugins accepts it. It
 * is a type of our own, so that a program without Apollo Server compiles without Apollo's types.
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

/** Hooks that Apollo Server calls for one request. Further hooks are internal. */
interface TollgateRequestListener {
  didResolveOperation(context: never): Promise<void>;
  willSendResponse(context: never): Promise<void>;
}
