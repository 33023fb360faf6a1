import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Response } from 'express';
import { GraphQLError } from 'graphql';
import { readJsonBody } from '../http/read-json-body.js';
import { outgoing } from '../http/reject-request.js';
import { requestErrorOf } from '../http/request-error-of.js';
import { type Outgoing, writeAnswer } from '../http/write-answer.js';
import { requestError } from '../model/errors.js';
import { didYouMean } from '../options/nearest-name.js';
import { type Answer, answerOf } from '../protection/answer/answer-of.js';
import type { Decider, DecisionAccess } from './create-decision-access.js';
import { decisionFailed, isServerFailure } from './decision-failed.js';
import type { DecisionRoute } from './decision-route.js';

interface DecisionHandlerOptions {
  routes: readonly DecisionRoute[];
  access: DecisionAccess;
  /** Rejects a request without a valid token, and charges the fee to the address that sent it. */
  rejectStranger(request: IncomingMessage, errors: readonly GraphQLError[]): Promise<Answer>;
  onAnswer(path: string, status: number): void;
  onError(error: unknown): void;
}

/** A handler for `node:http` and, with `allowHTTP1`, for `node:http2`. */
export type DecisionHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Creates the handler of all paths. It does not use Express, which does not support HTTP/2. */
export function createDecisionHandler(options: DecisionHandlerOptions): DecisionHandler {
  const { routes, access, rejectStranger, onAnswer, onError } = options;

  function routeOf(path: string): DecisionRoute {
    const route = routes.find((one) => one.path === path || (one.isPrefix && path.startsWith(`${one.path}/`)));
    if (route) return route;
    const known = routes.map((one) => one.path);
    throw requestError('BAD_REQUEST', `unknown path, expected one of ${known.join(', ')}${didYouMean(path, known)}`);
  }

  async function answer(request: IncomingMessage, url: string): Promise<{ path: string; answer: Outgoing }> {
    let route: DecisionRoute | undefined;
    let body: unknown;
    const at = url.indexOf('?');
    const path = at < 0 ? url : url.slice(0, at);
    try {
      route = routeOf(path);
      const { path: shown, methods } = route;
      if (!methods.includes(request.method ?? ''))
        throw requestError('METHOD_NOT_ALLOWED', `expected ${methods.join(' or ')}`, { allow: methods.join(', ') });
      let decider: Decider | undefined;
      if (!route.isPublic) {
        try {
          decider = await access.check(request);
        } catch (error) {
          if (!(error instanceof GraphQLError)) throw error;
          // The token may be valid, so this is not a failed attempt, and costs no fee.
          if (isServerFailure(error)) return { path: shown, answer: await unavailable(route, request, path, error) };
          return { path: shown, answer: inFormOf(route, await rejectStranger(request, [error]), { path }) };
        }
      }
      const read = await bodyOf(route, request).catch(requestErrorOrThrow);
      const isBad = read instanceof GraphQLError;
      if (decider) access.count(decider, !isBad && Array.isArray(read.value) ? read.value.length : 1);
      const asked = { request, url, path, token: decider?.name };
      if (!isBad) {
        const { text, bytes } = read;
        body = read.value;
        return { path: shown, answer: await route.handle({ ...asked, body, text, bytes }) };
      }
      if (!route.rejectBody) throw read;
      return { path: shown, answer: await route.rejectBody(asked, read) };
    } catch (error) {
      const shown = requestErrorOf(error);
      if (shown === undefined) onError(error);
      const answer = answerOf({ errors: [shown ?? decisionFailed()] }, undefined);
      return { path: route?.path ?? '', answer: inFormOf(route, answer, { path, body }) };
    }
  }

  return async (request, response) => {
    // Express removes the path at which the handler is mounted from `url`.
    const url = (request as { originalUrl?: string }).originalUrl ?? request.url ?? '';
    request.url = url;
    const { path, answer: sent } = await answer(request, url);
    onAnswer(path, sent.status);
    if (response.destroyed) return;
    // An unread body would be parsed as the next request of the connection.
    if (!request.complete && request.httpVersionMajor === 1) response.setHeader('connection', 'close');
    await writeAnswer(response as Response, sent).catch(onError);
  };
}

async function bodyOf(route: DecisionRoute, request: IncomingMessage) {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS')
    return { value: undefined, text: '', bytes: 0 };
  const { 'content-type': contentType } = request.headers;
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json')
    throw requestError('UNSUPPORTED_MEDIA_TYPE', `expected application/json, got ${mediaType ?? 'none'}`);
  for (const [, charset = ''] of contentType?.matchAll(CHARSET) ?? []) {
    if (!UTF_8.test(charset))
      throw requestError('UNSUPPORTED_MEDIA_TYPE', `expected the charset utf-8, got ${charset || 'none'}`);
  }
  return readJsonBody(request, route.maxBodyBytes);
}

/**
 * In another charset, such as UTF-7, the same bytes can be another operation. The API behind a
 * proxy could then run an operation that Tollgate has not priced.
 */
const CHARSET = /charset[*\d]*\s*=\s*["']?([^\s;"']*)/gi;
const UTF_8 = /^utf-?8$/i;

/** Returns an error that the request caused. @throws any other error */
function requestErrorOrThrow(error: unknown): GraphQLError {
  const shown = requestErrorOf(error);
  if (shown === undefined) throw error;
  return shown;
}

/**
 * Returns the response to a request whose token cannot be looked up. The body is read, because
 * some protocols repeat parts of it.
 */
async function unavailable(route: DecisionRoute, request: IncomingMessage, path: string, error: GraphQLError) {
  const maxBodyBytes = Math.min(route.maxBodyBytes, MAX_STRANGER_BYTES);
  const read = await bodyOf({ ...route, maxBodyBytes }, request).catch(requestErrorOrThrow);
  const body = read instanceof GraphQLError ? undefined : read.value;
  return inFormOf(route, answerOf({ errors: [error] }, undefined), { path, body });
}

/** Maximum size of a body that is read although its sender is not known. */
const MAX_STRANGER_BYTES = 2 ** 20;

/** Returns a failure in the form that the route requires, if it requires one. */
function inFormOf(route: DecisionRoute | undefined, answer: Answer, { path, body }: { path: string; body?: unknown }) {
  return route?.onFailure?.(answer, { path, body }) ?? outgoing(answer);
}
