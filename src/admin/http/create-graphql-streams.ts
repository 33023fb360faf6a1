import type { Request, RequestHandler, Response } from 'express';
import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  subscribe,
  validate,
} from 'graphql';
import { createDocumentCheck } from '../../documents/document-check.js';
import { ERRORS, requestError } from '../../model/errors.js';
import { httpOfErrors, withoutHttp } from '../../protection/answer/http-of-errors.js';
import type { FeeOutcome } from '../../protection/charge-fee.js';
import { poll } from '../../runtime/poll.js';
import { timerMs } from '../../runtime/schedule.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { createStreamPlaces, type StreamHolder } from './create-stream-places.js';

export interface GraphqlStreamOptions {
  schema: GraphQLSchema;
  /** What an operation's resolvers get. Throws a GraphQLError for who may not. */
  context(request: Request): Promise<object>;
  /** Takes the fee for a stream, or for a request that gets none, from who sends it. @default they are free */
  chargeFee?: (request: Request) => Promise<FeeOutcome>;
  /** Streams open at once; more are answered with 503. @default 20 */
  maxStreams?: number;
  /** Who sends a request: what one has open takes no more than a part of the places. @default all are one */
  holderOf?: (request: Request) => StreamHolder;
  /**
   * Throws the GraphQLError of a 401 or 403 once who opened a stream may have it no longer: it is completed with that error.
   * Whatever else it throws, such as that nothing can be looked up, says nothing about them. @default it is theirs for good
   */
  recheck?: (request: Request) => Promise<void>;
  /** Between two of these. @default 1000 */
  recheckMs?: number;
  /** Silence after which a comment shows that the stream is alive, and a reader who takes nothing is cut. @default 15000 */
  heartbeatMs?: number;
  onError(error: unknown): void;
}

export interface GraphqlStreams {
  handler: RequestHandler;
  /** Completes every stream and takes no more. */
  close(): void;
}

type Results = AsyncGenerator<ExecutionResult, void, void>;

/** Subscriptions are short: nothing here needs the limits of an API that strangers call. */
const documents = createDocumentCheck({ maxBytes: 8192, maxTokens: 500, maxDepth: 10, maxAliases: 20 });

/**
 * Subscriptions over server-sent events: the distinct connections mode of the GraphQL over SSE protocol, one operation
 * for each request, by POST as JSON or by GET. A result is asked for when the one before is written, so that a slow
 * reader costs nothing but its connection.
 */
export function createGraphqlStreams(options: GraphqlStreamOptions): GraphqlStreams {
  const { schema, context, chargeFee, maxStreams = 20, heartbeatMs = 15_000, onError } = options;
  const { recheck, recheckMs = 1000 } = options;
  const { holderOf = (): StreamHolder => ({ name: '', maxStreams }) } = options;
  const open = new Set<Results>();
  const places = createStreamPlaces(maxStreams);
  let closed = false;

  /** The results of what was asked for, or what is wrong with it. */
  async function begin(request: Request, asked: Parameters): Promise<ExecutionResult | Results> {
    const { query, variables, operationName } = asked;
    // Also of those who may not: else tokens could be guessed here for nothing.
    const fee = await chargeFee?.(request);
    if (fee?.denial) return { errors: [fee.denial] };
    const contextValue = await context(request);
    const tooLarge = documents.ofText(query);
    if (tooLarge) return { errors: [tooLarge] };
    const document = parse(query);
    const refused = documents.ofParsed(schema, document);
    if (refused) return { errors: [refused] };
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors };
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== 'subscription') {
      return { errors: [new GraphQLError('expected one subscription; queries and mutations go to the path above')] };
    }
    const result = await subscribe({ schema, document, contextValue, variableValues: variables, operationName });
    return result as ExecutionResult | Results;
  }

  async function handle(request: Request, response: Response): Promise<void> {
    if (closed) return refuse(response, 'UNAVAILABLE', 'Stopping');
    const { letGo, code, message } = places.take(holderOf(request));
    if (letGo === undefined) return refuse(response, code, message);
    try {
      await serve(request, response);
    } finally {
      letGo();
    }
  }

  async function serve(request: Request, response: Response): Promise<void> {
    const asked = parametersOf(request);
    let begun: ExecutionResult | Results;
    try {
      begun = await begin(request, asked);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      begun = { errors: [error] };
    }
    if (!(Symbol.asyncIterator in begun)) return refuseWith(response, begun.errors ?? []);
    const results = begun;
    if (closed || response.destroyed) return void (await results.return());
    open.add(results);
    response.once('close', () => void results.return());
    let refusal: GraphQLError | undefined;
    const onRefusal = (error: GraphQLError) => {
      refusal = error;
      void results.return();
    };
    const stopRechecking = recheck && recheckEvery(recheckMs, () => recheck(request), onRefusal);
    try {
      await send(response, results, { heartbeatMs, lastErrors: () => (refusal ? [refusal] : []) });
    } finally {
      stopRechecking?.();
      open.delete(results);
      await results.return();
    }
  }

  return {
    handler: (request, response, next) => {
      handle(request, response).catch((error: unknown) => {
        if (!response.headersSent) return next(error);
        onError(error);
        response.destroy();
      });
    },
    close() {
      closed = true;
      for (const results of open) void results.return();
    },
  };
}

