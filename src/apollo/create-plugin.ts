import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import { createProtection, type Protection, type ProtectionOptions } from '../protection/protection.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import { FOR_YOGA, misplaced } from '../runtime/packages/in-no-server.js';
import { findForeignParts } from './find-foreign-parts.js';
import { RequestListener } from './request-listener.js';
import type { TollgatePlugin } from './tollgate-plugin.js';

interface PluginOptions<Context> extends ProtectionOptions<Context> {
  /** Called once with what weakens the protection. @default it is not reported */
  onWarning?: (message: string) => void;
  /**
   * Prices a schema that a server has taken in place of its first one, as it does behind a gateway of Apollo's; by the annotations of the
   * supergraph, where there is one. Undefined: it cannot be priced. @default the prices of the first one stay
   */
  priceChanged?: (schema: GraphQLSchema, supergraph?: string) => ProtectionOptions<Context>['analyzer'] | undefined;
  /** Whether operations are protected that come over WebSockets, of which no plugin is told. @default it is of no concern */
  isExecutionProtected?: () => boolean;
  /** The schema that prices are of: a server with another one does not start. @default that of any server */
  schema?: GraphQLSchema;
}

/** For a server with an HTTP layer of its own, which charges the fee of what Apollo Server rejects before any plugin sees it. */
export interface PluginHooks<Context> {
  /** Called with the context value of a request where its answer says what the request has paid. */
  onAnswered?: (contextValue: Context) => void;
}

/**
 * The Apollo Server plugin: prices an operation before it runs, charges it to every limit that applies or to none, and
 * puts cost and quota on the answer. Denied operations run no resolver.
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
  /** Of the schemas that servers have taken since they started. */
  const changed = new WeakMap<GraphQLSchema, Protection<Context>>();

  function follow(schema: GraphQLSchema, supergraph?: string): void {
    if (changed.has(schema)) return;
    const analyzer = options.priceChanged?.(schema, supergraph);
    if (analyzer) changed.set(schema, createProtection({ ...options, analyzer }));
  }

  const plugin = {
    async serverWillStart(server) {
      // Of one server, whichever plugin it calls with it.
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
        // Asked at once for the schema of the start, which is priced; but a gateway of Apollo's leaves out of it what its supergraph annotates.
        schemaDidLoadOrUpdate({ apiSchema, coreSupergraphSdl }) {
          const supergraph = coreSupergraphSdl && ANNOTATED.test(coreSupergraphSdl) ? coreSupergraphSdl : undefined;
          if (apiSchema === schema && (supergraph === undefined || supergraph === sourceOf(options.schema))) return;
          follow(apiSchema, supergraph);
        },
      };
    },
    async requestDidStart(requestContext) {
      const { request, contextValue, requestIsBatched, schema } = requestContext;
      const inForce = changed.get(schema) ?? protection;
      if (requestIsBatched && !warned) {
        warned = true;
        onWarning(BATCH_WARNING);
      }
      const refusal = request.query === undefined ? undefined : inForce.documents.ofText(request.query);
      if (refusal) {
        // Apollo has no hook that may refuse before it parses. Without a document it parses none, and its complaint
        // gives way to the refusal in willSendResponse.
        delete request.query;
        delete request.extensions;
      }
      const listener = new RequestListener(inForce, contextValue, { refusal, onAnswered });
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
    onPluginInit: misplaced('tollgate.plugin(), which is of Apollo Server', FOR_YOGA),
  });
}

/** What composition writes where a subgraph has annotations: a link to their specification, or the directives themselves. */
const ANNOTATED = /specs\.apollo\.dev\/cost\/|@(?:cost|listSize)\b/;

/** The text that `buildSchema` of graphql-js has made it of. */
const sourceOf = (schema?: GraphQLSchema): string | undefined => schema?.astNode?.loc?.source.body;

function otherSchema(foreign: readonly string[]): string {
  return `tollgate.plugin(): this server has another schema than the one given to createTollgate, which prices by its own: it does not have ${foreign.join(', ')}. Give both the same schema`;
}

/** By a server: the options of the Tollgate that protects it. */
const protectedBy = createObjectNotes<object, object>();

/** By the options of their Tollgate: what its plugins protect. */
const servers = createObjectNotes<object, WeakSet<object>>();

function serversOf(options: object): WeakSet<object> {
  const known = servers.get(options) ?? new WeakSet();
  servers.set(options, known);
  return known;
}

const TWICE = 'plugins: tollgate.plugin() stands there twice: each operation would be charged twice';

const TWO_WARNING =
  'plugins: two Tollgates protect this server, and each charges every operation: twice from one bucket where they have the same Redis and tiers. ' +
  'Call createTollgate once, or give them other tiers';

const SUBSCRIPTIONS_WARNING =
  'The schema has subscriptions, and Apollo Server leaves them to a server of WebSockets beside it, of which no plugin is told: what comes ' +
  'that way is neither priced nor limited, queries and mutations too. Give that server tollgate.execution(), as in docs/doors.md';

const BATCH_WARNING =
  'allowBatchedHttpRequests is on: the operations of a batch are charged one by one, so that some may run while others ' +
  'are denied. Turn it off, or let the platform take batches apart, which charges them as one';
