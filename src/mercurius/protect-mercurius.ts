import { type ExecutionResult, getOperationAST } from 'graphql';
import type { AdmittedRequest } from '../any-server/admitted-request.js';
import type { SocketOptions } from '../graphql-ws/socket-options.js';
import { errorOf } from '../model/errors.js';
import type { Answer } from '../protection/answer/answer-of.js';
import { NO_SUBSCRIPTIONS } from '../protection/answer/denial-error.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import type { FastifyApp, FastifyReply } from './fastify-app.js';
import { isById, paramsOf, setText } from './params-of.js';
import { protectMercuriusSockets, type SocketTollgate } from './protect-mercurius-sockets.js';

export interface MercuriusOptions<Context extends object = object> {
  /** Tollgate instance that `createTollgate` resolves to. */
  tollgate: SocketTollgate<Context>;
  /**
   * Path of Mercurius, including all prefixes.
   * @default '/graphql', under the prefix of the app that registers `protectMercurius`
   */
  path?: string;
  /** Options for the WebSockets of Mercurius, like those of `tollgate.webSockets`. @default {} */
  webSockets?: SocketOptions;
}

/**
 * Protects Mercurius: `app.register(protectMercurius, { tollgate })`, after Mercurius itself.
 * `identify` receives Fastify's `request` and `reply`. Batches are rejected. Tollgate reads the ids of
 * registered documents and the hashes of automatic persisted queries, and Mercurius gets the text.
 * If Mercurius has the option `subscription`, subscriptions over its WebSockets are priced and limited.
 */
export async function protectMercurius<Context extends object>(
  fastify: unknown,
  { tollgate, path: given, webSockets }: MercuriusOptions<Context>,
): Promise<void> {
  const app = fastify as FastifyApp;
  const path = given ?? `${app.prefix.replace(/\/$/, '')}/graphql`;
  if (typeof app.graphql?.addHook !== 'function') {
    throw new TypeError('protectMercurius: register mercurius first: app.register(mercurius, { schema })');
  }
  const protectedPaths = pathsOf.get(app.graphql) ?? new Set<string>();
  if (protectedPaths.has(path)) {
    throw new TypeError(
      `protectMercurius: expected once for ${path}, got it twice: each operation would be charged twice`,
    );
  }
  pathsOf.set(app.graphql, protectedPaths.add(path));
  const admitted = createObjectNotes<object, Admission>();
  const sockets = app.graphql.pubsub === undefined ? undefined : protectMercuriusSockets(app, tollgate, webSockets);

  app.addHook('onReady', async () => {
    // Without this error, a wrong path would leave Mercurius unprotected without any message.
    if (['POST', 'GET'].some((method) => app.hasRoute({ url: path, method }))) return;
    throw new TypeError(
      `protectMercurius: there is no route at ${path}: set path to the path of Mercurius, with its prefixes: app.register(protectMercurius, { tollgate, path: '/api/graphql' })`,
    );
  });
  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.url !== path) return undefined;
    if (request.ws && sockets) return (await sockets.accept(request, reply)) ? undefined : reply;
    const gone = new AbortController();
    // If a hook fails or never settles, Fastify skips the hooks after it. The event `close` is
    // always emitted.
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) endOf(reply);
      else {
        gone.abort();
        const admission = admitted.get(reply);
        if (!admission?.hasBegun) admission?.request.abandon();
      }
    });
    const caller = {
      headers: request.headers,
      contextValue: { request, req: request.raw, reply } as unknown as Context,
    };
    const params = paramsOf(request);
    const asked = await tollgate.protect({ ...params, ...caller, signal: gone.signal });
    if (!asked.admitted) return send(reply, asked.answer);
    if (getOperationAST(asked.document, params.operationName)?.operation === 'subscription') {
      // Mercurius would execute the subscription as a query and return null.
      return send(reply, await asked.reject([errorOf('BAD_REQUEST', NO_SUBSCRIPTIONS)]));
    }
    if (isById(params)) setText(request, asked.document.loc!.source.body);
    admitted.set(reply, { request: asked, hasBegun: false, isRejected: false, hasEnded: false });
    // The client may have disconnected during the charge.
    if (gone.signal.aborted) asked.abandon();
    return undefined;
  });
  app.graphql.addHook('preExecution', async (schema, _document, context) => {
    const admission = admitted.get(replyOf(context));
    if (!admission) return undefined;
    admission.hasBegun = true;
    return { document: admission.request.start(context, undefined, schema) };
  });
  app.graphql.addHook('onResolution', async (execution, context) => {
    const reply = replyOf(context) as FastifyReply;
    const admission = admitted.get(reply);
    if (!admission) return;
    const { headers, body } = await admission.request.finish(execution);
    reply.headers(headers);
    Object.assign(execution, { extensions: body.extensions });
  });
  // Record the error here, because an `errorFormatter` may convert it to a response with status 200
  // and no errors.
  app.addHook('onError', async (_request, reply) => {
    const admission = admitted.get(reply);
    if (admission) admission.isRejected = true;
    return undefined;
  });
  // Fastify calls this hook for every response of the app. It therefore uses a callback, which is
  // cheaper than a promise.
  app.addHook('preSerialization', (_request, reply, payload, done) => {
    const admission = admitted.get(reply);
    if (admission && !admission.hasBegun) admission.isRejected ||= hasOnlyErrors(payload);
    done(null, payload);
  });
  /** Ends an operation without a result, after the response has been sent. */
  function endOf(reply: FastifyReply): void {
    const admission = admitted.get(reply);
    if (!admission || admission.hasEnded) return;
    admission.hasEnded = true;
    const isRejected = admission.isRejected || reply.statusCode >= 400;
    // Mercurius or a hook has rejected the request, for example a mutation by GET. Charge the fee.
    if (!admission.hasBegun && isRejected) void admission.request.reject([]);
    else admission.request.abandon();
  }
}

/** State of an admitted request. */
interface Admission {
  request: AdmittedRequest;
  hasBegun: boolean;
  /**
   * Whether the request failed, or its response has errors and no data. The status is not
   * sufficient, because Mercurius responds with status 200 to an error that a hook throws.
   */
  isRejected: boolean;
  hasEnded: boolean;
}

function hasOnlyErrors(payload: unknown): boolean {
  const { data, errors } = (payload ?? {}) as ExecutionResult;
  return (data ?? undefined) === undefined && Array.isArray(errors) && errors.length > 0;
}

/** Protected paths, by Mercurius instance. */
const pathsOf = createObjectNotes<object, Set<string>>();

// This symbol makes Fastify apply the hooks of the plugin to the app that registers it.
Object.assign(protectMercurius, { [Symbol.for('skip-override')]: true });

function replyOf(context: object): object {
  return (context as { reply?: object }).reply ?? context;
}

function send(reply: FastifyReply, { status, headers, body }: Answer): unknown {
  return reply.code(status).headers(headers).send(body);
}
