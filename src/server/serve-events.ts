import type { Request, RequestHandler, Response } from 'express';
import { type ExecutionResult, GraphQLError, type GraphQLSchema, getOperationAST, parse, subscribe } from 'graphql';
import type { AdmittedRequest } from '../any-server/admitted-request.js';
import { createDocumentCheck } from '../documents/document-check.js';
import { ownAnswer } from '../gateway/forward.js';
import { readBody } from '../gateway/graphql-request.js';
import { type EventFormat, eventFormatOf } from '../gateway/subscriptions/event-format.js';
import { relayEvents } from '../gateway/subscriptions/relay-events.js';
import { formatError } from '../http/format-error.js';
import { outgoing } from '../http/reject-request.js';
import { type Outgoing, writeAnswer } from '../http/write-answer.js';
import { requestError } from '../model/errors.js';
import { withoutHttp } from '../protection/answer/http-of-errors.js';
import type { PlatformTollgate } from '../tollgate/create-tollgate.js';
import type { ApiContext } from './api-context.js';
import type { Config } from './config/config.js';

interface ServedEvents {
  schema: GraphQLSchema;
  tollgate: Pick<PlatformTollgate<ApiContext>, 'protect'>;
  config: Pick<Config, 'production' | 'documentLimits'>;
  context(exchange: { req: Request; res: Response }): Promise<ApiContext>;
  /** Handles all other requests. */
  others: RequestHandler;
}

/** Time in milliseconds without an event after which the client receives a heartbeat. */
const HEARTBEAT_MS = 10_000;
/** Time in milliseconds after which a client that reads nothing is disconnected. */
const STALL_MS = 30_000;

/**
 * Returns a handler of subscriptions, whose events are sent in one response: as server-sent events,
 * or as parts of a multipart response. Only subscriptions are executed here. All other operations
 * have to pass the checks of Apollo Server.
 */
export function serveEvents(
  { schema, tollgate, config, context, others }: ServedEvents,
  onAnswer: (status: number) => void,
): RequestHandler {
  const { production } = config;
  const documents = createDocumentCheck(config.documentLimits);

  /** Returns the format in which a request receives events; undefined for other requests. */
  function formatOf({ method, headers, body }: Request): EventFormat | undefined {
    const format = method === 'POST' ? eventFormatOf(headers.accept) : undefined;
    const { query, operationName } = (body ?? {}) as { query?: unknown; operationName?: string };
    if (format === undefined || Array.isArray(body)) return undefined;
    // The type of a registered or persisted operation is not known yet. A client that accepts events
    // for all of its operations, such as urql, prefers another format.
    if (typeof query !== 'string') return eventFormatOf(headers.accept?.split(',', 1)[0]);
    if (!query.includes('subscription') || documents.ofText(query) !== undefined) return undefined;
    try {
      return getOperationAST(parse(query), operationName)?.operation === 'subscription' ? format : undefined;
    } catch {
      return undefined; // Apollo Server answers with the syntax error.
    }
  }

  async function start(operation: AdmittedRequest, asked: ReturnType<typeof readBody>, contextValue: ApiContext) {
    const document = operation.start(contextValue, undefined, schema);
    const { operationName } = asked;
    const variableValues = asked.variables as Readonly<Record<string, unknown>> | undefined;
    try {
      return await subscribe({ schema, document, operationName, variableValues, contextValue });
    } catch (error) {
      operation.abandon();
      throw error;
    }
  }

  async function answer(request: Request, response: Response, format: EventFormat): Promise<Outgoing> {
    // The client may disconnect before the subscription has started.
    const over = new Promise<void>((resolve) => response.once('close', resolve));
    const asked = readBody(request.body, undefined, request);
    const contextValue = await context({ req: request, res: response });
    const operation = await tollgate.protect({
      query: asked.query as string | undefined,
      documentId: asked.documentId as string | undefined,
      extensions: asked.extensions,
      operationName: asked.operationName,
      variables: asked.variables as Readonly<Record<string, unknown>> | undefined,
      headers: request.headers,
      contextValue,
      signal: contextValue.clientGone,
    });
    if (!operation.admitted) return ownAnswer(operation.answer, production);
    if (!operation.isSubscription) {
      const mistake = requestError(
        'BAD_REQUEST',
        'expected a subscription: send other operations with Accept: application/json',
      );
      return ownAnswer(await operation.reject([mistake]), production);
    }
    const events = await start(operation, asked, contextValue);
    if (!(Symbol.asyncIterator in events)) return ownAnswer(await operation.finish(events), production);
    const written = Object.assign(events, { write: (event: ExecutionResult) => textOf(event, production) });
    const shown = (error: unknown) => {
      const formatted = error instanceof GraphQLError ? withoutHttp(error) : INTERNAL;
      return formatError(formatted, { error, production });
    };
    const body = relayEvents({ operation, events: written, format, heartbeatMs: HEARTBEAT_MS, over, shown });
    const { headers } = outgoing({ status: 200, headers: operation.quotaHeaders(), body: {} });
    // Without `x-accel-buffering`, a buffering proxy would delay the events.
    const added: [string, string][] = [
      ['content-type', format.contentType],
      ['x-accel-buffering', 'no'],
    ];
    return { status: 200, headers: [...headers, ...added], body };
  }

  async function sendEvents(request: Request, response: Response, format: EventFormat): Promise<void> {
    const answered = await answer(request, response, format);
    onAnswer(answered.status);
    await writeAnswer(response, answered, STALL_MS);
  }

  return (request, response, next) => {
    const format = formatOf(request);
    return format ? sendEvents(request, response, format) : others(request, response, next);
  };
}

const INTERNAL = { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };

function textOf(event: ExecutionResult, production: boolean): string {
  if (event.errors === undefined) return JSON.stringify(event);
  return JSON.stringify({
    ...event,
    errors: event.errors.map((error) => formatError(error.toJSON(), { error, production })),
  });
}
