import type { IncomingMessage } from 'node:http';
import type { GraphQLError } from 'graphql';
import type { Outgoing } from '../../http/write-answer.js';
import type { AskedBy } from '../../model/asked-by.js';
import { requestError } from '../../model/errors.js';
import type { Decision, Decisions, NamedCaller } from '../create-decisions.js';
import { SETTLE_WITHIN_MS } from '../decide-request.js';
import type { DecisionRoute, RouteRequest } from '../decision-route.js';
import { jsonAnswer } from '../json-answer.js';
import { asObject, callerHeaders } from './caller-headers.js';
import { findAmbiguity } from './find-ambiguity.js';

interface ExtAuthzOptions {
  decisions: Decisions;
  maxBodyBytes: number;
}

const EXT_AUTHZ = 'ext-authz';
const PATH = `/integrations/${EXT_AUTHZ}`;
/** Header with the receipt, for the upstream. */
const RECEIPT = 'x-tollgate-receipt';
/** Header that Envoy sets if it has sent only a part of the body. */
const PARTIAL = 'x-envoy-auth-partial-body';

/**
 * Creates the route for the external authorization of Envoy over HTTP. Envoy sends the method and
 * the path of the request below this path, with the listed headers and the body.
 */
export function extAuthzRoute({ decisions, maxBodyBytes }: ExtAuthzOptions): DecisionRoute {
  const callerOf = (request: IncomingMessage): NamedCaller => ({ headers: callerHeaders(request.headers) });
  type Asked = Pick<RouteRequest, 'request' | 'token'>;
  const byOf = ({ token }: Asked): AskedBy => ({ integration: EXT_AUTHZ, service: token });
  const reject = async (asked: Asked, error: GraphQLError) =>
    answerOf(await decisions.reject(callerOf(asked.request), [error], byOf(asked)));

  async function handle(received: RouteRequest) {
    const { request, url, body, text, bytes } = received;
    // A preflight request runs no operation.
    if (request.method === 'OPTIONS') return jsonAnswer({}, 200, { [RECEIPT]: '' });
    if (isPartial(request)) return reject(received, partialBody());
    if (Array.isArray(body))
      return reject(received, requestError('BAD_REQUEST', 'expected one operation, got a batch: batches are off'));
    const sent = request.method === 'GET' ? ofQuery(url) : (asObject(body) ?? {});
    const ambiguity = findAmbiguity(request, url, { sent, text });
    if (ambiguity !== undefined) return reject(received, requestError('BAD_REQUEST', ambiguity));
    const { query, variables, operationName } = sent;
    const asked = { query, variables, operationName, documentId: hashOf(sent), ...callerOf(request) };
    return answerOf(await decisions.decide({ ...asked, settleWithinMs: SETTLE_WITHIN_MS }, byOf(received), bytes));
  }

  const rejectBody = (asked: Asked, error: GraphQLError) =>
    reject(asked, isPartial(asked.request) ? partialBody() : error);

  return {
    path: PATH,
    isPrefix: true,
    methods: ['GET', 'POST', 'OPTIONS'],
    maxBodyBytes,
    handle,
    rejectBody,
    onFailure: ({ status, headers, body }) => denial(body, status, headers),
  };
}

function isPartial({ headers }: IncomingMessage): boolean {
  return String(headers[PARTIAL]).includes('true');
}

function partialBody(): GraphQLError {
  return requestError('PAYLOAD_TOO_LARGE', 'Envoy has sent only a part of the body: raise max_request_bytes');
}

function answerOf({ admitted, status, headers, data, errors, extensions, receipt = '' }: Decision) {
  // The receipt is always set, so that it replaces one that the caller of the API has sent.
  if (admitted) return jsonAnswer({}, 200, { ...headers, [RECEIPT]: receipt });
  return denial({ data, errors, extensions }, status, headers);
}

function denial(body: object, status: number, headers: Readonly<Record<string, string>>): Outgoing {
  const waits = status >= 500 ? { 'retry-after': '1' } : {};
  return jsonAnswer(body, statusFor(status), { ...headers, ...waits, [RECEIPT]: '' });
}

/**
 * Returns the status to send. Envoy treats a 5xx status as a failure of the service, and then
 * admits the request or answers 403. A status of 200 would admit a denied operation.
 */
function statusFor(status: number): number {
  if (status >= 500) return 429;
  return status < 400 ? 403 : status;
}

function ofQuery(url: string): Record<string, unknown> {
  const at = url.indexOf('?');
  const read = new URLSearchParams(at < 0 ? '' : url.slice(at));
  const parse = (name: string): unknown => {
    const text = read.get(name);
    if (text === null) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      return text; // The check of the operation rejects it, and charges the fee.
    }
  };
  return {
    query: read.get('query') ?? undefined,
    operationName: read.get('operationName') ?? undefined,
    variables: parse('variables'),
    extensions: parse('extensions'),
  };
}

const HASH = /^[0-9a-f]{64}$/;

/** Returns the hash of an automatic persisted query. */
function hashOf({ extensions }: Record<string, unknown>): string | undefined {
  const hash = asObject(asObject(extensions)?.['persistedQuery'])?.['sha256Hash'];
  return typeof hash === 'string' && HASH.test(hash) ? hash : undefined;
}
