import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { GraphQLError } from 'graphql';
import { type Answer, answerOf } from '../protection/answer/answer-of.js';
import { type AnyError, httpOfErrors } from '../protection/answer/http-of-errors.js';
import { JSON_TYPE } from './answer-batch.js';
import { requestErrorOf } from './request-error-of.js';
import { type Outgoing, writeAnswer } from './write-answer.js';

/**
 * Charges the fee of a rejected request to its sender. Resolves to the response: these errors, or
 * the denial if a limit denies the fee.
 */
export type RejectRequest = (request: IncomingMessage, errors: readonly AnyError[]) => Promise<Answer>;

/**
 * Resolves to the response for an error that a request handler threw. An error that the request
 * caused costs the fee. The response to a server failure contains no details.
 *
 * @param reject undefined if rejected requests are free
 */
export async function answerError(
  request: Request,
  error: unknown,
  reject: RejectRequest | undefined,
): Promise<Outgoing> {
  const shown = requestErrorOf(error) ?? INTERNAL;
  if (reject && takesFee(shown)) return outgoing(await reject(request, [shown]));
  return outgoing(answerOf({ errors: [shown] }, undefined));
}

/** Returns a handler that answers errors with `answerError`, and reports server failures. */
export function answerErrors(
  reject: RejectRequest | undefined,
  onAnswer: (status: number) => void,
  onError: (error: unknown) => void,
): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    if (requestErrorOf(error) === undefined) onError(error);
    const answer = await answerError(request, error, reject);
    onAnswer(answer.status);
    await writeAnswer(response, answer);
  };
}

/**
 * Returns the last error handler. It responds to errors that no route has handled, and reports
 * them. Express's default handler would write the stack to standard error.
 */
export function answerFailures(onError: (error: unknown) => void): ErrorRequestHandler {
  return async (error: unknown, request, response, _next) => {
    if (requestErrorOf(error) === undefined) onError(error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    await writeAnswer(response, await answerError(request, error, undefined));
  };
}

/** Rejects a request with an error, writes the response, and resolves to its status. */
export async function sendRejection(
  request: Request,
  response: Response,
  error: GraphQLError,
  reject: RejectRequest,
): Promise<number> {
  const answer = await reject(request, [error]);
  await writeAnswer(response, outgoing(answer));
  return answer.status;
}

/** Sends an error that costs no fee. */
export async function sendError(response: Response, error: GraphQLError): Promise<void> {
  const { status = 500 } = httpOfErrors([error]);
  await writeAnswer(response, outgoing({ ...answerOf({ errors: [error] }, undefined), status }));
}

export function outgoing({ status, headers, body }: Answer): Outgoing {
  return {
    status,
    headers: [['content-type', JSON_TYPE], ['cache-control', 'no-store'], ...Object.entries(headers)],
    body: JSON.stringify(body),
  };
}

const INTERNAL = new GraphQLError('Internal server error', {
  extensions: { code: 'INTERNAL_SERVER_ERROR', http: { status: 500 } },
});

/**
 * Returns whether an error costs the fee: the client caused it, or could cause it by a flood of
 * requests.
 */
function takesFee(error: GraphQLError): boolean {
  const { status = 500 } = httpOfErrors([error]);
  return status < 500 || error.extensions['code'] === 'UPSTREAM_OVERLOADED';
}