/**
 * Looks again and again whether a stream may go on, one look after the other.
 *
 * @returns stops it
 */
function recheckEvery(
  everyMs: number,
  recheck: () => Promise<void>,
  onRefusal: (error: GraphQLError) => void,
): () => void {
  const stop = poll(async () => {
    const error = await recheck().catch((failure: unknown) => failure);
    if (!isRefusal(error)) return;
    void stop();
    onRefusal(error);
  }, everyMs);
  return () => void stop();
}

/** Who asks may not, as opposed to an outage, which says nothing about them. */
function isRefusal(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false;
  const code = error.extensions['code'];
  return code === 'UNAUTHENTICATED' || code === 'FORBIDDEN';
}

interface SendOptions {
  heartbeatMs: number;
  /** Why there are no more results, before the stream is completed; empty: it has simply ended. */
  lastErrors(): readonly GraphQLError[];
}

async function send(response: Response, results: Results, { heartbeatMs, lastErrors }: SendOptions): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // A proxy that gathers answers would keep the events to itself.
    'x-accel-buffering': 'no',
  });
  /** Resolves once the reader has room for more; cuts one that takes nothing for a heartbeat. */
  const write = async (text: string) => {
    if (response.write(text)) return;
    await withTimeout(hasRoom(response), heartbeatMs, () => response.destroy());
  };
  const next = (result: object) => write(`event: next\ndata: ${JSON.stringify(result)}\n\n`);
  // Some browsers take the headers only with the first bytes.
  await write(':\n\n');
  const heart = setInterval(() => void (response.writableNeedDrain || response.write(':\n\n')), timerMs(heartbeatMs));
  try {
    for await (const result of results) await next(result);
    const errors = lastErrors();
    if (errors.length > 0 && !response.destroyed) await next({ errors: shownErrors(errors) });
  } finally {
    clearInterval(heart);
  }
  if (!response.destroyed) response.end('event: complete\ndata:\n\n');
}

/** Resolves when there is room for more, or when the reader has gone, and listens no longer then: a slow reader waits often. */
function hasRoom(response: Response): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) return resolve();
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}

interface Parameters {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | null;
}

/** @throws GraphQLError of a 400 */
function parametersOf({ method, body, query: search }: Request): Parameters {
  const given = (method === 'GET' ? search : body) as Record<string, unknown> | undefined;
  const { query, operationName } = given ?? {};
  if (typeof query !== 'string') throw requestError('BAD_REQUEST', 'expected a query, a text');
  if ((operationName ?? null) !== null && typeof operationName !== 'string') {
    throw requestError('BAD_REQUEST', 'operationName: expected a text');
  }
  return { query, variables: variablesOf(given?.['variables']), operationName: operationName as string | null };
}

function variablesOf(given: unknown): Record<string, unknown> {
  let variables = given ?? {};
  try {
    if (typeof given === 'string') variables = JSON.parse(given);
  } catch {
    variables = [];
  }
  if (typeof variables !== 'object' || Array.isArray(variables)) {
    throw requestError('BAD_REQUEST', 'variables: expected an object');
  }
  return variables as Record<string, unknown>;
}

/** With the status and headers that the first error that has some asks for. */
function refuseWith(response: Response, errors: readonly GraphQLError[]): void {
  const { status = 400, headers } = httpOfErrors(errors);
  response
    .setHeaders(headers)
    .status(status)
    .json({ errors: shownErrors(errors) });
}

/** Returns errors as they are sent, each with a code. */
function shownErrors(errors: readonly GraphQLError[]): object[] {
  return errors
    .map(withoutHttp)
    .map((error) => ({ ...error, extensions: { code: 'BAD_REQUEST', ...error.extensions } }));
}

function refuse(response: Response, code: 'UNAVAILABLE' | 'THROTTLED', message: string): void {
  response.setHeader('retry-after', '1');
  response.status(ERRORS[code].status).json({ errors: [{ message, extensions: { code } }] });
}
