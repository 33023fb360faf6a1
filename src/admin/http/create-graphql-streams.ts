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
  /**
   * Returns the context value of an operation.
   * @throws GraphQLError for a caller without access
   */
  context(request: Request): Promise<object>;
  /**
   * Charges the fee for a stream, or for a request that starts no stream, to its sender.
   * @default no fee
   */
  chargeFee?: (request: Request) => Promise<FeeOutcome>;
  /**
   * Maximum number of open streams of all holders without separate slots. Further streams are
   * rejected with 503.
   * @default 20
   */
  maxStreams?: number;
  /**
   * Returns the holder of a request. Each holder can only use a part of the slots.
   * @default all requests have the same holder
   */
  holderOf?: (request: Request) => StreamHolder;
  /**
   * Checks whether the holder of an open stream still has access. A GraphQLError with status 401 or
   * 403 completes the stream with that error. All other errors, such as a failed look-up, do not
   * show that the holder has lost access, and are ignored.
   * @default no recheck: the stream stays open
   */
  recheck?: (request: Request) => Promise<void>;
  /** Interval between two rechecks, in milliseconds. @default 1000 */
  recheckMs?: number;
  /**
   * Interval at which the server sends a comment to keep the stream alive, in milliseconds. A
   * reader that accepts no data for this time is disconnected.
   * @default 15000
   */
  heartbeatMs?: number;
  onError(error: unknown): void;
}

export interface GraphqlStreams {
  handler: RequestHandler;
  /** Completes every stream and accepts no new ones. */
  close(): void;
}

type Results = AsyncGenerator<ExecutionResult, void, void>;

/**
 * Limits of documents. Subscriptions are short and all callers are authenticated, so these limits
 * need no options, unlike those of a public API.
 */
const documents = createDocumentCheck({ maxBytes: 8192, maxTokens: 500, maxDepth: 10, maxAliases: 20 });

/**
 * Creates the handler of subscriptions over server-sent events. It implements the distinct
 * connections mode of the GraphQL over SSE protocol: one operation per request, by POST as JSON or
 * by GET. It pulls a result only after the previous one is written, so that a slow reader costs
 * nothing but its connection.
 */
export function createGraphqlStreams(options: GraphqlStreamOptions): GraphqlStreams {
  const { schema, context, chargeFee, maxStreams = 20, heartbeatMs = 15_000, onError } = options;
  const { recheck, recheckMs = 1000 } = options;
  const { holderOf = (): StreamHolder => ({ name: '', maxStreams }) } = options;
  const open = new Set<Results>();
  const places = createStreamPlaces(maxStreams);
  let closed = false;

  /** Starts the requested operation. Returns its results, or the errors of the request. */
  async function begin(request: Request, asked: Parameters): Promise<ExecutionResult | Results> {
    const { query, variables, operationName } = asked;
    // The fee applies before the access check. Otherwise, tokens could be guessed here for free.
    const fee = await chargeFee?.(request);
    if (fee?.denial) return { errors: [fee.denial] };
    const contextValue = await context(request);
    const tooLarge = documents.ofText(query);
    if (tooLarge) return { errors: [tooLarge] };
    const document = parse(query);
    const invalid = documents.ofParsed(schema, document);
    if (invalid) return { errors: [invalid] };
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors };
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== 'subscription') {
      return { errors: [new GraphQLError('expected one subscription; send queries and mutations to /admin/graphql')] };
    }
    const result = await subscribe({ schema, document, contextValue, variableValues: variables, operationName });
    return result as ExecutionResult | Results;
  }

  async function handle(request: Request, response: Response): Promise<void> {
    if (closed) return reject(response, 'UNAVAILABLE', 'The server is stopping: try again in a moment');
    const { letGo, code, message } = places.take(holderOf(request));
    if (letGo === undefined) return reject(response, code, message);
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
    if (!(Symbol.asyncIterator in begun)) return rejectWith(response, begun.errors ?? []);
    const results = begun;
    if (closed || response.destroyed) return void (await results.return());
    open.add(results);
    response.once('close', () => void results.return());
    let rejection: GraphQLError | undefined;
    const onRejection = (error: GraphQLError) => {
      rejection = error;
      void results.return();
    };
    const stopRechecking = recheck && recheckEvery(recheckMs, () => recheck(request), onRejection);
    try {
      await send(response, results, { heartbeatMs, lastErrors: () => (rejection ? [rejection] : []) });
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
 * Rechecks periodically whether a stream may continue, one check at a time.
 *
 * @returns a function that stops the checks
 */
function recheckEvery(
  everyMs: number,
  recheck: () => Promise<void>,
  onRejection: (error: GraphQLError) => void,
): () => void {
  const stop = poll(async () => {
    const error = await recheck().catch((failure: unknown) => failure);
    if (!isAccessDenial(error)) return;
    void stop();
    onRejection(error);
  }, everyMs);
  return () => void stop();
}

/** Returns whether the error shows that the caller has no access. An outage does not show that. */
function isAccessDenial(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false;
  const code = error.extensions['code'];
  return code === 'UNAUTHENTICATED' || code === 'FORBIDDEN';
}

interface SendOptions {
  heartbeatMs: number;
  /**
   * Returns the errors that ended the results, to be sent before the stream completes. Empty if the
   * results ended normally.
   */
  lastErrors(): readonly GraphQLError[];
}

async function send(response: Response, results: Results, { heartbeatMs, lastErrors }: SendOptions): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Without this header, a buffering proxy would delay the events.
    'x-accel-buffering': 'no',
  });
  /**
   * Writes a text. Resolves once the reader has room for more. Disconnects a reader that accepts no
   * data for one heartbeat.
   */
  const write = async (text: string) => {
    if (response.write(text)) return;
    await withTimeout(hasRoom(response), heartbeatMs, () => response.destroy());
  };
  const next = (result: object) => write(`event: next\ndata: ${JSON.stringify(result)}\n\n`);
  // Some browsers process the headers only with the first bytes of the body.
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

/**
 * Resolves when there is room for more, or when the reader has disconnected. It then removes its
 * listeners, which would otherwise accumulate for a slow reader.
 */
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

/**
 * Reads the parameters of a request.
 * @throws GraphQLError with status 400
 */
function parametersOf({ method, body, query: search }: Request): Parameters {
  const given = (method === 'GET' ? search : body) as Record<string, unknown> | undefined;
  const { query, operationName } = given ?? {};
  if (typeof query !== 'string') throw requestError('BAD_REQUEST', 'query: expected a string');
  if ((operationName ?? null) !== null && typeof operationName !== 'string') {
    throw requestError('BAD_REQUEST', 'operationName: expected a string');
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

/** Sends errors, with the status and headers of the first error that defines them. */
function rejectWith(response: Response, errors: readonly GraphQLError[]): void {
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

function reject(response: Response, code: 'UNAVAILABLE' | 'THROTTLED', message: string): void {
  response.setHeader('retry-after', '1');
  response.status(ERRORS[code].status).json({ errors: [{ message, extensions: { code } }] });
}
