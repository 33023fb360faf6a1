import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import { createProtection, type Protection, type ProtectionOptions } from '../protection/protection.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import { FOR_YOGA, misplaced } from '../runtime/packages/in-no-server.js';
import { documentOfRequest, setRegistered } from './document-of-request.js';
import { findForeignParts } from './find-foreign-parts.js';
import { RequestListener } from './request-listener.js';
import type { TollgatePlugin } from './tollgate-plugin.js';

interface PluginOptions<Context> extends ProtectionOptions<Context> {
  /**
   * Called once for each condition that weakens the protection.
   * @default conditions are not reported
   */
  onWarning?: (message: string) => void;
  /**
   * Prices a schema that a server loads after its first one, for example behind an Apollo gateway.
   * It uses the annotations of the supergraph, if there is one. Returns undefined if the schema
   * cannot be priced.
   * @default the prices of the first schema stay in force
   */
  priceChanged?: (schema: GraphQLSchema, supergraph?: string) => ProtectionOptions<Context>['analyzer'] | undefined;
  /**
   * Returns whether operations over WebSockets are protected. Apollo Server calls no plugin for
   * them.
   * @default WebSockets count as protected
   */
  isExecutionProtected?: () => boolean;
  /**
   * The priced schema. A server with another schema does not start. @default the schema is not
   * compared
   */
  schema?: GraphQLSchema;
}

/**
 * Hooks for an HTTP layer in front of Apollo Server. That layer charges the fee of requests that
 * Apollo Server rejects before it calls any plugin.
 */
export interface PluginHooks<Context> {
  /** Called with the context value of a request whose response reports the charge. */
  onAnswered?: (contextValue: Context) => void;
}

/**
 * Creates the Apollo Server plugin. Before an operation runs, the plugin prices it and charges it
 * to every limit that applies, or to none. It adds cost and quota to the response. Denied
 * operations run no resolver.
 */
export function createPlugin<Context extends object>(
  options: PluginOptions<Context>,
  { onAnswered }: PluginHooks<Context> = {},
): TollgatePlugin<Context> {
  const { onWarning = () => {}, isExecutionProtected = () => true } = options;
  const protection = createProtection(options);
  const protectedServers = serversOf(options);
  let warned = false;
  const listeners = createObjectNotes<object, RequestListener<Context>>();
  /** Protection for each schema that a server has loaded after its first one. */
  const changed = new WeakMap<GraphQLSchema, Protection<Context>>();

  function follow(schema: GraphQLSchema, supergraph?: string): void {
    if (changed.has(schema)) return;
    const analyzer = options.priceChanged?.(schema, supergraph);
    if (analyzer) changed.set(schema, createProtection({ ...options, analyzer }));
  }

  const plugin = {
    async serverWillStart(server) {
      // The check is by server, because the second plugin may be another object of the same
      // Tollgate instance.
      if (protectedServers.has(server)) throw new TypeError(TWICE);
      protectedServers.add(server);
      const other = protectedBy.get(server);
      if (other !== undefined && other !== options) onWarning(TWO_WARNING);
      protectedBy.set(server, options);
      const { schema } = server;
      const foreign = options.schema === undefined ? [] : findForeignParts(schema, options.schema);
      if (foreign.length > 0) throw new TypeError(otherSchema(foreign));
      if (schema.getSubscriptionType() && !isExecutionProtected()) onWarning(SUBSCRIPTIONS_WARNING);
      return {
        // Apollo calls this hook for the first schema too, which is already priced. That schema
        // must be priced again if an Apollo gateway provides a supergraph with annotations, because
        // it omits them from the schema.
        schemaDidLoadOrUpdate({ apiSchema, coreSupergraphSdl }) {
          const supergraph = coreSupergraphSdl && ANNOTATED.test(coreSupergraphSdl) ? coreSupergraphSdl : undefined;
          if (apiSchema === schema && (supergraph === undefined || supergraph === sourceOf(options.schema))) return;
          follow(apiSchema, supergraph);
        },
      };
    },
    async requestDidStart(requestContext) {
      const { request, contextValue, requestIsBatched, schema } = requestContext;
      const { extensions } = request;
      const inForce = changed.get(schema) ?? protection;
      if (requestIsBatched && !warned) {
        warned = true;
        onWarning(BATCH_WARNING);
      }
      const asked = await documentOfRequest(inForce, requestContext);
      const { registered } = asked;
      if (registered) setRegistered(request, registered);
      const isToBeMeasured = request.query !== undefined && !registered;
      const rejection = asked.rejection ?? (isToBeMeasured ? inForce.documents.ofText(request.query!) : undefined);
      if (rejection) {
        // Apollo has no hook that can reject a request before parsing. Without `query` Apollo
        // parses nothing and fails, and `didEncounterErrors` replaces its error with the rejection.
        delete request.query;
        delete request.extensions;
      }
      const listener = new RequestListener(inForce, contextValue, { rejection, registered, extensions, onAnswered });
      listeners.set(requestContext, listener);
      return listener;
    },
    async unexpectedErrorProcessingRequest({ requestContext }) {
      const { contextValue, schema } = requestContext;
      const listener =
        listeners.get(requestContext) ?? new RequestListener(changed.get(schema) ?? protection, contextValue, {});
      await listener.unexpectedErrorProcessingRequest(requestContext);
    },
  } satisfies ApolloServerPlugin<Context>;
  return Object.assign(plugin, {
    onPluginInit: misplaced('tollgate.plugin(), which is for Apollo Server', FOR_YOGA),
  });
}

/**
 * Matches the text of a supergraph if any of its subgraphs has annotations. The text then has a
 * link to the specification of the directives, or the directives themselves.
 */
const ANNOTATED = /specs\.apollo\.dev\/cost\/|@(?:cost|listSize)\b/;

/** Returns the SDL from which `buildSchema` of graphql-js built the schema. */
const sourceOf = (schema?: GraphQLSchema): string | undefined => schema?.astNode?.loc?.source.body;

function otherSchema(foreign: readonly string[]): string {
  return `tollgate.plugin(): the schema of this server differs from the schema given to createTollgate, which lacks ${foreign.join(', ')}. Give both the same schema`;
}

/** Options of the Tollgate instance that protects a server, by server. */
const protectedBy = createObjectNotes<object, object>();

/** Servers that the plugins of a Tollgate instance protect, by the options of the instance. */
const servers = createObjectNotes<object, WeakSet<object>>();

function serversOf(options: object): WeakSet<object> {
  const known = servers.get(options) ?? new WeakSet();
  servers.set(options, known);
  return known;
}

const TWICE = 'plugins: expected tollgate.plugin() once, got it twice: each operation would be charged twice';

const TWO_WARNING =
  'plugins: two Tollgate instances protect this server, and each charges every operation. With the same Redis and tiers, each bucket is charged twice. ' +
  'Call createTollgate once, or give them different tiers';

const SUBSCRIPTIONS_WARNING =
  'The schema has subscriptions. Operations over WebSockets bypass the plugins of Apollo Server and are NOT limited, queries and mutations ' +
  'included. Pass tollgate.execution() to the WebSocket server, as in docs/integrations.md';

const BATCH_WARNING =
  'allowBatchedHttpRequests is on: each operation of a batch is charged separately, so some may run while others ' +
  'are denied. Turn it off, or send batches through the platform, which charges each as one';
