import { type ExecutionResult, getOperationAST } from 'graphql';
import type { AdmittedRequest } from '../any-server/admitted-request.js';
import type { Protect } from '../any-server/protect.js';
import { errorOf } from '../model/errors.js';
import type { Answer } from '../protection/answer/answer-of.js';
import { NO_SUBSCRIPTIONS } from '../protection/answer/denial-error.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import type { FastifyApp, FastifyReply } from './fastify-app.js';
import { paramsOf } from './params-of.js';

export interface MercuriusOptions<Context extends object = object> {
  /** What `createTollgate` resolves to. */
  tollgate: { readonly protect: Protect<Context> };
  /** Where Mercurius answers, with every prefix that it stands under. @default '/graphql', under the prefix that it is registered with */
  path?: string;
}

/**
 * Protects Mercurius: `app.register(protectMercurius, { tollgate })`, after Mercurius itself. `identify` is asked with Fastify's
 * `request` and `reply`. Batches are refused, and so are persisted queries of Mercurius, as a hash has no price; and every WebSocket, as
 * nothing that comes through one would be priced.
 */
export async function protectMercurius<Context extends object>(
  fastify: unknown,
  { tollgate, path: given }: MercuriusOptions<Context>,
): Promise<void> {
  const app = fastify as FastifyApp;
  const path = given ?? `${app.prefix.replace(/\/$/, '')}/graphql`;
  if (typeof app.graphql?.addHook !== 'function') {
    throw new TypeError('protectMercurius: register mercurius first: app.register(mercurius, { schema })');
  }
  const protectedPaths = pathsOf.get(app.graphql) ?? new Set<string>();
  if (protectedPaths.has(path)) {
    throw new TypeError(`protectMercurius: it is registered twice for ${path}: each operation would be charged twice`);
  }
  pathsOf.set(app.graphql, protectedPaths.add(path));
  const admitted = createObjectNotes<object, Admission>();

  app.addHook('onReady', async () => {
    // Else all of Mercurius would be open, without a word.
    if (['POST', 'GET'].some((method) => app.hasRoute({ url: path, method }))) return;
    throw new TypeError(
      `protectMercurius: nothing answers at ${path}: say where Mercurius does, with its prefixes: app.register(protectMercurius, { tollgate, path: '/api/graphql' })`,
    );
  });
  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.url !== path) return undefined;
    const gone = new AbortController();
    // Hooks are left out after one that fails or never settles: nothing can skip this.
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
      // Mercurius would execute it as a query, and answer with null.
      return send(reply, await asked.reject([errorOf('BAD_REQUEST', NO_SUBSCRIPTIONS)]));
    }
    admitted.set(reply, { request: asked, hasBegun: false, isRefused: false, hasEnded: false });
    // The client may have left while the charge was under way.
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
  // An `errorFormatter` may answer it with status 200 and no errors.
  app.addHook('onError', async (_request, reply) => {
    const admission = admitted.get(reply);
    if (admission) admission.isRefused = true;
    return undefined;
  });
  // With a callback, as every answer of the app passes here.
  app.addHook('preSerialization', (_request, reply, payload, done) => {
    const admission = admitted.get(reply);
    if (admission && !admission.hasBegun) admission.isRefused ||= isRefusal(payload);
    done(null, payload);
  });
  /** Ends what never came to a result, once its answer is out. */
  function endOf(reply: FastifyReply): void {
    const admission = admitted.get(reply);
    if (!admission || admission.hasEnded) return;
    admission.hasEnded = true;
    const isRefused = admission.isRefused || reply.statusCode >= 400;
    // Mercurius or a hook has rejected the request, such as a mutation by GET.
    if (!admission.hasBegun && isRefused) void admission.request.reject([]);
    else admission.request.abandon();
  }
}

/** What has been let in. */
interface Admission {
  request: AdmittedRequest;
  hasBegun: boolean;
  /** It failed, or was answered with errors and no data, whatever the status is: that of an error which a hook throws is 200. */
  isRefused: boolean;
  hasEnded: boolean;
}

function isRefusal(payload: unknown): boolean {
  const { data, errors } = (payload ?? {}) as ExecutionResult;
  return (data ?? undefined) === undefined && Array.isArray(errors) && errors.length > 0;
}

/** Of each Mercurius: what is protected. */
const pathsOf = createObjectNotes<object, Set<string>>();

// Fastify's mark of a plugin whose hooks are those of the app around it.
Object.assign(protectMercurius, { [Symbol.for('skip-override')]: true });

function replyOf(context: object): object {
  return (context as { reply?: object }).reply ?? context;
}

function send(reply: FastifyReply, { status, headers, body }: Answer): unknown {
  return reply.code(status).headers(headers).send(body);
}
