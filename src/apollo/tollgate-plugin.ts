import type { GraphQLSchema } from 'graphql';

/**
 * A plugin for Apollo Server. The type has only the members that Apollo Server's list of plugins
 * requires. It does not use Apollo's types, so that a program without Apollo Server compiles.
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

/**
 * Hooks that Apollo Server calls for one request. Other hooks are internal and not part of the
 * type.
 */
interface TollgateRequestListener {
  didResolveOperation(context: never): Promise<void>;
  willSendResponse(context: never): Promise<void>;
}
